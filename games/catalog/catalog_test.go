package catalog

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/games/evm"
)

// Every game can be found, says how it is played, has sane defaults, and brings a contract that
// deploys.
func TestStandard(t *testing.T) {
	for _, g := range Standard() {
		found, err := Standard().Find(g.Name)
		if err != nil || found.Summary != g.Summary || g.Name != strings.ToLower(g.Name) {
			t.Errorf("%s: found %q, %v", g.Name, found.Summary, err)
		}
		if !strings.Contains(g.Guide, "\n\nScoring") || !strings.Contains(g.Guide, "\n\nType ") && !strings.Contains(g.Guide, "\n\nPlace ") {
			t.Errorf("%s: its guide doesn't say how it is scored, or what to type:\n%s", g.Name, g.Guide)
		}
		params, err := g.Params.Encode(nil)
		if err != nil {
			t.Fatalf("%s: defaults: %v", g.Name, err)
		}
		object, err := g.Params.Decode(params)
		if err != nil {
			t.Fatalf("%s: decode defaults: %v", g.Name, err)
		}
		if again, err := g.Params.Encode(object); err != nil || string(again) != string(params) {
			t.Errorf("%s: %x comes back as %x, %v", g.Name, params, again, err)
		}
		if turns, err := g.Turns(params); turns == 0 || err != nil {
			t.Errorf("%s: %d turns, %v", g.Name, turns, err)
		}
		if _, err := evm.Deploy(g.Contract); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
}
