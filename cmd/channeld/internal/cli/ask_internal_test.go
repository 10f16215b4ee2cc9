package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// answering is a terminal at which somebody has typed an answer.
func answering(t *testing.T, text string) (*app, *bytes.Buffer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "typed")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	var said bytes.Buffer
	return &app{Terminal: Terminal{In: in, Err: &said}}, &said
}

// What is approved is what was shown: a proposal that took another's place is shown itself, with
// game, parameters and stakes, or refused where the version says what was meant.
func TestAttack_BaitAndSwitch(t *testing.T) {
	p := &antev1.Proposal{ChannelId: "0x3f8a", Version: 4, From: 1, Matches: []*antev1.ProposedMatch{
		{Game: "battleships", ParamsJson: `{"size":8}`, Stakes: []string{"400000000000000000", "400000000000000000"}},
	}}
	for _, c := range []struct {
		typed   string
		version uint64
		yes, ok bool
	}{{"", 0, false, false}, {"n\n", 0, false, false}, {"y\n", 0, false, true}, {"", 2, false, false}, {"", 2, true, false}, {"", 4, false, true}, {"", 0, true, true}} {
		a, said := answering(t, c.typed)
		api := &remote{app: a, known: map[string]wei.Unit{"": {}}}
		if err := api.reviewProposal(p, c.version, c.yes); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		asked := !c.yes && c.version == 0
		for _, part := range []string{"battleships", `{"size":8}`, "0.4 eth / 0.4 eth"} {
			if strings.Contains(said.String(), part) != asked {
				t.Errorf("%+v: %q is said", c, said)
			}
		}
	}
}
