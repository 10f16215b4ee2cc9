package node_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/foreign"
	rulebook "github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// sitWithStranger makes a table at which alice (seat 0) plays by the toy contract's bytecode, as by
// rules of which nothing is known, and mallory by rules of his own that find everything fine. Alice
// has little patience once mallory has played.
func sitWithStranger(t *testing.T, params []byte) (tb *table, played *atomic.Bool) {
	played = new(atomic.Bool)
	tb = sit(t, 2, func(seat int, c *node.Config) {
		g := toyGame()
		g.Params = paramsOf(params)
		g.Player = rawPlayer{g.Player}
		if seat == 0 {
			contract, err := evm.Deploy(common.FromHex(testbindings.ToyRulesMetaData.Bin))
			must(t, err)
			g.Rules = contract.Rules()
			hasty(c, played.Load)
		} else {
			g.Rules = lax{g.Rules}
		}
		c.Games, c.Rules = games.Catalog{g}, map[string]common.Address{"toy": world(t).Rules["toy"]}
	})
	return tb, played
}

// paramsOf are the same parameters, whatever is asked for.
type paramsOf []byte

func (p paramsOf) Fields() []games.Field                  { return nil }
func (p paramsOf) Encode(json.RawMessage) ([]byte, error) { return p, nil }
func (p paramsOf) Decode([]byte) (json.RawMessage, error) { return json.RawMessage("{}"), nil }

// rawPlayer takes a move's bytes.
type rawPlayer struct{ games.Player }

func (rawPlayer) Choose(t games.Table, text string) (*games.Decision, error) {
	move, err := hexutil.Decode(text)
	return &games.Decision{Move: move}, err
}

// lax are rules that take for a pass to seat 0, or for a draw, what they don't know.
type lax struct{ games.Rules }

func (l lax) Play(c *games.Context, state, move []byte) ([]byte, error) {
	next, err := l.Rules.Play(c, state, move)
	if err != nil {
		return append(append([]byte{0}, state[1:5]...), crypto.Keccak256(state[5:], move)...), nil
	}
	return next, nil
}

func (l lax) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	o, err := l.Rules.Outcome(state, stakes)
	if err != nil {
		return games.Outcome{Payouts: stakes}, nil
	}
	return o, nil
}

// A move on which the rules loop, blow up or revert is no move: alice's node outlives it, and
// mallory's clock runs out.
func attackByMove(t *testing.T, how uint8) { attackBy(t, rulebook.BreakPlay(how)) }

func attackBy(t *testing.T, move []byte) {
	tb, played := sitWithStranger(t, rulebook.Params(0))
	alice, mallory := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, hexutil.Encode(rulebook.Pass(1)))
	tb.play(t, mallory, id, hexutil.Encode(move))
	played.Store(true)
	tb.mine(t)
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if r.Won() != 1 {
		t.Errorf("alice got %s of %q", r.Payouts[0].Dec(), r.Reason)
	}
}

// Nor is one to an end that the Arena could not record, since what it pays can't be told.
func TestAttack_PoisonedState(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]uint8{"revert": rulebook.Revert, "too much": rulebook.TooMuch} {
		t.Run(name, func(t *testing.T) { attackBy(t, rulebook.Poison(how)) })
	}
}

// A match that rules do not start properly is not agreed to.
func attackByStart(t *testing.T, how uint8) {
	tb, _ := sitWithStranger(t, rulebook.Params(0, how))
	must(t, tb.players[1].Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	if e := tb.event(t, tb.players[1], node.ProposalFailed); !strings.Contains(e.Text, "refuses") {
		t.Errorf("%s", e.Text)
	}
	tb.close(t)
}

func TestAttack_LoopingRules(t *testing.T) {
	t.Parallel()
	t.Run("play", func(t *testing.T) { attackByMove(t, rulebook.Loop) })
	t.Run("start", func(t *testing.T) { attackByStart(t, rulebook.Loop) })
}

func TestAttack_ReturnBomb(t *testing.T) {
	t.Parallel()
	t.Run("play", func(t *testing.T) { attackByMove(t, rulebook.Bomb) })
	t.Run("start", func(t *testing.T) { attackByStart(t, rulebook.Bomb) })
}

func TestAttack_BadRules(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]uint8{"revert": rulebook.Revert, "garbage": rulebook.Garbage, "big": rulebook.Big, "stranger": rulebook.Stranger} {
		t.Run("play "+name, func(t *testing.T) { attackByMove(t, how) })
		t.Run("start "+name, func(t *testing.T) { attackByStart(t, how) })
	}
}

// TestForeignRules: two nodes that know of a game nothing but its bytecode on the chain and a
// manifest play it for money.
func TestForeignRules(t *testing.T) {
	t.Parallel()
	g, err := foreign.Load("../examples/connectfour/connectfour.json")
	must(t, err)
	receipt, err := world(t).Chain.Deploy(t.Context(), g.Contract)
	must(t, err)
	tb := sit(t, 2, func(_ int, c *node.Config) {
		c.Games = games.Catalog{g}
		c.Rules = map[string]common.Address{g.Name: receipt.ContractAddress}
	})
	id := tb.match(t, g.Name, `{"first":1}`)
	for i, column := range []string{"drop 3", "0", "3", "1", "3", "2", "0x03"} {
		tb.play(t, tb.players[1-i%2], id, column)
	}
	for seat, p := range tb.players {
		r, err := p.Finished(tb.ctx, tb.channel, 1)
		must(t, err)
		if won := r.Won(); won != 2*seat-1 {
			t.Errorf("seat 1 has four in a line, and seat %d gets %s of %q", seat, r.Payouts[seat].Dec(), r.Reason)
		}
	}
	tb.close(t)
}
