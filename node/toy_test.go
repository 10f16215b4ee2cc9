package node_test

import (
	"encoding/json"
	"fmt"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ethereum/go-ethereum/common"
)

// toyGame is contracts/src/test/ToyRules.sol for two or more seats: a move passes the turn to any
// seat, or ends the match. Its moves cost next to nothing, and a match may have any number of them.
func toyGame() games.Game {
	return games.Game{
		Name: "toy", Summary: "pass the turn, or let somebody win", Rules: willing{}, Params: toyParams{}, Player: toyPlayer{},
		Turns:    func([]byte) (uint64, error) { return 1 << 20, nil },
		Contract: common.FromHex(testbindings.ToyRulesMetaData.Bin),
	}
}

// willing rules start what the contract's are told not to: what is wrong there shows on the chain
// alone.
type willing struct{ toy.Rules }

// Start implements games.Rules.
func (r willing) Start(c *games.Context) ([]byte, error) {
	if len(c.Params) != 4 {
		return nil, games.ErrIllegal
	}
	fine := *c
	fine.Params = toy.Params(c.Params[0], toy.Fine, c.Params[2], c.Params[3])
	return r.Rules.Start(&fine)
}

type toyParams struct{}

func (toyParams) Fields() []games.Field                  { return nil }
func (toyParams) Encode(json.RawMessage) ([]byte, error) { return toy.Params(0), nil }
func (toyParams) Decode([]byte) (json.RawMessage, error) { return json.RawMessage("{}"), nil }

// toyPlayer reads "pass 1", "win 0" and "long 0", a pass of as many bytes as a move may have.
type toyPlayer struct{}

func (toyPlayer) Auto(games.Table) (*games.Decision, error) { return nil, nil }

func (toyPlayer) Bot(t games.Table) (*games.Decision, error) {
	return &games.Decision{Move: toy.Pass((t.Seat + 1) % uint8(len(t.Context.Stakes)))}, nil
}

func (toyPlayer) Choose(t games.Table, text string) (*games.Decision, error) {
	if t.State[0] != t.Seat {
		return nil, games.ErrNotYourTurn
	}
	var what string
	var seat uint8
	if _, err := fmt.Sscan(text, &what, &seat); err == nil {
		switch what {
		case "win":
			return &games.Decision{Move: toy.Win(seat)}, nil
		case "pass":
			return &games.Decision{Move: toy.Pass(seat)}, nil
		case "long":
			return &games.Decision{Move: toy.Pass(seat, make([]byte, games.MaxMove-2)...)}, nil
		}
	}
	return nil, fmt.Errorf("%w: say pass, long or win and a seat", games.ErrText)
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
