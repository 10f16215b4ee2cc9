package channel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// maxAhead is how far above what we know a version may lie. Honest seats go up by at most two
// rounds of seats at a time.
const maxAhead = 1 << 16

func (t *txn) proposeMatch(in ProposeMatch) error {
	if err := t.mayPropose(); err != nil {
		return err
	}
	terms := protocol.MatchTerms{ChannelID: t.id, Rules: in.Rules, Seats: slices.Clone(in.Seats), Stakes: slices.Clone(in.Stakes),
		Params: slices.Clone(in.Params)}
	if len(t.state.wants) >= protocol.MaxNew {
		return fmt.Errorf("%w: %d proposed matches wait", protocol.ErrBusy, len(t.state.wants))
	}
	if err := t.mayPlay(&terms); err != nil {
		return err
	}
	trial := terms
	trial.Nonce = t.ourVersion() << 8
	if _, err := t.nextLedger(trial.Nonce>>8, false, nil, []protocol.MatchTerms{trial}); err != nil {
		return err
	}
	s := t.change()
	s.wants = append(slices.Clip(s.wants), terms)
	return nil
}

func (t *txn) mayPropose() error {
	switch {
	case t.state.silent() != nil:
		return t.state.silent()
	case !t.state.opened():
		return t.state.unopened()
	case t.state.unshown != 0:
		return ErrUnshown
	case t.state.frozen() || t.state.closing != nil || t.state.wantClose:
		return ErrFrozen
	}
	return nil
}

// closeChannel wants the channel closed: nothing else is proposed any more, and what others propose
// is refused. A match of ours that is on the table is withdrawn first: the peer may have approved
// it already, and a closing ledger signed on top of that could only be settled on-chain.
func (t *txn) closeChannel() error {
	switch {
	case t.state.silent() != nil:
		return t.state.silent()
	case !t.state.opened():
		return t.state.unopened()
	case t.state.contested():
		return ErrFrozen
	case len(t.state.full.Locks) > 0:
		return protocol.ErrLocked
	}
	t.change().wantClose = true
	if p := t.state.asking(); p != nil {
		t.refuse(p, message.Refused, "the channel is to be closed")
	}
	if len(t.state.wants) > 0 {
		return t.withdrawMatches()
	}
	return nil
}

// mayPlay says why we don't play under these terms, if so. Matches of other seats are theirs to
// judge. Whether the terms are such as the Arena takes is checked where a ledger locks them.
func (t *txn) mayPlay(terms *protocol.MatchTerms) error {
	if !slices.Contains(terms.Seats, uint8(t.cfg.Seat)) {
		return nil
	}
	if enforceable := t.cfg.Policy.Enforceable; enforceable != nil {
		if err := enforceable(terms); err != nil {
			return fmt.Errorf("%w: %w", ErrCheap, err)
		}
	}
	_, err := t.newMatch(*terms)
	return err
}

// nextLedger computes the successor of the newest fully signed ledger.
func (t *txn) nextLedger(version uint64, closing bool, bookings []protocol.Booking, matches []protocol.MatchTerms) (protocol.Ledger, error) {
	return t.state.full.Successor(version, closing, t.seatsOf, bookings, matches, t.cfg.Domain)
}

func (t *txn) seatsOf(id common.Hash) []uint8 {
	if m := t.find(id); m != nil {
		return m.terms.Seats
	}
	return nil
}

// ourVersion returns the next version that is ours to propose: the proposer of a version is version
// mod seats.
func (t *txn) ourVersion() uint64 {
	n := uint64(t.cfg.Terms.Seats())
	v := max(t.state.top(), t.state.floor) + 1
	return v + (uint64(t.cfg.Seat)+n-v%n)%n
}

// pursue proposes what is wanted and not yet on its way: bookings first, for they need nobody's
// word, then matches, one at a time, and the end last. What loses against another seat's proposal,
// or a higher version, is proposed again on top of the winner with our next version.
func (t *txn) pursue() error {
	s := t.state
	if s.frozen() {
		return nil
	}
	bookings, wants := t.bookings(), t.wanted()
	if p := s.pending; p != nil && p.stage != stageLost && (p.dead() || !t.overtaken(p, bookings, wants)) {
		return nil
	}
	next := message.Propose{Base: s.full.Version, Bookings: bookings}
	closing := false
	version := t.ourVersion()
	switch {
	case s.closing != nil:
		closing, next.Bookings = true, nil
	case len(bookings) > 0:
	case len(wants) > 0 && len(s.offered) >= maxOffered:
		// Every attempt leaves a signed lock behind, which has to be remembered.
		t.dropWants(wants, t.cfg.Seat, message.LedgerFrozen, protocol.ErrBusy.Error())
		return nil
	case len(wants) > 0:
		terms := wants[0]
		terms.Nonce = version << 8
		next.Matches = []protocol.MatchTerms{terms}
	case s.lockable() && (s.wantClose || s.pending != nil && t.isWithdrawn(s.pending)):
		// The same as before, with a higher version: once all have signed that, nobody can lock the
		// matches any more.
	case s.wantClose && len(s.full.Locks) == 0:
		closing = true
	case t.waits():
		// Signing the same again with a higher version takes the other ledger out of everybody's
		// hands.
	default:
		return nil
	}
	if version > protocol.MaxVersion {
		return nil
	}
	ledger, err := t.nextLedger(version, closing, next.Bookings, next.Matches)
	if err != nil {
		if len(next.Matches) > 0 {
			t.dropWants(next.Matches, t.cfg.Seat, message.WrongLedger, err.Error())
		}
		return nil
	}
	next.Ledger = ledger
	if err := t.propose(next); !errors.Is(err, ErrFrozen) {
		return err
	}
	// a late ledger has changed the balances after we signed a closing one: the chain pays out what
	// is newest
	return nil
}

// wanted returns the matches to propose, none while the user's policy has them wait.
func (t *txn) wanted() []protocol.MatchTerms {
	if wait := t.cfg.Policy.Wait; len(t.state.wants) > 0 && wait != nil && wait() {
		return nil
	}
	return t.state.wants
}

func (t *txn) isOurs(p *proposal) bool {
	return p.Ledger.Version%uint64(t.cfg.Terms.Seats()) == uint64(t.cfg.Seat)
}

// overtaken reports whether what we want now goes before a proposal on the table that is not
// refused: a booking goes before anything else, one by an agreement that has died since is replaced
// at once, and so are our own of matches that we have withdrawn, and any that changes nothing when
// we want a match.
func (t *txn) overtaken(p *proposal, bookings []protocol.Booking, wants []protocol.MatchTerms) bool {
	if len(p.Bookings) > 0 {
		return slices.ContainsFunc(p.Bookings, t.broken)
	}
	if len(bookings) > 0 || t.isWithdrawn(p) {
		return true
	}
	return t.isOurs(p) && len(p.Matches) == 0 && !p.Ledger.Closing && len(wants) > 0
}

// broken reports whether a booking is by an agreement that has died.
func (t *txn) broken(b protocol.Booking) bool {
	m := t.find(b.MatchID)
	return b.Agreement != nil && m != nil && m.plays() && m.last().turn > b.Turn
}

// waits reports whether a match can't start or go on because of a ledger that others may still
// complete: one that need not lock it, or one that books it by an agreement that has died.
func (t *txn) waits() bool {
	p := t.state.pending
	loose := t.state.loosened() && (p == nil || p.dead())
	return slices.ContainsFunc(t.matches, func(m *match) bool {
		if !m.plays() || m.released {
			return false
		}
		return loose && t.side(m).unsignedStart() && !m.refused || t.side(m).mayBeBooked() && m.agreement() == nil
	})
}

// propose signs our proposal and sends it to everybody.
func (t *txn) propose(p message.Propose) error {
	t.withdraw()
	p.Signatures = make([]protocol.Signature, t.cfg.Terms.Seats())
	if _, err := t.signProposal(&proposal{Propose: p, digest: p.Ledger.Digest(t.cfg.Domain)}); err != nil {
		return err
	}
	t.broadcast(t.state.pending.Propose)
	return nil
}

// withdraw takes a proposal off the table that waits for our user's word.
func (t *txn) withdraw() {
	if p := t.state.asking(); p != nil {
		t.change().pending = nil
		t.event(ProposalGone{Version: p.Ledger.Version})
	}
}

// signProposal signs a ledger, raises the mark and puts the signed proposal on the table.
func (t *txn) signProposal(p *proposal) (protocol.Signature, error) {
	s := t.state
	version := p.Ledger.Version
	if s.excludes(&p.Ledger) {
		return protocol.Signature{}, ErrFrozen
	}
	if version < s.signed.version || version == s.signed.version && p.digest != s.signed.digest {
		return protocol.Signature{}, ErrSigned
	}
	sig, err := t.sign(p.digest)
	if err != nil {
		return sig, err
	}
	p.put(t.cfg.Seat, sig)
	t.change().raise(p)
	for i := range p.Bookings {
		if m := t.find(p.Bookings[i].MatchID); p.Bookings[i].Agreement != nil && m.seat >= 0 {
			m.edit().promised = version
		}
	}
	return sig, nil
}

// dropWants gives up matches that we proposed.
func (t *txn) dropWants(matches []protocol.MatchTerms, by int, code message.RejectCode, reason string) {
	t.change().giveUp(matches)
	t.event(ProposalRefused{By: by, Code: code, Reason: reason, Matches: matches})
}
