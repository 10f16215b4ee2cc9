package protocol

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrSupport is wrapped by every error about evidence that the Arena would not accept.
var ErrSupport = errors.New("bad support")

// Judge judges one match as the Arena does: which support is valid, where it leads, how it ranks.
// It is immutable and safe for concurrent use, unless it was made by Remembering.
type Judge struct {
	id      common.Hash
	domain  common.Hash // EIP-712 separator, computed once
	window  uint64
	match   MatchTerms
	rules   games.Rules
	context games.Context
	proven  *Proven // nil: it remembers nothing
}

// NewJudge returns the judge of a match under rules. It fails when the match's terms don't fit the
// channel's.
func NewJudge(d Domain, t *Terms, m *MatchTerms, rules games.Rules) (*Judge, error) {
	if err := m.Check(t.Seats()); err != nil {
		return nil, err
	}
	j := &Judge{id: m.ID(d), domain: d.Separator(), window: t.Window, match: *m, rules: rules}
	j.context = games.Context{MatchID: j.id, Params: m.Params, Stakes: m.Stakes, Signers: m.Signers(t), Domain: j.domain}
	return j, nil
}

// MatchID returns the id of the match.
func (j *Judge) MatchID() common.Hash { return j.id }

// Seats returns how many seats the match has.
func (j *Judge) Seats() int { return len(j.match.Seats) }

// Context returns what the rules may know about a state that the given seats signed (bit mask) and
// that the Arena has recorded since a block (0: never).
func (j *Judge) Context(signed uint16, recorded uint64) *games.Context {
	c := j.context
	c.Signed, c.Recorded = signed, recorded
	return &c
}

// Start returns the state at turn 0.
func (j *Judge) Start() ([]byte, error) {
	state, err := j.rules.Start(j.Context(0, 0))
	if err != nil {
		return nil, fmt.Errorf("start of the match: %w", err)
	}
	return state, checkState(state)
}

// Play returns the state that a move leads to, within the Arena's caps.
func (j *Judge) Play(state, move []byte, signed uint16, recorded uint64) ([]byte, error) {
	if len(move) > games.MaxMove {
		return nil, fmt.Errorf("%w: move of %d bytes, at most %d", games.ErrIllegal, len(move), games.MaxMove)
	}
	next, err := j.rules.Play(j.Context(signed, recorded), state, move)
	if err != nil {
		return nil, err
	}
	return next, checkState(next)
}

// SignBefore returns the block before which a state must be signed: see games.SignBefore.
func (j *Judge) SignBefore(state []byte) (uint64, error) {
	return games.SignBefore(j.rules, j.Context(0, 0), state)
}

// Mover returns whose move it is: a seat of the match, games.Nobody or games.Chance.
func (j *Judge) Mover(state []byte) (uint8, error) {
	mover, err := j.rules.Mover(state)
	if err != nil {
		return 0, err
	}
	if int(mover) >= len(j.match.Seats) && mover != games.Nobody && mover != games.Chance {
		return 0, fmt.Errorf("%w: the rules name seat %d of %d as the mover", games.ErrIllegal, mover, len(j.match.Seats))
	}
	return mover, nil
}

// Outcome returns the outcome of a state that is over, checked as the Arena checks it: payouts for
// every seat that sum to the stakes.
func (j *Judge) Outcome(state []byte) (games.Outcome, error) {
	out, err := j.rules.Outcome(state, j.match.Stakes)
	if err != nil {
		return out, err
	}
	if len(out.Payouts) != len(j.match.Stakes) {
		return out, fmt.Errorf("%w: %d payouts for %d seats", games.ErrIllegal, len(out.Payouts), len(j.match.Stakes))
	}
	if err := SameSum(out.Payouts, j.match.Stakes); err != nil {
		return out, fmt.Errorf("%w: %w", games.ErrIllegal, err)
	}
	return out, nil
}

// Verify checks a seat's signature of a position of this match.
func (j *Judge) Verify(turn Turn, state common.Hash, seat uint8, sig Signature) error {
	if int(seat) >= len(j.match.Seats) {
		return fmt.Errorf("%w: seat %d in a match of %d", ErrSignature, seat, len(j.match.Seats))
	}
	return j.proven.verify(proof{j.id, turn, state, seat, sig}, func() error { return sig.Verify(j.Digest(turn, state), j.context.Signers[seat]) })
}

// Convicts checks that a proof holds against a seat of this match: see Equivocation.Verify.
func (j *Judge) Convicts(e *Equivocation) error {
	return e.verify(j.id, func(state common.Hash, sig Signature) error { return j.Verify(e.Turn, state, e.Seat, sig) })
}

// Digest is Position.Digest under the separator computed once.
func (j *Judge) Digest(turn Turn, state common.Hash) common.Hash {
	return Position{MatchID: j.id, Turn: turn, State: state}.digestUnder(j.domain)
}

func checkState(state []byte) error {
	if len(state) > games.MaxState {
		return fmt.Errorf("%w: rule state of %d bytes, at most %d", games.ErrIllegal, len(state), games.MaxState)
	}
	return nil
}

// SameSum checks that two lists of amounts have the same total.
func SameSum(a, b []uint256.Int) error {
	x, err := sum(a)
	if err != nil {
		return err
	}
	y, err := sum(b)
	if err == nil && !x.Eq(y) {
		err = games.Amounts(ErrTerms, ": amounts sum to %s, want %s", x, y)
	}
	return err
}
