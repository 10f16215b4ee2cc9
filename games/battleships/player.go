package battleships

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
	"github.com/ethereum/go-ethereum/common"
)

type seat = games.Seat[Params, State]

// player implements games.TypedPlayer. It keeps nothing, and so plants its board anew for each
// answer.
type player struct{ plant planter }

// honest is the player side of programs.
var honest = player{plant}

// Auto commits to a fleet that is placed, tosses, calls and shows the coin, answers shots, and
// opens its board when all is hit, when the other's was opened, and when no legal fleet fits what
// the other has answered. People place fleets and shoot.
func (p player) Auto(t seat) (Move, bool, error) {
	s := t.State
	switch s.Phase {
	case Toss, Calling:
		if !t.Vault.Has(fleetTag, 0) {
			return nil, false, nil
		}
		fleet, _, err := kept(t)
		if err != nil {
			return nil, false, err
		}
		m, err := p.place(t, fleet)
		return m, err == nil, err
	case Showing:
		m, err := coin.Show(t.Vault, CoinTag)
		return Show(m), true, err
	case Shooting:
		if other := s.Boards[1-t.Seat]; other.Hits.Count() < fleetCells && other.possible() {
			return nil, false, nil
		}
		return reveal(t)
	case Answering:
		if !s.Boards[1-t.Seat].possible() {
			return reveal(t)
		}
		m, err := p.answer(t)
		return m, err == nil, err
	case Revealing:
		return reveal(t)
	default:
		return nil, false, nil
	}
}

// Bot places fleets at random, each legal one as likely as another, and shoots where most of the
// fleets that fit have a ship.
func (p player) Bot(t seat) (Move, error) {
	if m, decided, err := p.Auto(t); decided || err != nil {
		return m, err
	}
	if t.State.Phase != Shooting {
		return p.placeRandom(t)
	}
	var seed [8]byte
	if _, err := io.ReadFull(t.Random, seed[:]); err != nil {
		return nil, fmt.Errorf("read random bytes: %w", err)
	}
	other := t.State.Boards[1-t.Seat]
	return Shot(other.best(binary.BigEndian.Uint64(seed[:]))), nil
}

// Choose reads a fleet to place, a shot, or the word reveal.
func (p player) Choose(t seat, text string) (Move, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch phase := t.State.Phase; {
	case phase == Toss || phase == Calling:
		if text == "random" {
			return p.placeRandom(t)
		}
		fleet, err := parseFleet(text)
		if err != nil {
			return nil, err
		}
		return p.place(t, fleet)
	case phase >= Shooting && text == "reveal":
		m, _, err := reveal(t)
		return m, err
	case phase == Shooting:
		c, err := parseCell(text)
		if err != nil {
			return nil, err
		}
		if !t.State.fresh(c) {
			return nil, fmt.Errorf("%w: you have shot at %v before", games.ErrText, c)
		}
		return Shot(c), nil
	default:
		return nil, fmt.Errorf("%w: nothing to choose here", games.ErrText)
	}
}

func (player) Ask(t seat) string {
	switch t.State.Phase {
	case Toss, Calling:
		return fmt.Sprintf("Place your fleet (%s; none may touch) by the ends of the ships, such as %s, or random?", describeShips(fleetOf), exampleFleet)
	case Shooting:
		return "Your shot, such as e4? (reveal opens your board: it loses unless you have hit everything, or the other cheated)"
	default:
		return ""
	}
}

// Recall shows the seat its own fleet until it is opened, and what has become of it.
func (player) Recall(t seat) (string, error) {
	if !t.Vault.Has(fleetTag, 0) || t.State.Fleets[t.Seat] != 0 {
		return "", nil
	}
	fleet, _, err := kept(t)
	own := t.State.Boards[t.Seat]
	return fmt.Sprintf("your fleet is %s\n%s", fleet.Text(), draw(own.rows(fleet))), err
}

// Moves lists shots, and answers that need no proof; commitments and opened boards can't be listed.
func (player) Moves(p Params, s State) (list []Move) {
	switch {
	case s.Phase == Shooting:
		for c := range Cell(boardCells) {
			if s.fresh(c) {
				list = append(list, Shot(c))
			}
		}
	case s.Phase == Answering && p.Trusting == 1:
		list = []Move{Answer{Ship: 0}, Answer{Ship: 1}}
	}
	return list
}

// place commits to a fleet, and to the coin or a call.
func (p player) place(t seat, fleet Cells) (Move, error) {
	if _, err := t.Vault.Commit(fleetTag, 0, hidden(fleet)); err != nil {
		return nil, err
	}
	board, err := p.planted(t)
	if err != nil {
		return nil, err
	}
	if t.State.Phase == Toss {
		c, err := coin.Toss(t.Vault, CoinTag, t.Random)
		return Commit{board.root(), c}, err
	}
	called, err := coin.Call(t.Random)
	return Call{called, board.root()}, err
}

func (p player) placeRandom(t seat) (Move, error) {
	fleet, err := randomFleet(t.Random)
	if err != nil {
		return nil, err
	}
	return p.place(t, fleet)
}

func (p player) answer(t seat) (Move, error) {
	fleet, _, err := kept(t)
	if err != nil {
		return nil, err
	}
	m := Answer{Ship: uint8(fleet >> t.State.Cell & 1)}
	if t.Params.Trusting == 0 {
		board, err := p.planted(t)
		if err != nil {
			return nil, err
		}
		m.Proof = board.proof(t.State.Cell)
	}
	return m, nil
}

func reveal(t seat) (Move, bool, error) {
	fleet, secret, err := kept(t)
	return Reveal{fleet, secret}, err == nil, err
}

// kept returns the seat's fleet and the secret of its board.
func kept(t seat) (Cells, common.Hash, error) {
	fleet, secret, err := t.Vault.Secret(fleetTag, 0)
	return Cells(binary.BigEndian.Uint64(fleet[24:])), secret, err
}

func (p player) planted(t seat) (*tree, error) {
	fleet, secret, err := kept(t)
	if err != nil {
		return nil, err
	}
	return p.plant(t.Context.MatchID, t.Seat, fleet, secret), nil
}
