package foreign

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Rules that no rules may be like are found by playing them.
func TestTry(t *testing.T) {
	g := connectFour(t)
	fine := Try(g, 20, rand.Reader)
	if fine.Wrong != nil || fine.Matches != 20 || fine.Stuck != 0 || fine.Longest < 7 || fine.Longest > 42 {
		t.Errorf("connect four: %+v", fine)
	}
	short := g
	short.Turns = func([]byte) (uint64, error) { return 6, nil }
	if got := Try(short, 20, rand.Reader); got.Wrong == nil || !strings.Contains(got.Wrong.Error(), "not over after 6 moves") {
		t.Errorf("too few turns stated: %v", got.Wrong)
	}
	patient := g
	patient.Rules = endless{g.Rules}
	if got := Try(patient, 20, rand.Reader); got.Wrong == nil || !strings.Contains(got.Wrong.Error(), "silence has no end") {
		t.Errorf("no expiry: %v", got.Wrong)
	}
	dumb := g
	dumb.Player = speechless{g.Player}
	if got := Try(dumb, 20, rand.Reader); got.Wrong != nil || got.Stuck != 20 {
		t.Errorf("a manifest without moves: %+v", got)
	}
}

type (
	endless    struct{ games.Rules }
	speechless struct{ games.Player }
)

func (endless) Expire(*games.Context, []byte) ([]byte, error)     { return nil, games.ErrIllegal }
func (speechless) Moves(*games.Context, []byte) ([][]byte, error) { return nil, nil }

func TestPins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "games")
	pins := Pins(dir)
	if list, err := pins.List(); err != nil || len(list) != 0 {
		t.Errorf("none: %v, %v", list, err)
	}
	f, err := os.Open(example + "connectfour.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	p := Pin{Manifest: m, Rules: common.Address{1}, ChainID: 7, CodeHash: common.Hash{9}}
	if err := pins.Add(p); err != nil {
		t.Fatal(err)
	}
	other := *m
	other.Name = "other"
	for name, again := range map[string]Pin{"name": {Manifest: m, Rules: common.Address{2}}, "address": {Manifest: &other, Rules: p.Rules}} {
		if err := pins.Add(again); !errors.Is(err, ErrPinned) {
			t.Errorf("the same %s again: %v", name, err)
		}
	}
	list, err := pins.List()
	if err != nil || len(list) != 1 || list[0].CodeHash != p.CodeHash || list[0].Rules != p.Rules || list[0].Manifest.Turns != 42 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, name := range []string{"../x", "", "other"} {
		if err := pins.Remove(name); err == nil {
			t.Errorf("removed %q", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "evil.json"), []byte(`{"manifest":{"name":"mastermind"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pins.List(); !errors.Is(err, ErrManifest) {
		t.Errorf("a file under another name: %v", err)
	}
	if err := pins.Remove("evil"); err != nil {
		t.Error(err)
	}
	if err := pins.Remove("connect-four"); err != nil {
		t.Error(err)
	}
}
