package gametest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/holiman/uint256"
)

// TestMain collects garbage as often as Suite.Run does, whose parts are run here one by one.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// broken is Mastermind with something wrong in its Go rules; what is nil is right.
type broken struct {
	games.Rules
	mover   func(state []byte, seat uint8, err error) (uint8, error)
	play    func(c *games.Context, state, move, next []byte, err error) ([]byte, error)
	expire  func(state, next []byte, err error) ([]byte, error)
	outcome func(o games.Outcome, err error) (games.Outcome, error)
}

func (b broken) Mover(state []byte) (uint8, error) {
	seat, err := b.Rules.Mover(state)
	if b.mover != nil {
		return b.mover(state, seat, err)
	}
	return seat, err
}

func (b broken) Play(c *games.Context, state, move []byte) ([]byte, error) {
	next, err := b.Rules.Play(c, state, move)
	if b.play != nil {
		return b.play(c, state, move, next, err)
	}
	return next, err
}

func (b broken) Expire(c *games.Context, state []byte) ([]byte, error) {
	next, err := b.Rules.Expire(c, state)
	if b.expire != nil {
		return b.expire(state, next, err)
	}
	return next, err
}

func (b broken) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	o, err := b.Rules.Outcome(state, stakes)
	if b.outcome != nil {
		return b.outcome(o, err)
	}
	return o, err
}

// recorder is a test that is expected to fail.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, a ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, a...))
}

func (r *recorder) Fatalf(format string, a ...any) {
	r.Errorf(format, a...)
	runtime.Goexit()
}

func (r *recorder) Fatal(a ...any) { r.Fatalf("%s", fmt.Sprint(a...)) }

// failure runs a part of the kit, and returns what it says first; empty if it passes.
func failure(t *testing.T, part func(testing.TB)) string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		part(r)
	}()
	<-done
	if len(r.failures) == 0 {
		return ""
	}
	return r.failures[0]
}

func suite() Suite {
	g := mastermind.Game()
	g.Liars = g.Liars[:2] // by default nobody can dispute
	return Suite{Game: g, Transitions: 3000, Gas: 20_000}
}

// The kit passes rules that are right, and finds each way in which they may be wrong.
func TestSuite_Finds(t *testing.T) {
	odd := errors.New("something else")
	last := func(b []byte, f func(byte) byte) []byte {
		b = bytes.Clone(b)
		b[len(b)-1] = f(b[len(b)-1])
		return b
	}
	for name, test := range map[string]struct {
		want   string
		change func(s *Suite, r *broken)
	}{
		"nothing": {"", func(*Suite, *broken) {}},
		"another state": {"is the .bin newer than the .sol?", func(_ *Suite, r *broken) {
			r.play = func(_ *games.Context, _, _, next []byte, err error) ([]byte, error) {
				if err == nil && len(next) == 8 {
					next = last(next, func(b byte) byte { return b ^ 1 })
				}
				return next, err
			}
		}},
		"an illegal move accepted": {"is the .bin newer than the .sol?", func(_ *Suite, r *broken) {
			r.play = func(c *games.Context, state, move, next []byte, err error) ([]byte, error) {
				if err != nil && len(move) == 3 {
					return r.Rules.Play(c, state, move[:2])
				}
				return next, err
			}
		}},
		"a legal move refused": {"only one engine refuses", func(_ *Suite, r *broken) {
			r.play = func(_ *games.Context, _, move, next []byte, err error) ([]byte, error) {
				if len(move) == 34 {
					return nil, games.ErrIllegal
				}
				return next, err
			}
		}},
		"an error of another kind": {"does not wrap games.ErrIllegal", func(_ *Suite, r *broken) {
			r.play = func(_ *games.Context, _, _, next []byte, err error) ([]byte, error) {
				if err != nil {
					err = odd
				}
				return next, err
			}
		}},
		"a panic": {"Go panics", func(_ *Suite, r *broken) {
			r.play = func(_ *games.Context, _, move, next []byte, err error) ([]byte, error) {
				_ = move[0]
				return next, err
			}
		}},
		"arguments changed": {"Go changed its arguments", func(_ *Suite, r *broken) {
			r.play = func(_ *games.Context, state, _, next []byte, err error) ([]byte, error) {
				if len(state) > 50 {
					state[50]++
				}
				return next, err
			}
		}},
		"another mover": {"the engines differ", func(_ *Suite, r *broken) {
			r.mover = func(state []byte, seat uint8, err error) (uint8, error) {
				if err == nil && state[0] == byte(mastermind.Revealing) {
					seat = 1 - seat
				}
				return seat, err
			}
		}},
		"no expiry": {"only one engine refuses", func(_ *Suite, r *broken) {
			r.expire = func(state, next []byte, err error) ([]byte, error) {
				if len(state) == 40 {
					return nil, games.ErrIllegal
				}
				return next, err
			}
		}},
		"another verdict": {"the engines differ", func(_ *Suite, r *broken) {
			r.outcome = func(o games.Outcome, err error) (games.Outcome, error) {
				o.Guilty ^= o.Guilty & 1
				return o, err
			}
		}},
		"another payout": {"the engines differ", func(_ *Suite, r *broken) {
			r.outcome = func(o games.Outcome, err error) (games.Outcome, error) {
				if err == nil && o.Guilty == 0 {
					o.Payouts[0], o.Payouts[1] = o.Payouts[1], o.Payouts[0]
				}
				return o, err
			}
		}},
		"another reason": {"the engines differ", func(_ *Suite, r *broken) {
			r.outcome = func(o games.Outcome, err error) (games.Outcome, error) {
				o.Reason[0] ^= 1
				return o, err
			}
		}},
		"too few turns stated": {"not over after 106 turns", func(s *Suite, _ *broken) {
			s.Transitions = 20_000
			s.Game.Turns = func([]byte) (uint64, error) { return 106, nil }
		}},
		"too much gas":       {"at most 2000 are allowed", func(s *Suite, _ *broken) { s.Gas = 2000 }},
		"no such ending":     {`no match ended with reason "boredom"`, func(s *Suite, _ *broken) { s.Transitions, s.Reasons = 300, []string{"boredom"} }},
		"illegal parameters": {"start", func(s *Suite, _ *broken) { s.Params = [][]byte{{4, 6, 0, 12, 6, 0}} }},
		"no contract":        {"deploy rules", func(s *Suite, _ *broken) { s.Game.Contract = []byte{0xfe} }},
		"an illegal player":  {"illegal", func(s *Suite, _ *broken) { s.Game.Player = replier{s.Game.Player} }},
		"nothing asked":      {"has to choose: it is asked nothing", func(s *Suite, _ *broken) { s.Game.Player = silent{s.Game.Player} }},
	} {
		t.Run(name, func(t *testing.T) {
			s := suite()
			r := &broken{Rules: s.Game.Rules}
			test.change(&s, r)
			s.Game.Rules = r
			got := failure(t, s.engines)
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("the kit says %q, want %q", got, test.want)
			}
		})
	}
}

// replier answers every guess with what no guess can be answered.
type replier struct{ games.Player }

func (r replier) Auto(t games.Table) (*games.Decision, error) {
	d, err := r.Player.Auto(t)
	if d != nil && len(d.Move) == 1 && t.State[0] == byte(mastermind.Answering) {
		d.Move = []byte{0x13}
	}
	return d, err
}

// silent never asks for a move.
type silent struct{ games.Player }

func (silent) Ask(games.Table) (string, error) { return "", nil }

// forgetful stores nothing.
type forgetful struct{ games.Player }

func (f forgetful) Choose(t games.Table, text string) (*games.Decision, error) {
	return forget(f.Player.Choose(t, text))
}
func (f forgetful) Auto(t games.Table) (*games.Decision, error) { return forget(f.Player.Auto(t)) }
func (f forgetful) Bot(t games.Table) (*games.Decision, error)  { return forget(f.Player.Bot(t)) }

func forget(d *games.Decision, err error) (*games.Decision, error) {
	if d != nil {
		d.Secrets = commit.Secrets{}
	}
	return d, err
}

func TestSuite_FindsInPlayers(t *testing.T) {
	right := suite()
	for name, part := range map[string]func(testing.TB){"starts": right.starts, "liars": right.liars} {
		if got := failure(t, part); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	lying := suite()
	lying.Game.Player = lying.Game.Liars[0].Player(2)
	if got := failure(t, lying.honest); !strings.Contains(got, "honest players ended with guilty") {
		t.Errorf("a player that lies: %q", got)
	}
	lost := suite()
	lost.Game.Player = forgetful{lost.Game.Player}
	if got := failure(t, lost.honest); !strings.Contains(got, "secret not in this store") {
		t.Errorf("a player that loses its secrets: %q", got)
	}
	tame := suite()
	tame.Game.Liars = []games.Liar{{Name: "tame", Player: func(uint32) games.Player { return tame.Game.Player }}}
	if got := failure(t, tame.liars); !strings.Contains(got, `"tame": no liar ever lied`) {
		t.Errorf("a liar that does not: %q", got)
	}
	spared := suite()
	spared.Game.Params = disputed{spared.Game.Params}
	spared.Choose = pass
	if got := failure(t, spared.liars); !strings.Contains(got, "lied: true, but guilty is 0") {
		t.Errorf("a liar that is not caught: %q", got)
	}
	anywhere := suite()
	anywhere.Game.Rules = anyStart{anywhere.Game.Rules}
	if got := failure(t, anywhere.starts); !strings.Contains(got, "only one engine refuses") {
		t.Errorf("rules that start with any stakes: %q", got)
	}
}

// disputed plays with disputes by default.
type (
	disputed struct{ games.Params }
	anyStart struct{ games.Rules }
)

func (disputed) Encode(json.RawMessage) ([]byte, error) { return []byte{4, 6, 4, 12, 6, 1}, nil }

// pass disputes nothing.
func pass(_ *rand.Rand, t games.Table) (*games.Decision, error) {
	if t.State[0] != byte(mastermind.Disputing) {
		return nil, nil
	}
	return &games.Decision{Move: make([]byte, 4), Secrets: t.Secrets}, nil
}

func (a anyStart) Start(c *games.Context) ([]byte, error) {
	if _, err := a.Rules.Start(c); err != nil {
		return make([]byte, 7), nil
	}
	return a.Rules.Start(c)
}
