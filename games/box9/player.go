package box9

import (
	"fmt"
	"io"
	"strings"

	"github.com/ante-games/ante/games"
)

type seat = games.Seat[Params, State]

// player implements games.TypedPlayer, games.TypedTalker, games.TypedChained and games.TypedPaced.
type player struct{}

// Auto keeps the house's table: it names the next block that leaves time to bet, waits for bets,
// and closes them. After a draw that somebody doesn't sign it waits until that can be proved for
// ever.
func (player) Auto(t seat) (Move, bool, error) {
	if t.Context.Facts == nil {
		return nil, false, nil
	}
	head := t.Context.Facts.Head()
	switch t.State.Phase {
	case Naming:
		if head < goesOn(t) {
			return nil, false, nil
		}
		return Name(NextRound(max(head+ahead(t.Params), t.State.Block))), true, nil
	case Betting:
		bets, all := bets(t)
		switch {
		case head >= signBefore(t.Params, t.State):
			return Close{}, true, nil // too late for anybody's signature: the round passes
		case all || head >= closes(t):
			return bets, true, nil
		}
	}
	return nil, false, nil
}

// ahead is how many blocks the house leaves at least before the block that it names.
func ahead(p Params) uint64 { return 3 * uint64(p.Margin) }

// goesOn returns the block at which the house names the next one; 0: at once.
func goesOn(t seat) uint64 {
	if t.State.Block == 0 || signedByAll(t) {
		return 0
	}
	return t.State.Block + goOnAfter
}

// Until has nobody take the house for silent while bets are taken, or while it waits until a draw
// can be proved. A block further away than it had to name is not waited for.
func (player) Until(t seat) uint64 {
	if t.Context.Facts == nil {
		return 0
	}
	head, until := t.Context.Facts.Head(), uint64(0)
	switch t.State.Phase {
	case Naming:
		until = goesOn(t)
	case Betting:
		until = closes(t)
	}
	if head >= until || isFar(t) {
		return 0
	}
	return until
}

// closes returns the block at which the house closes the bets, which leaves a margin for the others
// to sign that.
func closes(t seat) uint64 {
	before := signBefore(t.Params, t.State)
	return before - min(before, uint64(t.Params.Margin))
}

// Bot plays for the house as Auto does. Players have no moves: see Chat.
func (b player) Bot(t seat) (Move, error) {
	m, decided, err := b.Auto(t)
	if !decided {
		return nil, games.ErrNotYet
	}
	return m, err
}

// Choose reads what the house's operator may do by hand: close the bets now, or end the match
// between rounds.
func (player) Choose(t seat, text string) (Move, error) {
	switch word := strings.TrimSpace(text); {
	case t.State.Phase == Betting && word == "close":
		bets, _ := bets(t)
		return bets, nil
	case t.State.Phase == Naming && word == "end":
		return Name(0), nil
	default:
		return nil, fmt.Errorf("%w: the table keeps itself; \"close\" closes the bets now, \"end\" ends the match between rounds", games.ErrText)
	}
}

// mayBet reports whether a player may bet: the house has named the block, and every seat signed
// that. Who bets on what a seat did not sign can lose the round after its draw: with that seat the
// house makes a line that all agreed to further.
func mayBet(t seat) bool { return t.State.Phase == Betting && t.Seat != House && signedByAll(t) }

// noBets says why a seat may not bet now.
func noBets(t seat) string {
	round := t.State.Round + 1
	switch {
	case t.Seat == House:
		return "the house does not bet"
	case t.State.Phase == Naming:
		return fmt.Sprintf("no bets now: the house has not named the block of round %d", round)
	case t.State.Phase == Betting:
		return "no bets now: bets are taken once every seat has signed the block that the house named"
	default:
		return fmt.Sprintf("no bets now: the bets of round %d are closed, and block %d draws", round, t.State.Block)
	}
}

// Ask asks a player for its bet, once.
func (player) Ask(t seat) string {
	if !mayBet(t) || own(t) != nil || !t.State.affords(t.Params, int(t.Seat), 1) {
		return ""
	}
	return fmt.Sprintf("Round %d of %d, a box is %d coins, bets close at block %d: one to %d boxes, such as 1 4 7, or pass?",
		t.State.Round+1, t.Params.Rounds, t.Params.Coins, closes(t), MostBoxes)
}

// Say reads a player's bet, and signs it for the house. Until the house closes the bets it may be
// changed.
func (player) Say(t seat, text string) (*games.Note, error) {
	if !mayBet(t) {
		return nil, fmt.Errorf("%w: %s", games.ErrText, noBets(t))
	}
	if strings.TrimSpace(text) == "pass" {
		return &games.Note{To: House}, nil
	}
	m, err := parseMask(text)
	if err != nil {
		return nil, err
	}
	return bet(t, m)
}

// Chat bets one to three boxes at random, if the seat has so much.
func (player) Chat(t seat) (*games.Note, error) {
	if !mayBet(t) || own(t) != nil {
		return nil, nil
	}
	var b [4]byte
	if _, err := io.ReadFull(t.Random, b[:]); err != nil {
		return nil, fmt.Errorf("read random bytes: %w", err)
	}
	var m Mask
	for _, r := range b[:1+b[3]%3] {
		m |= 1 << (r % Boxes)
	}
	for ; m != 0; m &= m - 1 {
		if t.State.affords(t.Params, int(t.Seat), m) {
			return bet(t, m)
		}
	}
	return &games.Note{To: House}, nil
}

// Recall tells a player what it bet.
func (player) Recall(t seat) (string, error) {
	if n := own(t); n != nil && len(n.Text) == betSize {
		return "your bet is " + decodeBet(n.Text).Mask.String(), nil
	}
	return "", nil
}

// Moves lists the house's next block, and closing without bets.
func (player) Moves(_ Params, s State) []Move {
	switch s.Phase {
	case Naming:
		return []Move{Name(NextRound(s.Block)), Name(0)}
	case Betting:
		return []Move{Close{}}
	default:
		return nil
	}
}
