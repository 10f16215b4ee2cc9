package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// printf writes to the user, with hints in the format alone: what other people say goes into the
// rest. A broken pipe is the user's.
func (a *app) printf(format string, args ...any) {
	fmt.Fprintf(a.Out, a.hintedBy(strings.ReplaceAll(a.called(), "%", "%%"), format), args...)
}

// hint is a command that a text of this program names. What stands in quotes may be another's.
var hint = regexp.MustCompile(`"[^"\n]*"|(?:^|[^\w/\\"])channeld [a-z0-9-]+`)

// hinted returns a text of this program with the commands in it as they are typed here.
func (a *app) hinted(text string) string { return a.hintedBy(a.called(), text) }

func (a *app) hintedBy(called, text string) string {
	return hint.ReplaceAllStringFunc(text, func(found string) string {
		before, name, _ := strings.Cut(found, "channeld ")
		if strings.HasPrefix(found, `"`) || !slices.Contains(a.names, name) {
			return found
		}
		return before + called + " " + name
	})
}

// called is what the user types for this program and the daemon that --dir names.
func (a *app) called() string {
	if a.root != nil && a.root.PersistentFlags().Changed("dir") {
		return programFor(a.dir)
	}
	return program()
}

// print prints a reply of the daemon: as JSON with --json, else by the given function.
func (a *app) print(m proto.Message, people func()) error {
	if !a.json {
		people()
		return nil
	}
	return a.printJSON(m, "  ")
}

// report prints what a command did without the daemon: as JSON with --json, else as a text.
func (a *app) report(value any, format string, args ...any) error {
	if a.json {
		return json.NewEncoder(escaping{a.Out}).Encode(value)
	}
	a.printf(format, args...)
	return nil
}

// printJSON prints a message as JSON, on one line if there is no indent. Protojson varies its white
// space on purpose, so it is made anew.
func (t *Terminal) printJSON(m proto.Message, indent string) error {
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
	_, err = fmt.Fprintln(escaping{t.Out}, out.String())
	return err
}

// table prints a row of cells for each item, under a head with tabs between its columns, or "none".
func table[T any](w io.Writer, head string, items []T, cells func(T) []any) {
	if len(items) == 0 {
		fmt.Fprintln(w, "none")
		return
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, head)
	for _, x := range items {
		row := cells(x)
		fmt.Fprintf(t, strings.Repeat("%v\t", len(row)-1)+"%v\n", row...)
	}
	t.Flush()
}

// indented returns texts, each on an indented line, fit for a terminal.
func indented(texts []string) string {
	out := ""
	for _, text := range texts {
		out += "  " + clean(text) + "\n"
	}
	return out
}

// short abbreviates an id or address. Commands also take it abbreviated.
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

// picture makes what a game shows fit for the screen: a rule set may put in it what a player chose
// to write.
func (t *Terminal) picture(view string) string {
	return t.looks().paint(t.folded(cleanLines(strings.TrimRight(view, "\n"))))
}

// clean makes text of other players and of games fit for a terminal: nothing that steers it or
// turns the direction of writing, one line.
func clean(text string) string { return tame(text, "") }

// cleanLines is clean for text of several lines, and columns.
func cleanLines(text string) string { return tame(text, "\n\t") }

func tame(text, but string) string {
	return strings.Map(func(r rune) rune {
		if !strings.ContainsRune(but, r) && steers(r) {
			return '?'
		}
		return r
	}, text)
}

// steers reports whether a character steers a terminal, or turns the direction of writing.
func steers(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// escaping writes JSON, a whole value at a time, fit for a terminal too: encoders leave some
// characters that steer one as they are.
type escaping struct{ out io.Writer }

func (e escaping) Write(value []byte) (int, error) {
	var text strings.Builder
	for _, r := range string(value) {
		if r != '\n' && steers(r) { // between values there are new lines
			fmt.Fprintf(&text, `\u%04x`, r)
		} else {
			text.WriteRune(r)
		}
	}
	_, err := io.WriteString(e.out, text.String())
	return len(value), err
}
