package cli

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHints: the commands that a text names are such as are typed here.
func TestHints(t *testing.T) {
	for _, c := range []struct{ dir, want string }{
		{"", "(see: PROGRAM play, or PROGRAM box9 check); channeld plays, channeld 1.0, bin/channeld play"},
		{"my dir", `(see: PROGRAM --dir "my dir" play, or PROGRAM --dir "my dir" box9 check); channeld plays, channeld 1.0, bin/channeld play`},
		{"100%d", `(see: PROGRAM --dir 100%d play, or PROGRAM --dir 100%d box9 check); channeld plays, channeld 1.0, bin/channeld play`},
	} {
		var out, said bytes.Buffer
		a := &app{Terminal: Terminal{Out: &out, Err: &said}}
		if flags := a.commands().PersistentFlags(); c.dir != "" {
			if err := flags.Set("dir", c.dir); err != nil {
				t.Fatal(err)
			}
		}
		const text, theirs = "(see: channeld play, or channeld box9 check); channeld plays, channeld 1.0, bin/channeld play", "channeld withdraw all"
		a.printf(text+"; %s says %s\n", "bob", theirs)
		a.fail(fmt.Errorf("%s; bob says %q", text, theirs))
		a.logger("info").Info("bob says channeld balance", "of", theirs)
		want := strings.ReplaceAll(c.want, "PROGRAM", program())
		if got := out.String(); got != want+"; bob says "+theirs+"\n" {
			t.Errorf("with --dir %q is printed %s", c.dir, got)
		}
		failed, logged, _ := strings.Cut(said.String(), "\n")
		if failed != "channeld: "+want+`; bob says "`+theirs+`"` {
			t.Errorf("with --dir %q it fails by %s", c.dir, failed)
		}
		if hint := strconv.Quote("bob says " + a.hinted("channeld balance")); !strings.Contains(logged, "msg="+hint) || !strings.Contains(logged, `of="`+theirs+`"`) {
			t.Errorf("with --dir %q is logged %s", c.dir, logged)
		}
	}
}

// named is a command in a text, up to two words of it.
var named = regexp.MustCompile(`\bchanneld(?: --json| --dir \S+)* ([a-z][a-z0-9-]*)(?: ([a-z][a-z0-9-]*))?`)

// TestCommandsExist: each command that an error, another text of the program or a page of the docs
// names is there.
func TestCommandsExist(t *testing.T) {
	root := (&app{Terminal: Terminal{Out: io.Discard}}).commands()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("")
	const top = "../../../../"
	found := 0
	check := func(where, text string) {
		for _, words := range named.FindAllStringSubmatch(text, -1) {
			if words[1] == "knows" || words[1] == "plays" {
				continue // a sentence about the program
			}
			found++
			c := under(root, words[1])
			if c == nil || words[2] != "" && c.HasSubCommands() && under(c, words[2]) == nil {
				t.Errorf("%s: there is no %q", where, words[0])
			}
		}
	}
	for _, folder := range []string{"node/api", "node", "chain", "chain/devnet", "games", "cmd/channeld/internal/*"} {
		files, err := filepath.Glob(top + folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				for _, text := range literals(t, file) {
					check(file, text)
				}
			}
		}
	}
	pages := []string{top + "README.md", top + "node/api/faults.txt"}
	for _, of := range []string{"docs/*.md", "docs/games/*.md", "games/*/guide.txt"} {
		more, err := filepath.Glob(top + of)
		if err != nil || more == nil {
			t.Fatal(of, err)
		}
		pages = append(pages, more...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check(page, string(text))
	}
	if found < 200 {
		t.Errorf("only %d commands were found", found)
	}
}

// under returns a command that is under another, nil if there is none.
func under(c *cobra.Command, name string) *cobra.Command {
	list := c.Commands()
	i := slices.IndexFunc(list, func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) })
	if i < 0 {
		return nil
	}
	return list[i]
}

// literals returns the strings in a file of source.
func literals(t *testing.T, path string) (list []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, is := n.(*ast.BasicLit); is && l.Kind == token.STRING {
			text, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, text)
		}
		return true
	})
	return list
}
