package channel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

func (n negotiation) proposeMatch(in ProposeMatch) error {
	if err := n.mayPropose(); err != nil {
		return err
	}
	terms := protocol.MatchTerms{ChannelID: n.id, Rules: in.Rules, Seats: slices.Clone(in.Seats), Stakes: slices.Clone(in.Stakes),
		Params: slices.Clone(in.Params)}
	if len(n.wants) >= protocol.MaxNew {
		return fmt.Errorf("%w: %d proposed matches wait", protocol.ErrBusy, len(n.wants))
	}
	if err := n.mayPlay(&terms); err != nil {
		return err
	}
	trial := terms
	trial.Nonce = n.ourVersion() << 8
	if _, err := n.nextLedger(trial.Nonce>>8, false, nil, []protocol.MatchTerms{trial}); err != nil {
		return err
	}
	s := n.change()
	s.wants = append(slices.Clip(s.wants), terms)
	return nil
}

func (n negotiation) mayPropose() error {
	switch {
	case n.state.silent() != nil:
		return n.state.silent()
	case !n.state.opened():
		return n.state.unopened()
	case n.state.unshown != 0:
		return ErrUnshown
	case n.state.frozen() || n.closing != nil || n.wantClose:
		return ErrFrozen
	}
	return nil
}

// closeChannel wants the channel closed: nothing else is proposed any more, and what others propose
// is refused. A pending match of ours is withdrawn first: the peer may have approved it already,
// and a closing ledger signed on top of that could only be settled on-chain.
func (n negotiation) closeChannel() error {
	switch {
	case n.state.silent() != nil:
		return n.state.silent()
	case !n.state.opened():
		return n.state.unopened()
	case n.state.contested():
		return ErrFrozen
	case len(n.full.Locks) > 0:
		return protocol.ErrLocked
	}
	n.change().wantClose = true
	n.lapse()
	if p := n.asking(); p != nil {
		n.refuse(p, message.Refused, "the channel is to be closed")
	}
	if len(n.wants) > 0 {
		return n.withdrawMatches()
	}
	return nil
}

// mayPlay says why we don't play under these terms, if so. Matches of other seats are theirs to
// judge. Whether the terms are such as the Arena takes is checked where a ledger locks them.
func (n negotiation) mayPlay(terms *protocol.MatchTerms) error {
	if !slices.Contains(terms.Seats, uint8(n.cfg.Seat)) {
		return nil
	}
	if enforceable := n.cfg.Policy.Enforceable; enforceable != nil {
		if err := enforceable(terms); err != nil {
			return fmt.Errorf("%w: %w", ErrCheap, err)
		}
	}
	_, err := n.newMatch(*terms)
	return err
}

// nextLedger computes the successor of the newest fully signed ledger.
func (n negotiation) nextLedger(version uint64, closing bool, bookings []protocol.Booking, matches []protocol.MatchTerms) (protocol.Ledger, error) {
	return n.full.Successor(version, closing, n.seatsOf, bookings, matches, n.cfg.Domain)
}

func (n negotiation) seatsOf(id common.Hash) []uint8 {
	if m := n.find(id); m != nil {
		return m.terms.Seats
	}
	return nil
}

// ourVersion returns the next version that is ours to propose: the proposer of a version is version
// mod seats.
func (n negotiation) ourVersion() uint64 {
	seats := uint64(n.cfg.Terms.Seats())
	v := max(n.top(), n.floor) + 1
	return v + (uint64(n.cfg.Seat)+seats-v%seats)%seats
}

// pursue proposes what is wanted and not yet on its way: bookings first, for they need nobody's
// word, then matches, one at a time, and the end last. What loses against another seat's proposal,
// or a higher version, is proposed again on top of the winner with our next version.
func (n negotiation) pursue() error {
	s := n.state
	if s.frozen() {
		return nil
	}
	bookings, wants := n.bookings(), n.wanted()
	if p := s.pending; p != nil && p.stage != stageLost && (p.dead() || !n.overtaken(p, bookings, wants)) {
		return nil
	}
	next := message.Propose{Base: s.full.Version, Bookings: bookings}
	closing := false
	version := n.ourVersion()
	switch {
	case s.closing != nil:
		closing, next.Bookings = true, nil
	case len(bookings) > 0:
	case len(wants) > 0 && len(s.offered) >= maxOffered:
		// Every attempt leaves a signed lock behind, which has to be remembered.
		n.dropWants(wants, n.cfg.Seat, message.LedgerFrozen, protocol.ErrBusy.Error())
		return nil
	case len(wants) > 0:
		terms := wants[0]
		terms.Nonce = version << 8
		next.Matches = []protocol.MatchTerms{terms}
	case s.lockable() && (s.wantClose || s.pending != nil && n.isWithdrawn(s.pending)):
		// The same as before, with a higher version: once all have signed that, nobody can lock the
		// matches any more.
	case s.wantClose && len(s.full.Locks) == 0:
		closing = true
	case n.waits():
		// Signing the same again with a higher version keeps others from completing the other
		// ledger.
	default:
		return nil
	}
	if version > protocol.MaxVersion {
		return nil
	}
	ledger, err := n.nextLedger(version, closing, next.Bookings, next.Matches)
	if err != nil {
		if len(next.Matches) > 0 {
			n.dropWants(next.Matches, n.cfg.Seat, message.WrongLedger, err.Error())
		}
		return nil
	}
	next.Ledger = ledger
	if err := n.propose(next); !errors.Is(err, ErrFrozen) {
		return err
	}
	// a late ledger has changed the balances after we signed a closing one: the chain pays out what
	// is newest
	return nil
}

// wanted returns the matches to propose, none while the user's policy has them wait.
func (n negotiation) wanted() []protocol.MatchTerms {
	if wait := n.cfg.Policy.Wait; len(n.wants) > 0 && wait != nil && wait() {
		return nil
	}
	return n.wants
}

func (n negotiation) isOurs(p *proposal) bool {
	return p.Ledger.Version%uint64(n.cfg.Terms.Seats()) == uint64(n.cfg.Seat)
}

// overtaken reports whether what we want now goes before a proposal that is pending and not
// refused: a booking goes before anything else; one that is no longer true is replaced at once, and
// so are our own proposals of matches that we have withdrawn, and any that changes nothing when we
// want a match.
func (n negotiation) overtaken(p *proposal, bookings []protocol.Booking, wants []protocol.MatchTerms) bool {
	if len(p.Bookings) > 0 {
		return slices.ContainsFunc(p.Bookings, n.broken)
	}
	if len(bookings) > 0 || n.isWithdrawn(p) {
		return true
	}
	return n.isOurs(p) && len(p.Matches) == 0 && !p.Ledger.Closing && len(wants) > 0
}

// broken reports whether a booking is by an agreement that has died, or of a match that goes on, as
// the chain has recorded another line.
func (n negotiation) broken(b protocol.Booking) bool {
	m := n.find(b.MatchID)
	if m == nil || !m.plays() {
		return false
	}
	if b.Agreement != nil {
		return m.last().turn > b.Turn
	}
	return !m.over() && !m.decided()
}

// waits reports whether a match can't start or go on because of a ledger that others may still
// complete: one that need not lock it, or one that books it though it goes on.
func (n negotiation) waits() bool {
	p := n.pending
	loose := n.loosened() && (p == nil || p.dead())
	return slices.ContainsFunc(n.matches, func(m *match) bool {
		if !m.plays() || m.released {
			return false
		}
		_, ends := m.ending()
		return loose && n.side(m).unsignedStart() && !m.refused || n.side(m).mayBeBooked() && !ends
	})
}

// propose signs our proposal and sends it to everybody.
func (n negotiation) propose(p message.Propose) error {
	n.withdraw()
	p.Signatures = make([]protocol.Signature, n.cfg.Terms.Seats())
	if _, err := n.signProposal(&proposal{Propose: p, digest: p.Ledger.Digest(n.cfg.Domain)}); err != nil {
		return err
	}
	n.broadcast(n.pending.Propose)
	return nil
}

// withdraw drops a proposal that waits for our user.
func (n negotiation) withdraw() {
	if p := n.asking(); p != nil {
		n.change().pending = nil
		n.gone(p)
	}
}

// gone tells our user that a proposal waits no more. The user's word is for its version: nothing
// else is considered under that.
func (n negotiation) gone(p *proposal) {
	s, version := n.change(), p.Ledger.Version
	if version > s.refused.version {
		s.refused = ledgerRefusal{version: version, code: message.Superseded}
	}
	n.event(ProposalGone{Version: version})
}

// signProposal signs a ledger, raises the mark and makes it the pending proposal.
func (n negotiation) signProposal(p *proposal) (protocol.Signature, error) {
	s := n.state
	version := p.Ledger.Version
	if s.excludes(&p.Ledger) {
		return protocol.Signature{}, ErrFrozen
	}
	if version < s.signed.version || version == s.signed.version && p.digest != s.signed.digest {
		return protocol.Signature{}, ErrSigned
	}
	sig, err := n.sign(p.digest)
	if err != nil {
		return sig, err
	}
	p.put(n.cfg.Seat, sig)
	n.change().raise(p)
	for i := range p.Bookings {
		if m := n.find(p.Bookings[i].MatchID); m.seat >= 0 {
			m.edit().promised = version
		}
	}
	return sig, nil
}

// dropWants gives up matches that we proposed.
func (n negotiation) dropWants(matches []protocol.MatchTerms, by int, code message.RejectCode, reason string) {
	n.change().giveUp(matches)
	n.event(ProposalRefused{By: by, Code: code, Reason: reason, Matches: matches})
}
