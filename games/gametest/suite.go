// Package gametest is the conformance kit for rule sets: it plays a game's Go rules and its
// contract side by side and compares every byte.
//
// A game's own test makes one call:
//
//	func TestConformance(t *testing.T) { gametest.Suite{Game: mygame.Game()}.Run(t) }
//
// The contract may use no instruction that reads more than its input, unless the chain moves in the
// game. In random matches, at every position: both engines must answer every call alike (start,
// mover, play, expire, outcome), refuse the same illegal moves, garbage moves and garbage states,
// and never panic or change their arguments; every position that is not over can be expired, and
// again until the match is over; every match is over within the game's stated turns; payouts sum to
// the stakes; no call takes more gas than stated. The same holds with each parameter at either end
// of its range.
//
// The player sides then play whole matches, restored from their stored secrets before every move:
// honest ones are never convicted, and nothing that anybody is shown (state, move, its description,
// any seat's view as text and as JSON, what it is asked or told) holds a salt or secret that is not
// opened yet, or depends on what that seat hides; nor do the moves that commit tell the secret.
// What they commit to is the vault's commitment, and an opening with one wrong bit is refused, or
// convicts.
//
// Nothing hangs: matches are cut off after the game's stated turns, and rules or players that don't
// come back end the test with a panic that names the call.
//
// Finally seats cheat, one at a time: they fall silent, copy commitments, commit to rubbish, open
// early or wrongly, or do what the game's own Liars do, at every phase. The kit compares the same
// match played honestly: the cheat must not pay better. Lies that the game can prove must convict
// the liar and nobody else.
//
// A failure names the call and its bytes, and the seed and number of its match: -gametest.seed and
// -gametest.match run that match alone.
package gametest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	seedFlag  = flag.Uint64("gametest.seed", 1, "seed of the conformance kit's matches")
	matchFlag = flag.Int("gametest.match", -1, "play only this match of the conformance kit")
	// A long run over all games: make conformance.
	transitionsFlag = flag.Int("gametest.transitions", 0, "compare this many transitions of each game, whatever its suite says")
	updateFlag      = flag.Bool("gametest.update", false, "write the games' parts of the page on cheating anew")
)

// Suite is a game under test.
type Suite struct {
	// Game has Rules, Contract, Params, Turns and Player; Liars if it leaves room for lies.
	Game games.Game
	// Params are the parameters of matches, in turn; the game's defaults if empty.
	Params [][]byte
	// Transitions is the least number of accepted calls of start, play and expire to compare;
	// 100,000 if zero; a twentieth under go test -short, but at least 300. The kit compares up to
	// ten times as many until each of Reasons has occurred, and refused calls in addition.
	Transitions int
	// Gas is the ceiling for any call of the contract (evm.Position.Gas).
	Gas uint64
	// Stakes returns stakes that a match with these parameters can start with, one for each seat.
	// Nil: what Game.Stakes asks for at least, and often more.
	Stakes func(r *rand.Rand, params []byte) []uint256.Int
	// Odd may return legal moves that no honest player makes (nil: none here), for endings that are
	// not reached otherwise.
	Odd func(r *rand.Rand, t games.Table) (*games.Decision, error)
	// Choose makes a random legal move where people choose, quickly; if nil, or if it returns nil,
	// the list of legal moves is drawn from, and where there is none the bot plays.
	Choose func(r *rand.Rand, t games.Table) (*games.Decision, error)
	// Noted makes up what the contract has noted somewhere before a block, zero if nothing. Nil: it
	// never notes anything.
	Noted func(r *rand.Rand) common.Hash
	// Allowed says, by "phase/cheat", why a way to cheat (Cheats) may pay better than playing on:
	// who gives up may keep what it would have had to pay for more moves, and another secret of
	// pure entropy is another hand, which may be the better one by luck.
	Allowed map[string]string
	// Page is a file of Markdown that holds what came of cheating at the game; -gametest.update
	// writes it. Empty: none.
	Page string
	// Derived says that a move commits to something else than the vault's commitment, derived from
	// its salt (such as a tree's root), so that the kit can't recompute it.
	Derived bool
	// Reasons are the reasons of outcomes that must occur in the random matches; "" is an end
	// without one.
	Reasons []string
}

// Run is the whole kit, as subtests, the quickest first. With go test -v each says how long it
// took. Meanwhile the process collects garbage less often, for the kit keeps a few megabytes only.
func (s Suite) Run(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, part := range []struct {
		name string
		run  func(testing.TB)
	}{
		{"code", s.code}, {"starts", s.starts}, {"fair", s.fair}, {"extremes", s.extremes}, {"honest", s.honest}, {"liars", s.liars},
		{"engines", s.engines}, {"cheats", func(t testing.TB) {
			if rows := s.Cheats(t); !testing.Short() {
				s.page(t, rows)
			}
		}},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t) })
	}
}

func (s Suite) engines(t testing.TB) {
	p := s.pair(t)
	want := cmp.Or(s.Transitions, 100_000)
	if testing.Short() {
		want = max(want/20, min(want, 300))
	}
	if *transitionsFlag > 0 {
		want = *transitionsFlag
	}
	reasons := make(map[string]int)
	missing := func() bool { return slices.ContainsFunc(s.Reasons, func(r string) bool { return reasons[r] == 0 }) }
	matches := 0
	for i := range s.matches() {
		if p.transitions >= want && *matchFlag < 0 && (!missing() || p.transitions >= 10*want) {
			break
		}
		m := s.newMatch(t, p, i)
		m.play()
		reasons[m.reason]++
		matches++
	}
	t.Logf("%d matches, %d transitions, %d calls refused alike, most gas by call: %v, endings: %v",
		matches, p.transitions, p.refused, p.gas, reasons)
	if *matchFlag >= 0 {
		return
	}
	for _, r := range s.Reasons {
		if reasons[r] == 0 {
			t.Errorf("no match ended with reason %q, only %q; honest players never reach a conviction: let Suite.Odd make the moves that lead to it", r, slices.Collect(maps.Keys(reasons)))
		}
	}
}

// matches yields the numbers of the matches to play.
func (s Suite) matches() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if *matchFlag >= 0 {
			yield(*matchFlag)
			return
		}
		for i := 0; yield(i); i++ {
		}
	}
}

func (s Suite) pair(t testing.TB) *pair {
	t.Helper()
	contract, err := evm.Deploy(s.Game.Contract)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{t: t, native: s.Game.Rules, contract: contract, ceiling: s.Gas, gas: make(map[string]uint64)}
	p.hanging = time.AfterFunc(longest, func() {
		panic(fmt.Sprintf("gametest: %s%s: for %v nothing came back from the rules or the player side; the last call was %v", p.where, s.Game.Name, longest, p.last.Load()))
	})
	t.Cleanup(func() { p.hanging.Stop() })
	return p
}

func (s Suite) params(t testing.TB, i int) []byte {
	t.Helper()
	if len(s.Params) > 0 {
		return s.Params[i%len(s.Params)]
	}
	params, err := s.Game.Params.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	return params
}
