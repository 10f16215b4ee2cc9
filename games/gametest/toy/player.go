package toy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Game is the toy as a game, whose seats pass the move about until one of them ends the match by
// chance.
func Game() games.Game {
	return games.Game{
		Name:     "toy",
		Summary:  "pass the move about until somebody wins",
		Rules:    Rules{},
		Params:   params{},
		Player:   player{},
		Turns:    func([]byte) (uint64, error) { return 1 << 20, nil },
		Contract: common.FromHex(testbindings.ToyRulesMetaData.Bin),
		Liars: []games.Liar{{Name: "lies", Reason: "lie", Player: func(round uint32) games.Player {
			return player{lies: true}
		}}},
	}
}

type player struct{ lies bool }

// Auto implements games.Player: nothing goes by itself.
func (player) Auto(t games.Table) (*games.Decision, error) { return nil, mine(t) }

// Bot passes the move on to any other seat; one time in eight it ends the match instead, in favour
// of anybody.
func (p player) Bot(t games.Table) (*games.Decision, error) {
	if err := mine(t); err != nil {
		return nil, err
	}
	n := len(t.Context.Stakes)
	roll, err := games.Below(t.Random, 8*n)
	if err != nil {
		return nil, err
	}
	var salt [2]byte
	if _, err := io.ReadFull(t.Random, salt[:]); err != nil {
		return nil, fmt.Errorf("read random bytes: %w", err)
	}
	move := Pass((t.Seat+1+uint8(roll%max(1, n-1)))%uint8(n), salt[:]...)
	switch {
	case roll < n && p.lies:
		move = Lie(t.Seat)
	case roll < n:
		move = Win(uint8(roll), salt[:]...)
	}
	return &games.Decision{Move: move, Secrets: t.Secrets}, nil
}

func mine(t games.Table) error {
	if len(t.State) != StateSize || t.State[0] != t.Seat {
		return games.ErrNotYourTurn
	}
	return nil
}

func (player) Choose(games.Table, string) (*games.Decision, error) { return nil, games.ErrText }

func (player) Ask(games.Table) (string, error) { return "", nil }

func (player) View(games.Table) (games.View, error) { return nil, errors.New("nothing to see") }

func (player) Recall(games.Table) (string, error) { return "", nil }

func (player) Describe(_ *games.Context, _, move []byte) (string, error) {
	return fmt.Sprintf("%x", move), nil
}

// Moves implements games.Player. It lists a few of each kind: who moves next may be the mover
// itself.
func (player) Moves(c *games.Context, state []byte) ([][]byte, error) {
	if len(state) != StateSize || state[0] == games.Nobody {
		return nil, nil
	}
	list := [][]byte{Win(games.Nobody)}
	for seat := range uint8(len(c.Stakes)) {
		list = append(list, Pass(seat), Pass(seat, 1), Win(seat))
	}
	return list, nil
}

// params are Params, which people don't set.
type params struct{}

func (params) Fields() []games.Field { return nil }

func (params) Check(b []byte) error {
	if len(b) != 4 {
		return games.ErrIllegal
	}
	return nil
}

func (params) Encode(json.RawMessage) ([]byte, error) { return Params(0), nil }

func (params) Decode([]byte) (json.RawMessage, error) { return json.RawMessage("{}"), nil }
