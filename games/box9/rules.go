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
// block, lest a bet be made when the hash is known. Once the round is known to be noted, what is
// signed changes nothing any more, and who was late signs after all, so that play goes on.
func (rules) SignBefore(c *games.Context, p Params, s State) uint64 {
	if s.Phase != Drawing || s.Bets == (Masks{}) {
		return 0
	}
	if d, known := s.fate(c); known && d.noted != (Masks{}) {
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
		return State{}, games.BadMove("block %d after block %d", m, s.Block)
	}
	s.Phase, s.Block = Betting, uint64(m)
	return s, nil
}

func (m Close) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Betting {
		return State{}, wrongPhase(s)
	}
	s.Bets = Masks{}
	least := 1
	for i := range m {
		seat := int(m[i].Seat)
		if seat < least || seat >= len(s.Pocket) {
			return State{}, games.BadMove("a bet of seat %d", seat)
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
	if !b.Mask.Legal() || !s.affords(p, int(b.Seat), b.Mask) {
		return games.BadMove("seat %d bets %#x", b.Seat, uint16(b.Mask))
	}
	if err := b.Signature.Verify(BetDigest(c, s.Round, b.Mask), c.Signers[b.Seat]); err != nil {
		return games.BadMove("the bet of seat %d: %v", b.Seat, err)
	}
	return nil
}

func (m Reveal) play(c *games.Context, p Params, s State) (State, error) {
	if s.Phase != Drawing {
		return State{}, wrongPhase(s)
	}
	d, known := s.fate(c)
	if !known || m.Hash != d.hash {
		return State{}, games.BadMove("%s is not known to be the hash of block %d", m.Hash, s.Block)
	}
	counts, bets := s.shown(c, p, d)
	if counts == Void || m.Counts != counts || m.Bets != bets {
		return State{}, games.BadMove("a draw as %d of %v, which counts as %d of %v", m.Counts, m.Bets, counts, bets)
	}
	n := s.draw(p, d.hash, counts, bets)
	return n.next(p), nil
}

// Expire implements games.Typed. Nobody can hold back a draw: it is made here if the hash is known.
// Where nothing is noted, a signature that the record lacks now counts as not given: with two seats
// its holder had a window to show it. With more it could only be shown with all others that lack,
// and one that its seat withholds nobody else has: hence bets are noted. The house's silence ends
// the match, after the draw if bets are noted.
func (rules) Expire(c *games.Context, p Params, s State) (State, error) {
	if err := s.check(c, p); err != nil {
		return State{}, err
	}
	switch s.Phase {
	case Over:
		return State{}, wrongPhase(s)
	case Drawing:
		if d, known := s.fate(c); known {
			counts, bets := s.counts(c, p, d)
			s = s.draw(p, d.hash, counts, bets)
		}
		return s.next(p), nil
	case Betting:
		if d, known := s.fate(c); known && d.noted != (Masks{}) {
			counts, bets := s.shown(c, p, d)
			s = s.draw(p, d.hash, counts, bets)
		}
	}
	return s.end(Silent), nil
}

func (rules) Outcome(s State, stakes []uint256.Int) (games.Outcome, error) {
	if s.Phase != Over || len(stakes) != len(s.Pocket) {
		return games.Outcome{}, games.BadState("phase %d, %d stakes", s.Phase, len(stakes))
	}
	paid, err := sum(s.Pocket)
	if err != nil {
		return games.Outcome{}, err
	}
	if staked, err := sum(stakes); err != nil || !staked.Eq(paid) {
		return games.Outcome{}, games.BadState("it pays %s, which is not what was staked", paid.Dec())
	}
	o := games.Outcome{Payouts: slices.Clone(s.Pocket)}
	copy(o.Reason[:], s.Ending.reason())
	return o, nil
}

func (e Ending) reason() string {
	return [...]string{Played: "", Left: "house left", Silent: "silence"}[e]
}

// fate is what the chain says of a round.
type fate struct {
	hash  common.Hash // of its block
	noted Masks       // what the contract noted of its bets before that; none: nothing
}

// fate returns what the chain says of the round, once all of it is known.
func (s *State) fate(c *games.Context) (d fate, known bool) {
	if c.Facts == nil {
		return d, false
	}
	hash, mined := c.Facts.BlockHash(s.Block)
	noted, told := c.Facts.Noted(s.noteKey(c), s.Block)
	return fate{hash, masksOf(noted)}, mined && told && hash != common.Hash{}
}

// shown says how the round counts by what can be shown, and which bets are played. That a signature
// lacks can't be shown: who gave it may leave it out. What is noted goes before all that is signed,
// since who holds back a signature could choose between the two; a noted bet that its seat can't
// pay is a pass. Where nobody bets nothing depends on signatures.
func (s *State) shown(c *games.Context, p Params, d fate) (Counts, Masks) {
	if d.noted != (Masks{}) {
		var bets Masks
		for seat := 1; seat < len(s.Pocket); seat++ {
			if s.affords(p, seat, d.noted[seat]) {
				bets[seat] = d.noted[seat]
			}
		}
		return Counted, bets
	}
	all := uint16(1<<len(s.Pocket) - 1)
	if s.Bets == (Masks{}) || c.Signed&all == all {
		return Whole, s.Bets
	}
	return Void, s.Bets
}

// counts says how the round counts when every signature that there is has been shown.
func (s *State) counts(c *games.Context, p Params, d fate) (Counts, Masks) {
	counts, bets := s.shown(c, p, d)
	if about := s.about(); counts == Void && c.Signed&about == about {
		counts = Counted
	}
	return counts, bets
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
	n.Phase, n.Round, n.Bets = Naming, s.Round+1, Masks{}
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

func wrongPhase(s State) error { return games.BadMove("not in phase %d", s.Phase) }
