package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node/wei"
	"github.com/holiman/uint256"
)

// Range is the values that a number may have. In JSON it is one value, or an object of the least
// and the most; either may be left out.
type Range struct {
	Least uint256.Int
	Most  *uint256.Int // nil: any
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Range) UnmarshalJSON(text []byte) error {
	if len(text) == 0 || text[0] != '{' {
		v, err := number(text)
		if err != nil {
			return err
		}
		*r = Range{Least: *v, Most: v}
		return nil
	}
	var bounds struct {
		Least Amount
		Most  json.RawMessage // no *Amount, for which null would do
	}
	if err := strict(text, &bounds); err != nil {
		return err
	}
	*r = Range{Least: bounds.Least.Int}
	if bounds.Most == nil {
		return nil
	}
	v, err := number(bounds.Most)
	if err != nil {
		return err
	}
	if r.Most = v; v.Lt(&r.Least) {
		return fmt.Errorf("no number is %v", *r)
	}
	return nil
}

// holds reports whether a number is in the range.
func (r Range) holds(v *uint256.Int) bool { return !v.Lt(&r.Least) && (r.Most == nil || !v.Gt(r.Most)) }

// String writes the range for people.
func (r Range) String() string {
	switch {
	case r.Most == nil:
		return "at least " + r.Least.Dec()
	case r.Most.Eq(&r.Least):
		return r.Least.Dec()
	default:
		return r.Least.Dec() + ".." + r.Most.Dec()
	}
}

// number reads a whole number, or an amount in a string.
func number(text json.RawMessage) (*uint256.Int, error) {
	s := strings.TrimSpace(string(text))
	if len(s) > 1 && s[0] == '"' {
		s = s[1 : len(s)-1]
	}
	if s == "" {
		return nil, errors.New("a number is missing")
	}
	return wei.Parse(s)
}

// object returns a game's parameters by name.
func object(game games.Game, params []byte) (map[string]json.RawMessage, error) {
	text, err := game.Params.Decode(params)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	return fields, json.Unmarshal(text, &fields)
}

// strict reads one JSON value without unknown names.
func strict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}
