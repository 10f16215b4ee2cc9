package channel

import (
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// Phase is how far a channel's life has come.
type Phase uint8

// The phases of a channel.
const (
	Opening   Phase = iota // its opening is not confirmed
	Running                // play and sign
	InContest              // being closed one-sidedly: no ledger is signed, locked matches go on
	Ended                  // everything is paid out and final
)

// ID returns the channel's id.
func (m *Machine) ID() common.Hash { return m.id }

// Terms returns the channel's terms.
func (m *Machine) Terms() protocol.Terms { return m.cfg.Terms }

// Seat returns our seat.
func (m *Machine) Seat() int { return m.cfg.Seat }

// Phase returns how far the channel's life has come.
func (m *Machine) Phase() Phase {
	switch s := m.state; {
	case s.chain.ended:
		return Ended
	case !s.chain.openings.final:
		return Opening
	case s.contested():
		return InContest
	}
	return Running
}

// Restored reports whether the state came from a backup, so that nothing more is signed.
func (m *Machine) Restored() bool { return m.state.restored }

// Held reports whether nothing is signed for now: see Hold.
func (m *Machine) Held() bool { return m.state.held }

// Ledger returns the newest ledger that every seat signed. Version 1 has no signatures.
func (m *Machine) Ledger() protocol.SignedLedger { return m.state.full }

// Signed returns the highest ledger version that we signed, and its digest.
func (m *Machine) Signed() (version uint64, digest common.Hash) {
	return m.state.signed.version, m.state.signed.digest
}

// Proposal is a ledger that is not yet fully signed.
type Proposal struct {
	message.Propose
	Asked bool // waits for our user's word
}

// Proposal returns the pending proposal, or nil.
func (m *Machine) Proposal() *Proposal {
	p := m.state.pending
	if p == nil {
		return nil
	}
	return &Proposal{Propose: p.Propose, Asked: p.stage == stageAsked}
}

// Wanted returns the matches that our user proposed and that are not locked or refused yet. Channel
// and nonce are unset.
func (m *Machine) Wanted() []protocol.MatchTerms { return m.state.wants }

// Closing reports whether we want the channel closed or signed a closing ledger, after which
// nothing else is signed in it: if nobody answers, the way out is to contest. Done is the closing
// ledger once all seats have signed it.
func (m *Machine) Closing() (wanted bool, done *protocol.SignedLedger) {
	if m.state.full.Closing {
		full := m.state.full
		return true, &full
	}
	return m.state.wantClose || m.state.closing != nil, nil
}

// MatchView is what a machine knows of a match.
type MatchView struct {
	ID     common.Hash
	Terms  protocol.MatchTerms
	Seat   int                    // ours in the match; -1: we don't play
	Ledger *protocol.SignedLedger // the first known that locks it
	Locked bool                   // in the newest fully signed ledger

	// The rest is zero where we don't play, or lack the rules.
	Turn    protocol.Turn
	State   []byte
	Mover   uint8
	Started bool // every seat signed turn 0
	Agreed  bool // every seat signed the newest position
	OnChain bool // the chain decides: a clock runs or an end is recorded
	MayMove bool // MakeMove is possible
	// others may still book it, though it goes on: no move of ours until another ledger is signed
	// or paid out
	Bound bool
	// bit mask of the seats known to have signed the newest position, as the rules are told
	Signed uint16
	// block since which the Arena has it recorded, once that is final; 0: never
	Recorded uint64
	Notes    []games.Note   // what seats said about it, the latest of each
	Made     *games.Made    // how it came about, as far as that is known
	Outcome  *games.Outcome // set when the newest position is over
	// best evidence for it to post, from the recorded position where held; of turn 0 signatures may
	// lack
	Support   *protocol.Support
	Rank      protocol.Rank
	Agreement *protocol.SignedAgreement // signed by all and not dead
	Offers    []AgreementOffered
	Mark      protocol.Mark // highest turn that we signed
	Proofs    []protocol.Equivocation
	Record    *protocol.Record // the newest that the Arena recorded, final or not
	Decided   bool             // the Arena's record is final and says the payouts
}

// Matches returns all matches, by ascending id: those that the newest fully signed ledger locks,
// and those that an older signature might still bring back.
func (m *Machine) Matches() []MatchView {
	t := m.begin()
	out := make([]MatchView, len(t.matches))
	for i, x := range t.matches {
		out[i] = t.view(x)
	}
	return out
}

// Match returns a match.
func (m *Machine) Match(id common.Hash) (MatchView, bool) {
	t := m.begin()
	x := t.find(id)
	if x == nil {
		return MatchView{}, false
	}
	return t.view(x), true
}

func (t *txn) view(x *match) MatchView {
	v := MatchView{ID: x.id, Terms: x.terms, Seat: x.seat, Ledger: x.locked, Locked: !x.released, Proofs: x.proofs,
		Record: x.recorded(), Decided: x.decided(), Mark: x.mark}
	if !x.plays() {
		return v
	}
	l := x.last()
	v.Turn, v.State, v.Mover, v.Started, v.Agreed = l.turn, slices.Clone(l.state), l.mover, x.started, l.signedByAll()
	v.Signed, v.Recorded, v.Notes, v.Made = l.signedBy(), x.recordedAt(l), x.heard(), l.made()
	v.OnChain, v.MayMove = x.frozen(), t.side(x).mayMove() == nil
	s := x.onRecord()
	v.Support, v.Rank, v.Agreement = &s, x.rank(), x.agreement()
	v.Bound = v.Agreement == nil && !x.over() && t.side(x).bound()
	for i := range x.offers {
		v.Offers = append(v.Offers, AgreementOffered{Agreement: x.offers[i].Agreement, Seat: x.offers[i].by})
	}
	if x.over() {
		if out, err := x.judge.Outcome(l.state); err == nil {
			v.Outcome = &out
		}
	}
	return v
}

// Secret returns what MakeMove last kept for a match, the zero Secrets if nothing.
func (m *Machine) Secret(id common.Hash) commit.Secrets {
	if x := findMatch(m.matches, id); x != nil {
		return x.secret
	}
	return commit.Secrets{}
}

// Judge returns the judge of a match, or nil where we don't play or lack the rules.
func (m *Machine) Judge(id common.Hash) *protocol.Judge {
	if x := findMatch(m.matches, id); x != nil {
		return x.judge
	}
	return nil
}
