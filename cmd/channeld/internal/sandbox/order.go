package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// order is what a line asks for: exactly one of the first five.
type order struct {
	Move   string `json:"move"`   // 0x and the bytes of the move
	Text   string `json:"text"`   // as a person types it
	Auto   bool   `json:"auto"`   // what needs nobody's judgement
	Bot    bool   `json:"bot"`    // what the game's bot would do
	Expire bool   `json:"expire"` // nothing: the mover's time runs out
	Digest string `json:"digest"` // that the position must then have; empty: any
}

// readOrder reads a line: an object, or a string that stands for a move (0x…) or for text.
func readOrder(line []byte) (o order, err error) {
	if o, is := named(line); is {
		return o, nil
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	switch {
	case line[0] == '"':
		var text string
		if err = d.Decode(&text); strings.HasPrefix(text, "0x") {
			o.Move = text
		} else {
			o.Text = text
		}
	case line[0] != '{':
		err = errors.New("this is neither an object nor a string")
	default:
		err = d.Decode(&o)
	}
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more than one value")
		}
	}
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		err = fmt.Errorf("%q has the wrong type, %s", wrong.Field, wrong.Value)
	}
	if err != nil {
		return o, fmt.Errorf(`want one JSON move, such as {"move":"0x…"}, {"move":"drop","column":3}, {"text":"…"}, {"auto":true}, {"bot":true} or {"expire":true}: %w`, err)
	}
	asked := 0
	for _, is := range []bool{o.Move != "", o.Text != "", o.Auto, o.Bot, o.Expire} {
		if is {
			asked++
		}
	}
	if asked != 1 {
		return o, errors.New("want exactly one of move, text, auto, bot and expire")
	}
	return o, nil
}

// named reads an object that says a move by its name, not its bytes. It is text: all of it but the
// digest is for the game to judge.
func named(line []byte) (o order, is bool) {
	var said struct{ Move, Digest string }
	if json.Unmarshal(line, &said) != nil || said.Move == "" || strings.HasPrefix(said.Move, "0x") {
		return o, false
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil {
		return o, false
	}
	delete(object, "digest")
	text, err := json.Marshal(object)
	return order{Text: string(text), Digest: said.Digest}, err == nil
}
