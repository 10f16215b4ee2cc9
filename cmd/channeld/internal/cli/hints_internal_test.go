package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestHints: the commands that a text names are such as are typed here.
func TestHints(t *testing.T) {
	for _, c := range []struct{ dir, want string }{
		{"", "(see: PROGRAM play, or PROGRAM box9 check); channeld plays, channeld 1.0, bin/channeld play"},
		{"my dir", `(see: PROGRAM --dir "my dir" play, or PROGRAM --dir "my dir" box9 check); channeld plays, channeld 1.0, bin/channeld play`},
	} {
		var out, said bytes.Buffer
		a := &app{Terminal: Terminal{Out: &out, Err: &said}}
		if flags := a.commands().PersistentFlags(); c.dir != "" {
			if err := flags.Set("dir", c.dir); err != nil {
				t.Fatal(err)
			}
		}
		const text = "(see: channeld play, or channeld box9 check); channeld plays, channeld 1.0, bin/channeld play"
		a.printf("%s\n", text)
		a.fail(errors.New(text))
		want := strings.ReplaceAll(c.want, "PROGRAM", program()) + "\n"
		if out.String() != want || said.String() != "channeld: "+want {
			t.Errorf("with --dir %q: %s%s", c.dir, &out, &said)
		}
	}
}
