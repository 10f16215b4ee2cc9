package gametest

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// salted commits under a salt that is not the vault's.
type salted struct{ games.Player }

func (p salted) Auto(t games.Table) (*games.Decision, error) { return resalted(p.Player.Auto(t)) }
func (p salted) Bot(t games.Table) (*games.Decision, error)  { return resalted(p.Player.Bot(t)) }

func resalted(d *games.Decision, err error) (*games.Decision, error) {
	if d != nil && len(d.Move) == 32 {
		d.Move = crypto.Keccak256(d.Move)
	}
	return d, err
}

// TestSuite_Ends: matches that go on for longer than stated are cut off in every part, commitments
// of other salts are found, and so is code that sees more than it is given.
func TestSuite_Ends(t *testing.T) {
	long := suite()
	long.Game.Turns = func([]byte) (uint64, error) { return 3, nil }
	if got := failure(t, long.honest); !strings.Contains(got, "not over after 4 turns of honest players") {
		t.Errorf("honest: %q", got)
	}
	if got := failure(t, long.extremes); !strings.Contains(got, "not over after 3 turns") {
		t.Errorf("extremes: %q", got)
	}
	long.Game.Turns = func([]byte) (uint64, error) { return 0, nil }
	if got := failure(t, func(t testing.TB) { long.Cheats(t) }); !strings.Contains(got, "turns and expiries") {
		t.Errorf("cheats: %q", got)
	}
	own := suite()
	own.Game.Player = salted{own.Game.Player}
	if got := failure(t, own.honest); !strings.Contains(got, "doesn't hold the commitment that the vault made") {
		t.Errorf("a salt of its own: %q", got)
	}
	timed := suite()
	timed.Game.Contract = common.FromHex("0x6002600c60003960026000f3" + "4200") // TIMESTAMP, STOP
	if got := failure(t, timed.code); !strings.Contains(got, "TIMESTAMP") {
		t.Errorf("code that reads the time: %q", got)
	}
}
