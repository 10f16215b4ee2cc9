package box9

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// rules implements games.Typed and games.TypedDated; the contract twin is
// contracts/src/games/Box9.sol.
type rules struct{}

func (rules) Start(c *games.Context, _ Params) (State, error) {
	n := len(c.Stakes)
	if n < 2 || n > games.MaxSeats {
		return State{}, fmt.Errorf("%w match: %d seats, want 2..%d", games.ErrIllegal, n, games.MaxSeats)
	}
	if _, err := sum(c.Stakes); err != nil {
		return State{}, err
	}
	return State{Pocket: slices.Clone(c.Stakes), Credit: make([]uint256.Int, n), Rolled: make([]uint256.Int, n)}, nil
}

func (rules) Mover(s State) uint8 {
	switch s.Phase {
	case Over:
		return games.Nobody
	case Drawing:
		return games.Chance
	default:
		return House
	}
}

// SignBefore implements games.TypedDated: nobody signs closed bets within the margin of their
// block, lest a bet be made when the hash is known.
func (rules) SignBefore(p Params, s State) uint64 {
	if s.Phase != Drawing {
		return 0
	}
	return signBefore(p, s)
}

// signBefore is at least 1, as 0 would say that there is no such block.
func signBefore(p Params, s State) uint64 {
	return max(s.Block, uint64(p.Margin)+1) - uint64(p.Margin)
}

func (rules) Play(c *games.Context, p Params, s State, m Move) (State, error) {
	if err := s.check(c, p); err != nil {
		return State{}, err
	}
	return m.play(c, p, s)
}

func (m Name) play(_ *games.Context, _ Params, s State) (State, error) {
	switch {
	case s.Phase != Naming:
		return State{}, wrongPhase(s)
	case m == 0:
		return s.end(Left), nil
	case m%10 != 0 || uint64(m) <= s.Block:
		return State{}, badMove("block %d after block %d", m, s.Block)
	}
	s.Phase, s.Block = Betting, uint64(m)
	return s, nil
}

func (m Close) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Betting {
		return State{}, wrongPhase(s)
	}
	if len(m) == 0 {
		return s.next(p), nil
	}
	s.Bets = make([]Mask, len(s.Pocket))
	least := 1
	for i := range m {
		seat := int(m[i].Seat)
		if seat < least || seat >= len(s.Bets) {
			return State{}, badMove("a bet of seat %d", seat)
		}
		if err := s.checkBet(c, p, &m[i]); err != nil {
			return State{}, err
		}
		s.Bets[seat] = m[i].Mask
		least = seat + 1
	}
	s.Phase = Drawing
	return s, nil
}

// checkBet says why a bet of a seat that there is can't be included, if so.
func (s *State) checkBet(c *games.Context, p Params, b *Bet) error {
	if !s.affords(p, int(b.Seat), b.Mask) {
		return badMove("seat %d bets %#x", b.Seat, uint16(b.Mask))
	}
	if err := b.Signature.Verify(BetDigest(c, s.Round, b.Mask), c.Signers[b.Seat]); err != nil {
		return badMove("the bet of seat %d: %v", b.Seat, err)
	}
	return nil
}

func (m Reveal) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Drawing {
		return State{}, wrongPhase(s)
	}
	hash, known := s.hash(c)
	if counts := s.shown(c); counts == Void || !known || m.Hash != hash || m.Counts != counts {
		return State{}, badMove("the draw of block %d is %v by %s, known %v, not %v by %s", s.Block, counts, hash, known, m.Counts, m.Hash)
	}
	return s.draw(p, hash, m.Counts), nil
}

// Expire implements games.Typed. Nobody can hold back a draw: it is made here if the hash is known.
// A signature that the record lacks now counts as not given: with two seats its holder had a window
// to show it. With more it could only be shown with all others that lack, and one that its seat
// withholds nobody else has: hence Post. The house's silence ends the match.
func (rules) Expire(c *games.Context, p Params, s State) (State, error) {
	if err := s.check(c, p); err != nil {
		return State{}, err
	}
	switch s.Phase {
	case Over:
		return State{}, wrongPhase(s)
	case Drawing:
		hash, known := s.hash(c)
		if !known {
			return s.draw(p, hash, Void), nil
		}
		return s.draw(p, hash, s.counts(c)), nil
	default:
		return s.end(Silent), nil
	}
}

func (rules) Outcome(s State, stakes []uint256.Int) (games.Outcome, error) {
	if s.Phase != Over || len(stakes) != len(s.Pocket) {
		return games.Outcome{}, badState("phase %d, %d stakes", s.Phase, len(stakes))
	}
	paid, err := sum(s.Pocket)
	if err != nil {
		return games.Outcome{}, err
	}
	if staked, err := sum(stakes); err != nil || !staked.Eq(paid) {
		return games.Outcome{}, badState("it pays %s, which is not what was staked", paid.Dec())
	}
	o := games.Outcome{Payouts: slices.Clone(s.Pocket)}
	copy(o.Reason[:], s.Ending.reason())
	return o, nil
}

func (e Ending) reason() string {
	return [...]string{Played: "", Left: "house left", Silent: "silence"}[e]
}

// hash returns the hash of the round's block.
func (s *State) hash(c *games.Context) (common.Hash, bool) {
	if c.Facts == nil {
		return common.Hash{}, false
	}
	h, known := c.Facts.BlockHash(s.Block)
	return h, known && h != common.Hash{}
}

// shown says how the round counts by what can be shown. That a signature lacks can't: who gave it
// may leave it out.
func (s *State) shown(c *games.Context) Counts {
	all := uint16(1<<len(s.Pocket) - 1)
	switch {
	case c.Signed&all == all:
		return Whole
	case c.Recorded != 0 && c.Recorded < s.Block:
		return Counted
	default:
		return Void
	}
}

// counts says how the round counts when every signature that there is has been shown.
func (s *State) counts(c *games.Context) Counts {
	if about := s.about(); s.shown(c) == Void && c.Signed&about == about {
		return Counted
	}
	return s.shown(c)
}

// about returns the seats whose signatures make the round count: the house, and who bets.
func (s *State) about() uint16 {
	mask := uint16(1 << House)
	for seat, m := range s.Bets {
		if m != 0 {
			mask |= 1 << seat
		}
	}
	return mask
}

// next goes on to the next round, or to the end.
func (s *State) next(p Params) State {
	if s.Round+1 == p.Rounds {
		return s.end(Played)
	}
	n := *s
	n.Phase, n.Round, n.Bets = Naming, s.Round+1, nil
	return n
}

// end gives back what is rolled to whom it came from; unused credit is the house's.
func (s *State) end(e Ending) State {
	n := State{Phase: Over, Round: s.Round, Block: s.Block, Pocket: slices.Clone(s.Pocket), Ending: e}
	for i := range n.Pocket {
		n.Pocket[i].Add(&n.Pocket[i], &s.Rolled[i])
		n.Pocket[House].Add(&n.Pocket[House], &s.Credit[i])
	}
	return n
}

func wrongPhase(s State) error { return badMove("not in phase %d", s.Phase) }

func badMove(format string, a ...any) error {
	return fmt.Errorf("%w move: "+format, append([]any{games.ErrIllegal}, a...)...)
}
