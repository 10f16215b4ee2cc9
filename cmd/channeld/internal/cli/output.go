package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/ante-games/ante/node/wei"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// show prints a reply: as JSON when that was asked for, else by the given function.
func (a *app) show(m proto.Message, people func(w io.Writer)) error {
	if !a.json {
		people(a.Out)
		return nil
	}
	return a.printJSON(m, "  ")
}

// printJSON prints a message as JSON, on one line if there is no indent. Protojson varies its white space on purpose, so
// that is made anew.
func (a *app) printJSON(m proto.Message, indent string) error {
	data, err := protojson.MarshalOptions{EmitUnpopulated: true}.Marshal(m)
	if err != nil {
		return fmt.Errorf("print as JSON: %w", err)
	}
	var out bytes.Buffer
	if indent == "" {
		err = json.Compact(&out, data)
	} else {
		err = json.Indent(&out, data, "", indent)
	}
	if err != nil {
		return fmt.Errorf("print as JSON: %w", err)
	}
	_, err = fmt.Fprintln(a.Out, out.String())
	return err
}

// table prints rows of cells in columns, and that there is none if there is none.
func table(w io.Writer, head []string, rows [][]string) {
	if len(rows) == 0 {
		fmt.Fprintln(w, "none")
		return
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
}

// fee prints what gas costs.
func fee(amount string) string { return wei.Decimal(amount, wei.Gwei) }

// short abbreviates an id or address. Commands take the abbreviation's beginning, too.
func short(id string) string {
	if len(id) <= 14 {
		return id
	}
	return id[:10]
}

// enum prints a value of an enumeration: OFFER_STATUS_OPEN as "open".
func enum(v fmt.Stringer, prefix string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(v.String(), prefix), "_", " "))
}

// clean makes text of other players fit for a terminal: no control characters, one line.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			return '?'
		}
		return r
	}, text)
}
