package games

import (
	"errors"
	"fmt"
	"io"

	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// Seat is a Table over structs: what a TypedPlayer works with.
type Seat[P, S any] struct {
	Context *Context
	Params  P
	State   S
	Seat    uint8
	// commits and opens; what it holds afterwards becomes the Decision's secrets
	Vault  commit.Vault
	Random io.Reader
	Notes  []Note
	Made   *Made
	Sign   func(digest common.Hash) ([]byte, error)
}

// TypedPlayer is a Player over structs, as a game developer writes it. The methods mean what those
// of Player mean; Auto, Bot and Choose are only called when the seat is on move.
type TypedPlayer[P, S, M any] interface {
	Auto(t Seat[P, S]) (m M, decided bool, err error)
	Bot(t Seat[P, S]) (M, error)
	Choose(t Seat[P, S], text string) (M, error)
	Ask(t Seat[P, S]) string
	View(t Seat[P, S]) View
	Recall(t Seat[P, S]) (string, error)
	Describe(p P, s S, m M) string
	Moves(p P, s S) []M
}

// Seated returns the player side over bytes.
func Seated[P, S, M any](t Typed[P, S, M], p TypedPlayer[P, S, M]) Player {
	return seated[P, S, M]{t, p}
}

type seated[P, S, M any] struct {
	rules  Typed[P, S, M]
	player TypedPlayer[P, S, M]
}

func (g seated[P, S, M]) Auto(t Table) (*Decision, error) {
	return g.decide(t, g.player.Auto)
}

func (g seated[P, S, M]) Bot(t Table) (*Decision, error) {
	return g.decide(t, func(s Seat[P, S]) (M, bool, error) {
		m, err := g.player.Bot(s)
		if errors.Is(err, ErrNotYet) {
			return m, false, nil
		}
		return m, true, err
	})
}

func (g seated[P, S, M]) Choose(t Table, text string) (*Decision, error) {
	return g.decide(t, func(s Seat[P, S]) (M, bool, error) {
		m, err := g.player.Choose(s, text)
		return m, true, err
	})
}

// decide never returns a move that the rules would refuse.
func (g seated[P, S, M]) decide(t Table, choose func(Seat[P, S]) (M, bool, error)) (*Decision, error) {
	s, err := g.seat(t)
	if err != nil {
		return nil, err
	}
	if mover := g.rules.Mover(s.State); mover != t.Seat {
		return nil, fmt.Errorf("%w, not that of seat %d", ErrNotYourTurn, t.Seat)
	}
	m, decided, err := choose(s)
	if err != nil || !decided {
		return nil, err
	}
	if _, err := g.rules.Play(t.Context, s.Params, s.State, m); err != nil {
		return nil, err
	}
	return &Decision{Move: g.rules.EncodeMove(m), Secrets: s.Vault.Secrets()}, nil
}

func (g seated[P, S, M]) Ask(t Table) (string, error) {
	s, err := g.seat(t)
	if _, talks := g.player.(TypedTalker[P, S]); err != nil || !talks && g.rules.Mover(s.State) != t.Seat {
		return "", err
	}
	return g.player.Ask(s), nil
}

func (g seated[P, S, M]) View(t Table) (View, error) {
	s, err := g.seat(t)
	if err != nil {
		return nil, err
	}
	return g.player.View(s), nil
}

func (g seated[P, S, M]) Recall(t Table) (string, error) {
	s, err := g.seat(t)
	if err != nil {
		return "", err
	}
	return g.player.Recall(s)
}

func (g seated[P, S, M]) Describe(c *Context, state, move []byte) (string, error) {
	p, s, err := g.decode(c, state)
	if err != nil {
		return "", err
	}
	m, err := g.rules.DecodeMove(s, move)
	if err != nil {
		return "", err
	}
	return g.player.Describe(p, s, m), nil
}

func (g seated[P, S, M]) Moves(c *Context, state []byte) ([][]byte, error) {
	p, s, err := g.decode(c, state)
	if err != nil {
		return nil, err
	}
	var list [][]byte
	for _, m := range g.player.Moves(p, s) {
		list = append(list, g.rules.EncodeMove(m))
	}
	return list, nil
}

func (g seated[P, S, M]) seat(t Table) (s Seat[P, S], err error) {
	p, state, err := g.decode(t.Context, t.State)
	if err != nil {
		return s, err
	}
	vault, err := commit.Open(t.Secrets, t.Context.MatchID, t.Seat, t.Random)
	if err != nil {
		return s, err
	}
	return Seat[P, S]{t.Context, p, state, t.Seat, vault, t.Random, t.Notes, t.Made, t.Sign}, nil
}

func (g seated[P, S, M]) decode(c *Context, state []byte) (P, S, error) {
	return typedRules[P, S, M]{g.rules}.decode(c, state)
}
