// Package bugs puts bugs into a game, one at a time, as a developer might, and sees the conformance
// kit find each: the whole kit, run as a game's own test runs it.
package bugs

import (
	"bytes"
	"embed"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/ante-games/ante/examples/roshambo"
	"github.com/ante-games/ante/examples/tictactoe"
)

// contracts are Roshambo.sol with one bug each; compile.mjs says which.
//
//go:embed testdata
var contracts embed.FS

var bugFlag = flag.String("bug", "", "run the kit on the game with this bug")

// bug is a game with something wrong, and what the kit says of it.
type bug struct {
	want string
	game func(*testing.T) games.Game
}

var bugs = map[string]bug{
	"none":         {"", with(nil, nil)},
	"other engine": {"", both("", nil)},

	// Solidity that sees what it is not given.
	"block.timestamp": {"rules may not use TIMESTAMP", contract("time")},
	"gasleft":         {"rules may not use GAS", contract("gas")},
	"storage":         {"rules may not use SLOAD", contract("storage")},

	// Both languages agree, and are wrong.
	"a state over the cap at an extreme":       {"no match starts with", large},
	"a match that never ends":                  {"not over after 5 turns of honest players", both("endless", nil)},
	"payouts that don't sum up":                {"has no outcome", both("fee", nil)},
	"silence wins":                             {`"falls silent" in phase`, both("silence", nil)},
	"stakes that overflow":                     {"is over, but has no outcome", both("overflow", nil)},
	"a lie without a verdict":                  {"lied: true, but guilty is 0", both("unpunished", nil)},
	"a verdict on the other seat":              {"but guilty is", both("framed", nil)},
	"a commitment that isn't bound to a seat":  {"doesn't hold the commitment that the vault made", both("seat", unbound(func(s *commit.Scope) { s.Seat = 0 }))},
	"a commitment that isn't bound to a match": {"doesn't hold the commitment that the vault made", both("match", unbound(func(s *commit.Scope) { s.MatchID = common.Hash{} }))},

	// The languages differ.
	"a winner off by one":                   {"the engines differ", contract("winner")},
	"the mover that play returns":           {"(error <nil>)\n        is the .bin newer than the .sol?", contract("next")},
	"a check that is off by one":            {"the engines differ", contract("edge")},
	"only the last byte of a secret":        {"only one engine refuses", word},
	"the wrong mover":                       {"the engines differ: Go says seat", with(func(r *rules) { r.mover = lateMover }, nil)},
	"a move out of turn":                    {"only one engine refuses", with(func(r *rules) { r.play = recommit }, nil)},
	"bytes behind a move":                   {"only one engine refuses", with(func(r *rules) { r.play = trailing }, nil)},
	"an order that no two runs share":       {"the engines differ", unordered},
	"an error that another package can see": {"does not wrap games.ErrIllegal", with(func(r *rules) { r.play = vague }, nil)},

	// The player side.
	"salts that repeat":         {"under a salt that was used before", with(nil, func(p *player) { p.table = func(t *games.Table) { t.Random = stuck{} } })},
	"a bot's illegal move":      {"illegal", with(nil, func(p *player) { p.bot = short })},
	"a view that tells":         {"depends on its secrets", with(nil, func(p *player) { p.view = telling })},
	"moves that are not legal":  {"illegal move", listing},
	"a description of no moves": {"can't be described", with(nil, func(p *player) { p.describe = games.ErrIllegal })},
}

// TestKit_Finds runs the kit on each bug, in a process of its own, where it has a minute.
func TestKit_Finds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range bugs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := exec.Command(self, "-test.run=^TestBug$", "-test.v", "-test.short", "-test.failfast", "-test.timeout=60s", "-bug="+name).CombinedOutput() //nolint:gosec // itself
			said := string(out)
			switch {
			case b.want == "" && err != nil:
				t.Errorf("the kit finds what isn't there: %v\n%s", err, said)
			case b.want != "" && (err == nil || !strings.Contains(said, b.want) || strings.Contains(said, "panic: ")):
				t.Errorf("the kit doesn't say %q: %v\n%s", b.want, err, said)
			}
			for line := range strings.Lines(said) {
				if part, failed := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: TestBug/"); failed {
					t.Logf("found by %s", strings.TrimSpace(part))
				}
			}
		})
	}
}

// TestBug is the test of the game with one bug.
func TestBug(t *testing.T) {
	if *bugFlag == "" {
		t.Skip("run by TestKit_Finds")
	}
	b, known := bugs[*bugFlag]
	if !known {
		t.Fatalf("there is no bug %q", *bugFlag)
	}
	gametest.Suite{Game: b.game(t), Transitions: 20_000, Reasons: []string{"", "silence"}}.Run(t)
}

// with is roshambo with other Go rules, or another player side.
func with(r func(*rules), p func(*player)) func(*testing.T) games.Game {
	return func(*testing.T) games.Game {
		g := roshambo.Game()
		if r != nil {
			mine := &rules{Rules: g.Rules}
			r(mine)
			g.Rules = mine
		}
		if p != nil {
			mine := &player{Player: g.Player}
			p(mine)
			g.Player = mine
		}
		return g
	}
}

// contract is roshambo with a bug in the contract alone.
func contract(name string) func(*testing.T) games.Game {
	return func(t *testing.T) games.Game {
		g := roshambo.Game()
		if name == "" {
			return g
		}
		b, err := contracts.ReadFile("testdata/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		g.Contract = common.FromHex(strings.TrimSpace(string(b)))
		return g
	}
}

// both is roshambo with a contract's bug in the rules of both languages: Go runs the contract.
func both(name string, p func(*player)) func(*testing.T) games.Game {
	return func(t *testing.T) games.Game {
		g := contract(name)(t)
		c, err := evm.Deploy(g.Contract)
		if err != nil {
			t.Fatal(err)
		}
		g.Rules = c.Rules()
		if p != nil {
			mine := &player{Player: g.Player}
			p(mine)
			g.Player = mine
		}
		return g
	}
}

// rules are roshambo's with something wrong; what is nil is right.
type rules struct {
	games.Rules
	mover   func(state []byte, seat uint8) uint8
	play    func(r games.Rules, c *games.Context, state, move []byte) ([]byte, error)
	outcome func(o *games.Outcome, stakes []uint256.Int)
}

func (r *rules) Mover(state []byte) (uint8, error) {
	seat, err := r.Rules.Mover(state)
	if err == nil && r.mover != nil {
		seat = r.mover(state, seat)
	}
	return seat, err
}

func (r *rules) Play(c *games.Context, state, move []byte) ([]byte, error) {
	if r.play != nil {
		return r.play(r.Rules, c, state, move)
	}
	return r.Rules.Play(c, state, move)
}

func (r *rules) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	o, err := r.Rules.Outcome(state, stakes)
	if err == nil && r.outcome != nil {
		r.outcome(&o, stakes)
	}
	return o, err
}

// Phases and sizes of roshambo.
const (
	opening  = 2
	stateLen = 67
	openLen  = 33
)

// lateMover has seat 1 open first.
func lateMover(state []byte, seat uint8) uint8 {
	if state[0] == opening {
		return 1
	}
	return seat
}

// recommit takes another commitment where an opening is due.
func recommit(r games.Rules, c *games.Context, state, move []byte) ([]byte, error) {
	if len(state) == stateLen && len(move) == 32 && (state[0] == opening || state[0] == opening+1) {
		earlier := bytes.Clone(state)
		earlier[0] -= opening
		next, err := r.Play(c, earlier, move)
		if err == nil {
			next[0] += opening
		}
		return next, err
	}
	return r.Play(c, state, move)
}

// trailing reads as much of a move as it needs.
func trailing(r games.Rules, c *games.Context, state, move []byte) ([]byte, error) {
	return r.Play(c, state, move[:min(len(move), openLen)])
}

// vague forgets what kind of error it is.
func vague(r games.Rules, c *games.Context, state, move []byte) ([]byte, error) {
	next, err := r.Play(c, state, move)
	if err != nil {
		err = os.ErrInvalid
	}
	return next, err
}

// unordered gives the odd wei of a draw to whichever seat a map has first, instead of seat 0.
func unordered(t *testing.T) games.Game {
	g := contract("remainder")(t)
	g.Rules = &rules{Rules: g.Rules, outcome: func(o *games.Outcome, stakes []uint256.Int) {
		draw := !o.Payouts[0].IsZero() && !o.Payouts[1].IsZero()
		pot, err := games.Pot(stakes)
		if !draw || err != nil {
			return
		}
		half := new(uint256.Int).Rsh(pot, 1)
		for seat := range map[int]bool{0: true, 1: true} {
			o.Payouts[1-seat] = *half
			o.Payouts[seat].Sub(pot, half)
			break
		}
	}}
	return g
}

// player is roshambo's player side with something wrong; what is nil is right.
type player struct {
	games.Player
	table    func(*games.Table)
	decide   func(games.Table, *games.Decision)
	bot      func(*games.Decision)
	view     func(p games.Player, t games.Table, v games.View) games.View
	describe error
}

func (p *player) Auto(t games.Table) (*games.Decision, error) {
	return p.decided(t, p.Player.Auto)
}

func (p *player) Choose(t games.Table, text string) (*games.Decision, error) {
	return p.decided(t, func(t games.Table) (*games.Decision, error) { return p.Player.Choose(t, text) })
}

func (p *player) Bot(t games.Table) (*games.Decision, error) {
	d, err := p.decided(t, p.Player.Bot)
	if d != nil && p.bot != nil {
		p.bot(d)
	}
	return d, err
}

func (p *player) decided(t games.Table, choose func(games.Table) (*games.Decision, error)) (*games.Decision, error) {
	if p.table != nil {
		p.table(&t)
	}
	d, err := choose(t)
	if d != nil && p.decide != nil {
		p.decide(t, d)
	}
	return d, err
}

func (p *player) View(t games.Table) (games.View, error) {
	v, err := p.Player.View(t)
	if err == nil && p.view != nil {
		v = p.view(p.Player, t, v)
	}
	return v, err
}

func (p *player) Describe(c *games.Context, state, move []byte) (string, error) {
	if p.describe != nil {
		return "", p.describe
	}
	return p.Player.Describe(c, state, move)
}

// unbound commits by a hash of its own, to which less is bound than to the vault's.
func unbound(change func(*commit.Scope)) func(*player) {
	return func(p *player) {
		p.decide = func(t games.Table, d *games.Decision) {
			if list, err := d.Secrets.Openings(t.Context.MatchID, t.Seat); err == nil && len(d.Move) == 32 {
				o := list[len(list)-1]
				change(&o.Scope)
				hash := o.Scope.Hash(o.Secret, o.Salt)
				d.Move = hash[:]
			}
		}
	}
}

// stuck is a source of randomness that always reads the same.
type stuck struct{}

func (stuck) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(i)
	}
	return len(b), nil
}

func short(d *games.Decision) { d.Move = d.Move[:len(d.Move)-1] }

// telling shows a seat its own hand, where it may be logged.
func telling(p games.Player, t games.Table, _ games.View) games.View {
	s, _ := p.Recall(t)
	return text(s)
}

type text string

func (t text) String() string { return string(t) }

// word opens with a secret of 32 bytes, of which Go reads the last one.
func word(t *testing.T) games.Game {
	g := contract("word")(t)
	g.Rules = &rules{Rules: g.Rules, play: func(r games.Rules, c *games.Context, state, move []byte) ([]byte, error) {
		switch len(move) {
		case 64:
			return r.Play(c, state, move[31:])
		case openLen:
			return nil, games.ErrIllegal
		}
		return r.Play(c, state, move)
	}}
	g.Player = wide{g.Player}
	for i, l := range g.Liars {
		g.Liars[i].Player = func(round uint32) games.Player { return wide{l.Player(round)} }
	}
	return g
}

// wide is a player side whose openings hold a secret of 32 bytes.
type wide struct{ games.Player }

func (w wide) Auto(t games.Table) (*games.Decision, error) { return widen(w.Player.Auto(t)) }
func (w wide) Bot(t games.Table) (*games.Decision, error)  { return widen(w.Player.Bot(t)) }

func (w wide) Describe(c *games.Context, state, move []byte) (string, error) {
	if len(move) == 64 {
		move = move[31:]
	}
	return w.Player.Describe(c, state, move)
}

func widen(d *games.Decision, err error) (*games.Decision, error) {
	if d != nil && len(d.Move) == openLen {
		d.Move = append(make([]byte, 31), d.Move...)
	}
	return d, err
}

// large has states that grow with a parameter, beyond what there may be.
func large(t *testing.T) games.Game {
	g := both("large", nil)(t)
	g.Params = games.Numbers{{Name: "pad", Help: "bytes that nobody needs", Bytes: 2, Max: 5000}}
	g.Stakes = func([]byte) ([]uint256.Int, error) { return make([]uint256.Int, 2), nil }
	g.Player = padded{g.Player}
	g.Liars = nil
	return g
}

// padded is a player side that looks at the beginning of a state.
type padded struct{ games.Player }

func (padded) cut(t games.Table) games.Table {
	c := *t.Context
	c.Params = nil
	t.Context, t.State = &c, t.State[:stateLen]
	return t
}

func (p padded) Auto(t games.Table) (*games.Decision, error) { return p.Player.Auto(p.cut(t)) }
func (p padded) Bot(t games.Table) (*games.Decision, error)  { return p.Player.Bot(p.cut(t)) }
func (p padded) Ask(t games.Table) (string, error)           { return p.Player.Ask(p.cut(t)) }

func (padded) Moves(*games.Context, []byte) ([][]byte, error) { return nil, nil }

// listing is tictactoe whose player side lists cells that are taken.
func listing(*testing.T) games.Game {
	g := tictactoe.Game()
	g.Player = everything{g.Player}
	return g
}

type everything struct{ games.Player }

func (everything) Moves(*games.Context, []byte) (list [][]byte, err error) {
	for cell := range byte(9) {
		list = append(list, []byte{cell})
	}
	return list, nil
}

var _ json.Marshaler = text("")

// MarshalJSON implements json.Marshaler.
func (t text) MarshalJSON() ([]byte, error) { return json.Marshal(string(t)) }
