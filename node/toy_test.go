package node_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// toyGame is contracts/src/test/ToyRules.sol for two or more seats: a move passes the turn to any seat, or ends the match.
// Its moves cost next to nothing, and a match may have any number of them.
func toyGame() games.Game {
	return games.Game{
		Name: "toy", Summary: "pass the turn, or let somebody win", Rules: toy{}, Params: toyParams{}, Player: toyPlayer{},
		Turns:    func([]byte) (uint64, error) { return 1 << 20, nil },
		Contract: common.FromHex(testbindings.ToyRulesMetaData.Bin),
	}
}

type toy struct{}

func (toy) Start(c *games.Context) ([]byte, error) {
	if len(c.Params) != 4 {
		return nil, games.ErrIllegal
	}
	n := uint64(len(c.Stakes))
	words := append([]byte(nil), c.MatchID[:]...)
	words = append(words, word(4*32)...)
	words = append(words, word(4*32+32+32*n)...)
	words = append(words, c.Domain[:]...)
	words = append(words, word(n)...)
	for i := range c.Stakes {
		w := c.Stakes[i].Bytes32()
		words = append(words, w[:]...)
	}
	words = append(words, word(n)...)
	for _, s := range c.Signers {
		words = append(words, common.LeftPadBytes(s[:], 32)...)
	}
	return append([]byte{c.Params[0], games.Nobody, 0, 0, c.Params[3]}, crypto.Keccak256(words)...), nil
}

func (toy) Mover(state []byte) (uint8, error) {
	if len(state) != 37 {
		return 0, games.ErrIllegal
	}
	return state[0], nil
}

func (toy) Play(c *games.Context, state, move []byte) ([]byte, error) {
	if len(state) != 37 || state[0] == games.Nobody || len(move) < 2 || int(move[1]) >= len(c.Stakes) || move[0] > 1 {
		return nil, games.ErrIllegal
	}
	next := append([]byte{move[1]}, state[1:5]...)
	if move[0] == 1 {
		next[0], next[1] = games.Nobody, move[1]
	}
	return append(next, crypto.Keccak256(state[5:], move)...), nil
}

// Expire gives everything to the seat after the late one.
func (toy) Expire(c *games.Context, state []byte) ([]byte, error) {
	next := (state[0] + 1) % uint8(len(c.Stakes))
	return append(append([]byte{games.Nobody, next}, state[2:5]...), crypto.Keccak256(state[5:], []byte("expired"))...), nil
}

func (toy) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	if len(state) != 37 || state[0] != games.Nobody || int(state[1]) >= len(stakes) {
		return games.Outcome{}, games.ErrIllegal
	}
	o := games.Outcome{Payouts: make([]uint256.Int, len(stakes))}
	for i := range stakes {
		o.Payouts[state[1]].Add(&o.Payouts[state[1]], &stakes[i])
	}
	return o, nil
}

func word(v uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), v) }

type toyParams struct{}

func (toyParams) Fields() []games.Field                  { return nil }
func (toyParams) Encode(json.RawMessage) ([]byte, error) { return []byte{0, 0, 0, 0}, nil }
func (toyParams) Decode([]byte) (json.RawMessage, error) { return json.RawMessage("{}"), nil }

// toyPlayer reads "pass 1" and "win 0".
type toyPlayer struct{}

func (toyPlayer) Auto(games.Table) (*games.Decision, error) { return nil, nil }

func (toyPlayer) Bot(t games.Table) (*games.Decision, error) {
	return &games.Decision{Move: []byte{0, (t.Seat + 1) % uint8(len(t.Context.Stakes))}}, nil
}

func (toyPlayer) Choose(t games.Table, text string) (*games.Decision, error) {
	if t.State[0] != t.Seat {
		return nil, games.ErrNotYourTurn
	}
	var what string
	var seat uint8
	if _, err := fmt.Sscan(text, &what, &seat); err != nil || what != "pass" && what != "win" {
		return nil, fmt.Errorf("%w: say pass or win and a seat", games.ErrText)
	}
	d := &games.Decision{Move: []byte{0, seat}}
	if what == "win" {
		d.Move[0] = 1
	}
	return d, nil
}

func (toyPlayer) Ask(games.Table) (string, error)        { return "pass or win, and a seat", nil }
func (toyPlayer) View(t games.Table) (games.View, error) { return toyView(t.State[0]), nil }
func (toyPlayer) Recall(games.Table) (string, error)     { return "", nil }
func (toyPlayer) Describe(_ *games.Context, _, move []byte) (string, error) {
	return fmt.Sprintf("%x", move), nil
}
func (toyPlayer) Moves(*games.Context, []byte) ([][]byte, error) { return nil, nil }

type toyView uint8

func (v toyView) String() string { return fmt.Sprintf("seat %d moves", uint8(v)) }
