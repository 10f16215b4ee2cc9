package channel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// maxOffered caps the matches whose locks we have signed and which no fully signed ledger has
// decided about.
const maxOffered = 64

// receivePropose looks at a proposal, from its proposer or passed on by another seat.
func (t *txn) receivePropose(from int, msg *message.Propose) error {
	s, version := t.state, msg.Ledger.Version
	p := &proposal{Propose: *msg, digest: msg.Ledger.Digest(t.cfg.Domain)}
	if err := t.checkProposal(p); err != nil {
		return err
	}
	if version <= s.full.Version {
		t.sendLedger(from)
		return nil
	}
	if !s.plausible(version) {
		return fmt.Errorf("%w: version %d is absurdly far ahead", ErrPeer, version)
	}
	if version > s.floor {
		t.change().floor = version
	}
	if q := s.pending; q != nil && q.Ledger.Version == version {
		return t.receiveAgain(from, q, p)
	}
	switch {
	case s.silent() != nil:
		return nil
	case version < s.signed.version || version == s.signed.version && p.digest != s.signed.digest:
		t.reject(p, message.Superseded, "a higher version is signed")
		return nil
	case version < s.refused.version:
		t.reject(p, message.Superseded, "a higher version was refused")
		return nil
	case version == s.refused.version:
		t.reject(p, s.refused.code, "it was refused before")
		return nil
	case s.pending != nil && version < s.pending.Ledger.Version:
		t.reject(p, message.Superseded, "a higher version is proposed")
		return nil
	case p.Base < s.full.Version:
		t.sendLedger(from)
		return nil
	case s.unshown != 0:
		t.catchUp(from)
		return nil
	case s.frozen():
		t.reject(p, message.LedgerFrozen, "the channel is contested or closing")
		return nil
	case p.Base > s.full.Version:
		t.catchUp(from)
		return nil
	}
	return t.consider(from, p)
}

// checkProposal checks what holds of every honest proposal, whatever we know: its form and its
// signatures.
func (t *txn) checkProposal(p *proposal) error {
	seats := t.cfg.Terms.Seats()
	if p.Ledger.ChannelID != t.id || len(p.Signatures) != seats {
		return fmt.Errorf("%w: a proposal for another channel or of %d signatures", ErrPeer, len(p.Signatures))
	}
	if err := p.Ledger.Check(&t.cfg.Terms); err != nil {
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
		if err := sig.Verify(p.digest, t.cfg.Terms.Signers[seat]); err != nil {
			return fmt.Errorf("%w: ledger %d, seat %d: %w", ErrPeer, p.Ledger.Version, seat, err)
		}
	}
	return nil
}

// receiveAgain takes the signatures of a proposal that we know, and repeats our own where it is
// missing.
func (t *txn) receiveAgain(from int, known, p *proposal) error {
	if known.digest != p.digest {
		return fmt.Errorf("%w: two ledgers of version %d", ErrPeer, p.Ledger.Version)
	}
	ours := known.Signatures[t.cfg.Seat]
	if t.state.silent() == nil && ours != (protocol.Signature{}) && p.Signatures[t.cfg.Seat] == (protocol.Signature{}) {
		t.send(from, message.Approve{Version: p.Ledger.Version, Digest: p.digest, Signature: ours})
	}
	for seat, sig := range p.Signatures {
		if err := t.addSignature(seat, sig); err != nil {
			return err
		}
	}
	return nil
}

// consider decides about a proposal that we are free to sign.
func (t *txn) consider(from int, p *proposal) error {
	if t.lacks(p) {
		t.catchUp(from)
		return nil
	}
	ask, code, err := t.judgeProposal(p)
	if err != nil {
		t.reject(p, code, err.Error())
		return nil
	}
	t.withdraw()
	for _, e := range t.state.early {
		if e.version == p.Ledger.Version && e.digest == p.digest && p.Signatures[e.seat] == (protocol.Signature{}) {
			p.put(int(e.seat), e.signature)
		}
	}
	if !ask {
		return t.approve(p)
	}
	p.stage = stageAsked
	t.change().pending = p
	t.event(ProposalAsked{Version: p.Ledger.Version, From: int(p.Ledger.Version % uint64(t.cfg.Terms.Seats())), Matches: p.Matches})
	return nil
}

// lacks reports whether a proposal books a position that we haven't seen. It is sent again with
// what we ask for.
func (t *txn) lacks(p *proposal) bool {
	return slices.ContainsFunc(p.Bookings, func(b protocol.Booking) bool {
		m := t.find(b.MatchID)
		return m != nil && m.plays() && !m.decided() && b.Turn > m.last().turn
	})
}

// judgeProposal says why a proposal is not to be signed, or whether our user must be asked about
// it. What only concerns other seats is theirs to judge: our balance doesn't change by it.
func (t *txn) judgeProposal(p *proposal) (ask bool, code message.RejectCode, err error) {
	s := t.state
	want, err := t.nextLedger(p.Ledger.Version, p.Ledger.Closing, p.Bookings, p.Matches)
	if err != nil {
		return false, message.WrongLedger, err
	}
	if want.Digest(t.cfg.Domain) != p.digest {
		return false, message.WrongLedger, fmt.Errorf("%w: version %d does not follow from version %d", protocol.ErrTerms, p.Ledger.Version, p.Base)
	}
	if (s.wantClose || s.closing != nil) && len(p.Matches) > 0 || s.excludes(&p.Ledger) {
		return false, message.LedgerFrozen, ErrFrozen
	}
	for i := range p.Bookings {
		if err := t.checkBooking(p, &p.Bookings[i]); err != nil {
			return false, message.UnknownMatch, err
		}
	}
	if len(p.Matches)+len(s.offered) > maxOffered {
		return false, message.LedgerFrozen, protocol.ErrBusy
	}
	for i := range p.Matches {
		terms := &p.Matches[i]
		switch err := t.mayPlay(terms); {
		case errors.Is(err, ErrCheap):
			return false, message.TooCheap, err
		case err != nil:
			return false, message.UnknownMatch, err
		}
		ours := slices.Contains(terms.Seats, uint8(t.cfg.Seat))
		ask = ask || ours && (t.cfg.Policy.Approve == nil || !t.cfg.Policy.Approve(terms))
	}
	return ask, 0, nil
}
