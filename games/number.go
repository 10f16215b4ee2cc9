package games

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/holiman/uint256"
)

// Number is a parameter that is a whole number.
type Number struct {
	Name  string
	Help  string
	Bytes uint8 // of its encoding, big-endian: 1..32. Amounts of wei or token units take 16
	// Default and range. A Max of 0 stands for the most that fits into the bytes.
	Default, Min, Max uint64
}

// Numbers are the parameters of a game that needs nothing but numbers: each as many bytes as it
// says, in order. In JSON, those of up to four bytes are numbers, and wider ones decimal strings,
// as not every reader of JSON keeps large numbers exact; on input either form will do for the wide
// ones.
type Numbers []Number

var _ Params = Numbers(nil)

// Fields implements Params.
func (n Numbers) Fields() []Field {
	fields := make([]Field, len(n))
	for i, p := range n {
		help := fmt.Sprintf("%s, %d..%s", p.Help, p.Min, p.most().Dec())
		if p.Max == 0 && p.wide() {
			help = fmt.Sprintf("%s, at least %d", p.Help, p.Min)
		}
		fields[i] = Field{p.Name, help, p.json(uint256.NewInt(p.Default)), uint256.NewInt(p.Min), p.most()}
	}
	return fields
}

// Values reads encoded parameters. It fails with ErrIllegal unless the bytes are one value in range
// for each.
func (n Numbers) Values(params []byte) ([]uint256.Int, error) {
	size := 0
	for _, p := range n {
		size += int(p.Bytes)
	}
	if len(params) != size {
		return nil, fmt.Errorf("%w: %d bytes of parameters, want %d", ErrIllegal, len(params), size)
	}
	values := make([]uint256.Int, len(n))
	for i, p := range n {
		values[i].SetBytes(params[:p.Bytes])
		params = params[p.Bytes:]
		if err := p.check(&values[i]); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrIllegal, err)
		}
	}
	return values, nil
}

// Append appends the encoding of values, which must be one for each parameter and fit into its
// bytes.
func (n Numbers) Append(b []byte, values ...*uint256.Int) []byte {
	for i, p := range n {
		word := values[i].Bytes32()
		b = append(b, word[32-p.Bytes:]...)
	}
	return b
}

// Encode implements Params.
func (n Numbers) Encode(object json.RawMessage) ([]byte, error) {
	var given map[string]json.RawMessage
	if len(object) > 0 {
		d := json.NewDecoder(bytes.NewReader(object))
		if err := d.Decode(&given); err != nil {
			return nil, fmt.Errorf("%w: want an object of whole numbers: %w", ErrParams, err)
		}
		if _, err := d.Token(); err != io.EOF {
			return nil, fmt.Errorf("%w: more than one object", ErrParams)
		}
	}
	values := make([]*uint256.Int, len(n))
	for i, p := range n {
		raw, ok := given[p.Name]
		if !ok {
			values[i] = uint256.NewInt(p.Default)
			continue
		}
		v, err := p.parse(raw)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrParams, err)
		}
		values[i] = v
		delete(given, p.Name)
	}
	for name := range given {
		return nil, fmt.Errorf("%w: there is no %q: there are %s", ErrParams, name, n.names())
	}
	return n.Append(nil, values...), nil
}

// names lists the parameters.
func (n Numbers) names() string {
	list := make([]string, len(n))
	for i, p := range n {
		list[i] = p.Name
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

// Decode implements Params.
func (n Numbers) Decode(params []byte) (json.RawMessage, error) {
	values, err := n.Values(params)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrParams, err)
	}
	b := []byte{'{'}
	for i, p := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%s", p.Name, p.json(&values[i]))
	}
	return append(b, '}'), nil
}

func (p Number) wide() bool { return p.Bytes > 4 }

func (p Number) most() *uint256.Int {
	if p.Max != 0 {
		return uint256.NewInt(p.Max)
	}
	var all uint256.Int
	return all.Rsh(all.SetAllOne(), 8*(32-uint(p.Bytes)))
}

func (p Number) check(v *uint256.Int) error {
	if most := p.most(); v.LtUint64(p.Min) || v.Gt(most) {
		return fmt.Errorf("%s is %s, want %d..%s", p.Name, v.Dec(), p.Min, most.Dec())
	}
	return nil
}

func (p Number) json(v *uint256.Int) json.RawMessage {
	if p.wide() {
		return json.RawMessage(`"` + v.Dec() + `"`)
	}
	return json.RawMessage(v.Dec())
}

func (p Number) parse(raw json.RawMessage) (*uint256.Int, error) {
	text := string(raw)
	if p.wide() && len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	v := new(uint256.Int)
	if text == "" || len(text) > 78 || text[0] < '0' || text[0] > '9' || v.SetFromDecimal(text) != nil {
		return nil, fmt.Errorf("%s is %s, want a whole number", p.Name, raw)
	}
	return v, p.check(v)
}
