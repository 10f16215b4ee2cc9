package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
)

// numbers are the parameters, for people and in bytes.
func (m *Manifest) numbers() games.Numbers {
	list := make(games.Numbers, len(m.Params))
	for i := range m.Params {
		p := &m.Params[i]
		list[i] = games.Number{Name: p.Name, Help: p.Help, Bytes: uint8(p.size()), Default: p.Default, Min: p.Min, Max: p.most()}
	}
	return list
}

func (k *Move) prefix() ([]byte, error) {
	if k.Prefix == "" {
		return nil, nil
	}
	return hexutil.Decode(k.Prefix)
}

func (f *Field) append(b []byte, v *uint256.Int) []byte {
	word := v.Bytes32()
	return append(b, word[32-f.size():]...)
}

// bytes reports whether values are written as their bytes, 0x….
func (f *Field) bytes() bool { return f.size() > 8 }

// unbounded reports whether a value may be more than most says.
func (f *Field) unbounded() bool { return f.bytes() && f.Max == 0 && len(f.Values) == 0 }

// parse reads a value that a person typed: its name or its number, or its bytes as they are
// written.
func (f *Field) parse(s string) (*uint256.Int, error) {
	for i, name := range f.Values {
		if strings.EqualFold(name, s) {
			return uint256.NewInt(uint64(i)), nil
		}
	}
	v := new(uint256.Int)
	if b, err := hexutil.Decode(s); err == nil && f.bytes() && len(b) == f.size() {
		v.SetBytes(b)
	} else if number, err := strconv.ParseUint(s, 10, 64); err == nil {
		v.SetUint64(number)
	} else {
		return nil, fmt.Errorf("%w: %s is %q, want %s", games.ErrText, f.Name, s, f.wanted())
	}
	if v.LtUint64(f.Min) || v.GtUint64(f.most()) && !f.unbounded() {
		return nil, fmt.Errorf("%w: %s is %q, want %s", games.ErrText, f.Name, s, f.wanted())
	}
	return v, nil
}

func (f *Field) wanted() string {
	switch {
	case len(f.Values) > 0:
		return "one of " + strings.Join(f.Values, ", ")
	case f.unbounded():
		return fmt.Sprintf("0x and %d bytes", f.size())
	}
	return fmt.Sprintf("%d..%d", f.Min, f.most())
}

// say writes a value for people.
func (f *Field) say(word []byte) string {
	v := new(uint256.Int).SetBytes(word)
	if v.IsUint64() && v.Uint64() < uint64(len(f.Values)) {
		return f.Values[v.Uint64()]
	}
	if f.bytes() {
		return hexutil.Encode(word)
	}
	return v.Dec()
}

// read takes a state apart, and returns an object of its fields, in order; nil if the state has
// another form.
func (m *Manifest) read(state []byte) (json.RawMessage, map[string][]byte) {
	b, raw := []byte{'{'}, make(map[string][]byte)
	for i := range m.Position {
		f := &m.Position[i]
		n := f.size() * f.count()
		if f.Open {
			n = min(n, len(state)/f.size()*f.size())
		}
		if len(state) < n {
			return nil, nil
		}
		raw[f.Name], state = state[:n], state[n:]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, quote(f.Name)...), ':'), f.object(raw[f.Name])...)
	}
	if len(state) > 0 {
		return nil, nil
	}
	return append(b, '}'), raw
}

// object is a field's value, or a list of them.
func (f *Field) object(b []byte) []byte {
	one := func(word []byte) []byte {
		if len(f.Values) > 0 || f.size() > 4 {
			return quote(f.say(word))
		}
		return []byte(f.say(word))
	}
	if f.Count == 0 {
		return one(b)
	}
	var items [][]byte
	for ; len(b) > 0; b = b[f.size():] {
		items = append(items, one(b[:f.size()]))
	}
	return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
}

func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string always marshals
	return b
}

// parseMove reads what a person typed: bytes as 0x…, an object {"move":"drop","column":3}, or
// words: drop 3. Where there is one kind of moves only, its name may be left out.
func (m *Manifest) parseMove(typed string) ([]byte, error) {
	typed = strings.TrimSpace(typed)
	if strings.HasPrefix(typed, "0x") {
		b, err := hexutil.Decode(typed)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", games.ErrText, err)
		}
		return b, nil
	}
	words := strings.Fields(typed)
	if strings.HasPrefix(typed, "{") {
		var err error
		if words, err = m.words(typed); err != nil {
			return nil, err
		}
	}
	for i := range m.Moves {
		k := &m.Moves[i]
		if len(words) > 0 && strings.EqualFold(words[0], k.Name) {
			return k.encode(words[1:])
		}
	}
	if len(m.Moves) == 1 {
		return m.Moves[0].encode(words)
	}
	return nil, fmt.Errorf("%w: want %s", games.ErrText, m.usage())
}

// words turns an object into what would be typed.
func (m *Manifest) words(object string) ([]string, error) {
	var given map[string]any
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		return nil, fmt.Errorf("%w: %w", games.ErrText, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: more than one object", games.ErrText)
	}
	for i := range m.Moves {
		k := &m.Moves[i]
		if given["move"] != k.Name {
			continue
		}
		words := []string{k.Name}
		delete(given, "move")
		for j := range k.Fields {
			name := k.Fields[j].Name
			words = append(words, fmt.Sprint(given[name]))
			delete(given, name)
		}
		for name := range given {
			return nil, fmt.Errorf("%w: there is no %q: want %s", games.ErrText, name, k.usage())
		}
		return words, nil
	}
	return nil, fmt.Errorf("%w: want %s, as an object with \"move\" and the fields", games.ErrText, m.usage())
}

func (k *Move) encode(words []string) ([]byte, error) {
	if len(words) != len(k.Fields) {
		return nil, fmt.Errorf("%w: want %s", games.ErrText, k.usage())
	}
	b, err := k.prefix()
	if err != nil {
		return nil, err
	}
	for i := range k.Fields {
		v, err := k.Fields[i].parse(words[i])
		if err != nil {
			return nil, err
		}
		b = k.Fields[i].append(b, v)
	}
	return b, nil
}

func (k *Move) usage() string {
	s := k.Name
	for i := range k.Fields {
		s += fmt.Sprintf(" %s (%s)", strings.ToUpper(k.Fields[i].Name), k.Fields[i].wanted())
	}
	return s
}

func (m *Manifest) usage() string {
	all := make([]string, len(m.Moves))
	for i := range m.Moves {
		all[i] = m.Moves[i].usage()
	}
	return strings.Join(append(all, "0x and the bytes of a move"), ", or ")
}

// describe says what a move is: the first kind that it has the form of.
func (m *Manifest) describe(move []byte) string {
	for i := range m.Moves {
		k := &m.Moves[i]
		prefix, _ := k.prefix() // checked
		rest, ok := bytes.CutPrefix(move, prefix)
		said := k.Name
		for j := range k.Fields {
			f := &k.Fields[j]
			if ok = ok && len(rest) >= f.size(); ok {
				said += " " + f.say(rest[:f.size()])
				rest = rest[f.size():]
			}
		}
		if ok && len(rest) == 0 {
			return said
		}
	}
	return hexutil.Encode(move)
}

// typed is what is typed to make a move: how it is described, or its bytes where that would make
// another.
func (m *Manifest) typed(move []byte) string {
	said := m.describe(move)
	if b, err := m.parseMove(said); err != nil || !bytes.Equal(b, move) {
		return hexutil.Encode(move)
	}
	return said
}

// choices yields all moves that the manifest can say, as far as a kind has few enough: one of each
// kind, then the next.
func (m *Manifest) choices(yield func([]byte) bool) {
	for n := range uint64(maxChoices) {
		for i := range m.Moves {
			if k := &m.Moves[i]; n < k.choices() && !yield(k.choice(n)) {
				return
			}
		}
	}
}

// choices is how many moves of a kind are tried out: none if there are more than maxChoices.
func (k *Move) choices() uint64 {
	total := uint64(1)
	for i := range k.Fields {
		f := &k.Fields[i]
		if span := f.most() - f.Min; span >= maxChoices || total*(span+1) > maxChoices {
			return 0
		}
		total *= f.most() - f.Min + 1
	}
	return total
}

// choice is the n-th of a kind's moves.
func (k *Move) choice(n uint64) []byte {
	b, _ := k.prefix() // checked
	for i := range k.Fields {
		f := &k.Fields[i]
		span := f.most() - f.Min + 1
		b = f.append(b, uint256.NewInt(f.Min+n%span))
		n /= span
	}
	return b
}

// draw is any of a kind's moves.
func (k *Move) draw(random io.Reader) ([]byte, error) {
	b, _ := k.prefix() // checked
	for i := range k.Fields {
		f := &k.Fields[i]
		word := make([]byte, f.size())
		if _, err := io.ReadFull(random, word); err != nil {
			return nil, fmt.Errorf("draw a move: %w", err)
		}
		v := new(uint256.Int).SetBytes(word)
		if span := f.most() - f.Min; !f.unbounded() && span != ^uint64(0) {
			v.SetUint64(f.Min + v.Uint64()%(span+1))
		}
		b = f.append(b, v)
	}
	return b, nil
}
