package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// TestForeignTextAtTheTerminal: nothing that a peer, a contract, a game or an endpoint of the chain
// says steers the terminal or turns what is beside it round, in errors and JSON neither.
func TestForeignTextAtTheTerminal(t *testing.T) {
	if got := clean("a\x1b[2J\u009b1m\nb\u202ec\u2066d\u200fe\u2028f é"); got != "a?[2J?1m?b?c?d?e?f é" {
		t.Errorf("a line: %q", got)
	}
	if got := indented([]string{"/dns4/a\x1b[2J/tcp/1"}); got != "  /dns4/a?[2J/tcp/1\n" {
		t.Errorf("addresses: %q", got)
	}
	if got := new(Terminal).picture("a\x1b[2J\tb\n\u202ec\n"); got != "a?[2J\tb\n?c" {
		t.Errorf("a board: %q", got)
	}
	var shown bytes.Buffer
	(&remote{app: &app{Terminal: Terminal{Out: &shown}}}).printMatch(&antev1.GetMatchResponse{Match: &antev1.Match{}, Recall: "a fleet\nof two\x1b[2J"})
	if got := shown.String(); !strings.Contains(got, "yours: a fleet\nof two?[2J\n") {
		t.Errorf("a match: %q", got)
	}
	var out bytes.Buffer
	asked := &app{Terminal: Terminal{Out: &out}, json: true}
	if err := errors.Join(asked.printJSON(&antev1.Event{Text: "\x1b\u009b2J\u202e\n"}, "  "), asked.report("\x1b\u009b2J\u202e\n", "")); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, `"\u001b\u009b2J\u202e\n"`) != 2 || strings.ContainsFunc(strings.ReplaceAll(got, "\n", ""), steers) {
		t.Errorf("JSON: %q", got)
	}
	var said bytes.Buffer
	a := &app{Terminal: Terminal{Err: &said}}
	a.fail(errors.Join(errors.New("the endpoint refuses: \x1b[2J\u2066"), errors.New("the other: \x9b1m")))
	a.fail(connect.NewError(connect.CodeFailedPrecondition, errors.New("the contract refuses: \x1b[2J")))
	if got, want := said.String(), "channeld: the endpoint refuses: ?[2J?\nthe other: \ufffd1m\nchanneld: the contract refuses: ?[2J\n"; got != want {
		t.Errorf("errors: %q, want %q", got, want)
	}
}
