package channel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// maxOffered caps the matches whose locks we have signed and that no fully signed ledger contains
// or replaces yet.
const maxOffered = 64

// receivePropose looks at a proposal, from its proposer or passed on by another seat.
func (n negotiation) receivePropose(from int, msg *message.Propose) error {
	s, version := n.state, msg.Ledger.Version
	p := &proposal{Propose: *msg, digest: msg.Ledger.Digest(n.cfg.Domain)}
	if err := n.checkProposal(p); err != nil {
		return err
	}
	if version <= s.full.Version {
		n.sendLedger(from)
		return nil
	}
	if !s.plausible(version) {
		return fmt.Errorf("%w: version %d is absurdly far ahead", ErrPeer, version)
	}
	if version > s.floor {
		n.change().floor = version
	}
	if q := s.pending; q != nil && q.Ledger.Version == version {
		return n.receiveAgain(from, q, p)
	}
	switch {
	case s.silent() != nil:
		return nil
	case version < s.signed.version || version == s.signed.version && p.digest != s.signed.digest:
		n.reject(p, message.Superseded, "a higher version is signed")
		return nil
	case version < s.refused.version:
		n.reject(p, message.Superseded, "a higher version was refused")
		return nil
	case version == s.refused.version:
		n.reject(p, s.refused.code, "it was refused before")
		return nil
	case s.pending != nil && version < s.pending.Ledger.Version:
		n.reject(p, message.Superseded, "a higher version is proposed")
		return nil
	case p.Base < s.full.Version:
		n.sendLedger(from)
		return nil
	case s.unshown != 0:
		n.catchUp(from)
		return nil
	case s.frozen():
		n.reject(p, message.LedgerFrozen, "the channel is contested or closing")
		return nil
	case p.Base > s.full.Version:
		n.catchUp(from)
		return nil
	}
	return n.consider(from, p)
}

// checkProposal checks the properties of every honest proposal: its form and its signatures.
func (n negotiation) checkProposal(p *proposal) error {
	seats := n.cfg.Terms.Seats()
	if p.Ledger.ChannelID != n.id || len(p.Signatures) != seats {
		return fmt.Errorf("%w: a proposal for another channel or of %d signatures", ErrPeer, len(p.Signatures))
	}
	if err := p.Ledger.Check(&n.cfg.Terms); err != nil {
		return fmt.Errorf("%w: %w", ErrPeer, err)
	}
	proposer := int(p.Ledger.Version % uint64(seats))
	if p.Signatures[proposer] == (protocol.Signature{}) {
		return fmt.Errorf("%w: version %d is not signed by its proposer, seat %d", ErrPeer, p.Ledger.Version, proposer)
	}
	for seat, sig := range p.Signatures {
		if sig == (protocol.Signature{}) {
			continue
		}
		if err := sig.Verify(p.digest, n.cfg.Terms.Signers[seat]); err != nil {
			return fmt.Errorf("%w: ledger %d, seat %d: %w", ErrPeer, p.Ledger.Version, seat, err)
		}
	}
	return nil
}

// receiveAgain handles a proposal that we already know: it takes the signatures that are new to us,
// and repeats our own if it is missing.
func (n negotiation) receiveAgain(from int, known, p *proposal) error {
	if known.digest != p.digest {
		return fmt.Errorf("%w: two ledgers of version %d", ErrPeer, p.Ledger.Version)
	}
	ours := known.Signatures[n.cfg.Seat]
	if n.state.silent() == nil && ours != (protocol.Signature{}) && p.Signatures[n.cfg.Seat] == (protocol.Signature{}) {
		n.send(from, message.Approve{Version: p.Ledger.Version, Digest: p.digest, Signature: ours})
	}
	for seat, sig := range p.Signatures {
		if err := n.addSignature(seat, sig); err != nil {
			return err
		}
	}
	return nil
}

// consider approves or rejects a proposal that we are free to sign, or asks our user about it.
func (n negotiation) consider(from int, p *proposal) error {
	if n.lacks(p) {
		n.catchUp(from)
		return nil
	}
	ask, code, err := n.judgeProposal(p)
	if err != nil {
		n.reject(p, code, err.Error())
		return nil
	}
	n.withdraw()
	for _, e := range n.early {
		if e.version == p.Ledger.Version && e.digest == p.digest && p.Signatures[e.seat] == (protocol.Signature{}) {
			p.put(int(e.seat), e.signature)
		}
	}
	if !ask {
		return n.approve(p)
	}
	p.stage = stageAsked
	n.change().pending = p
	n.event(ProposalAsked{Version: p.Ledger.Version, From: int(p.Ledger.Version % uint64(n.cfg.Terms.Seats())), Matches: p.Matches})
	return nil
}

// lacks reports whether a proposal books a position that we do not have yet. We ask for it, and the
// proposal comes again with it.
func (n negotiation) lacks(p *proposal) bool {
	return slices.ContainsFunc(p.Bookings, func(b protocol.Booking) bool {
		m := n.find(b.MatchID)
		return m != nil && m.plays() && !m.decided() && b.Turn > m.last().turn
	})
}

// judgeProposal returns why a proposal must not be signed, or whether our user must be asked. It
// ignores what concerns only other seats, since our balance stays the same, unless nobody is here
// to get it out.
func (n negotiation) judgeProposal(p *proposal) (ask bool, code message.RejectCode, err error) {
	s := n.state
	want, err := n.nextLedger(p.Ledger.Version, p.Ledger.Closing, p.Bookings, p.Matches)
	if err != nil {
		return false, message.WrongLedger, err
	}
	if want.Digest(n.cfg.Domain) != p.digest {
		return false, message.WrongLedger, fmt.Errorf("%w: version %d does not follow from version %d", protocol.ErrTerms, p.Ledger.Version, p.Base)
	}
	if (s.wantClose || s.closing != nil) && len(p.Matches) > 0 || s.excludes(&p.Ledger) {
		return false, message.LedgerFrozen, ErrFrozen
	}
	for i := range p.Bookings {
		if err := n.checkBooking(p, &p.Bookings[i]); err != nil {
			return false, message.UnknownMatch, err
		}
	}
	if len(p.Matches)+len(s.offered) > maxOffered {
		return false, message.LedgerFrozen, protocol.ErrBusy
	}
	for i := range p.Matches {
		terms := &p.Matches[i]
		switch err := n.mayPlay(terms); {
		case errors.Is(err, ErrCheap):
			return false, message.TooCheap, err
		case err != nil:
			return false, message.UnknownMatch, err
		}
		ours := slices.Contains(terms.Seats, uint8(n.cfg.Seat))
		if unattended := n.cfg.Policy.Unattended; !ours && unattended != nil && unattended() {
			return false, message.Refused, fmt.Errorf("%w: here all seats play: what others play would keep an unattended one's money locked", protocol.ErrTerms)
		}
		ask = ask || ours && (n.cfg.Policy.Approve == nil || !n.cfg.Policy.Approve(terms))
	}
	return ask, 0, nil
}
