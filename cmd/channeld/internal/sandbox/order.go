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

// readOrder reads a line: an object, or a string that stands for a move (0x…) or for text. An
// object that names a move, as a page sends it, is text too.
func readOrder(line []byte) (o order, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	var named struct{ Move, Digest string }
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
	case json.Unmarshal(line, &named) == nil && named.Move != "" && !strings.HasPrefix(named.Move, "0x"):
		return order{Text: string(line), Digest: named.Digest}, nil
	default:
		err = d.Decode(&o)
	}
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		return o, fmt.Errorf(`want one JSON move, such as {"move":"0x…"}, {"text":"…"}, {"auto":true}, {"bot":true} or {"expire":true}: %w`, err)
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
