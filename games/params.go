package games

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/holiman/uint256"
)

// ErrParams is wrapped by every error about parameters that a game does not allow.
var ErrParams = errors.New("bad parameters")

// Params turns a game's parameters from what people write into the bytes that MatchTerms carry, and
// back.
type Params interface {
	// Fields lists the parameters, in order.
	Fields() []Field
	// Encode reads a JSON object; what it leaves out (all, if it is empty) takes its default.
	// Unknown names and values out of range fail with ErrParams.
	Encode(object json.RawMessage) ([]byte, error)
	// Decode returns the JSON object of encoded parameters, complete and in order.
	Decode(params []byte) (json.RawMessage, error)
}

// Field is one parameter, for people.
type Field struct {
	Name    string
	Help    string // one line with the unit and range
	Default json.RawMessage
	// Least and Most are the range of a whole number; Most is nil for anything else.
	Least, Most *uint256.Int
}

// ParamsObject writes parameters given as name=value, as on a command line, as the JSON object that
// Params.Encode reads. A value that is no JSON stands for a string.
func ParamsObject(pairs []string) (json.RawMessage, error) {
	object := make(map[string]json.RawMessage)
	for _, pair := range pairs {
		name, value, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("%w: %q is not name=value", ErrParams, pair)
		}
		if _, twice := object[name]; twice {
			return nil, fmt.Errorf("%w: %s given twice", ErrParams, name)
		}
		raw := json.RawMessage(value)
		if !json.Valid(raw) {
			raw, _ = json.Marshal(value) // a string always marshals
		}
		object[name] = raw
	}
	b, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrParams, err)
	}
	return b, nil
}
