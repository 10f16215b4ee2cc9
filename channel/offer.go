package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// offer is an agreement that some of its seats have signed.
type offer struct {
	protocol.Agreement
	by   uint8 // who offered it
	sigs []protocol.Signature
}

func (o *offer) signedBy() (mask uint16) {
	for i := range o.sigs {
		if o.sigs[i] != (protocol.Signature{}) {
			mask |= 1 << i
		}
	}
	return mask
}

func (o *offer) full() bool { return int(o.signedBy()) == 1<<len(o.sigs)-1 }

func (o *offer) same(a *protocol.Agreement) bool {
	return o.Turn == a.Turn && slices.Equal(o.Payouts, a.Payouts)
}

// drawing reports whether the chain is on move. Nothing is agreed then: everybody can make the
// chain's move, which kills an agreement, so that whoever holds one could wait for the draw and
// choose.
func (m *match) drawing() bool { return m.last().mover == games.Chance }

// agreement returns the agreement that all seats signed and that no later position has killed, or
// nil. Should there be two, every seat takes that of the lowest seat.
func (m *match) agreement() *protocol.SignedAgreement {
	for i := range m.offers {
		if o := &m.offers[i]; o.full() {
			return &protocol.SignedAgreement{Agreement: o.Agreement, Signatures: o.sigs}
		}
	}
	return nil
}

// repeatConsent says again that we signed an agreement that all have signed: what the seats say of
// where they are does not tell it from offers that cross.
func (m side) repeatConsent() {
	for i := range m.offers {
		if o := &m.offers[i]; o.full() && !m.released {
			m.tell(message.AgreementSignature{Agreement: o.Agreement, Seat: uint8(m.seat), Signature: o.sigs[m.seat]})
			return
		}
	}
}

// mayAgree says why no agreement can be signed off-chain now, if so.
func (m side) mayAgree(turn protocol.Turn) error {
	switch {
	case m.match == nil || !m.plays() || m.released:
		return ErrNoMatch
	case m.state.silent() != nil:
		return m.state.silent()
	case turn != m.last().turn:
		return ErrStale
	case m.over() || m.decided() || m.agreement() != nil:
		return ErrOver
	case m.frozen():
		return ErrFrozen
	case m.drawing():
		return ErrChainMoves
	case protocol.MarkOf(turn) < m.consented:
		return ErrSigned // on a line that another has replaced
	}
	return nil
}

func (t *txn) offerAgreement(id common.Hash, turn protocol.Turn, payouts []uint256.Int) error {
	m := t.find(id)
	if err := t.side(m).mayAgree(turn); err != nil {
		return err
	}
	return t.side(m).signAgreement(protocol.Agreement{MatchID: m.id, Turn: turn, Payouts: slices.Clone(payouts)}, uint8(m.seat))
}

func (t *txn) concede(in Concede) error {
	m := t.find(in.MatchID)
	if err := t.side(m).mayAgree(in.Turn); err != nil {
		return err
	}
	if len(m.terms.Seats) != 2 {
		return fmt.Errorf("%w: only a match of two seats can be conceded; offer an agreement", protocol.ErrTerms)
	}
	payouts := make([]uint256.Int, 2)
	payouts[1-m.seat].Add(&m.terms.Stakes[0], &m.terms.Stakes[1])
	if payouts[1-m.seat].IsZero() {
		return fmt.Errorf("%w: nothing is staked in it that could be given away; offer an agreement, which is a draw, or play on", protocol.ErrTerms)
	}
	return t.side(m).signAgreement(protocol.Agreement{MatchID: m.id, Turn: in.Turn, Payouts: payouts}, uint8(m.seat))
}

func (t *txn) acceptAgreement(in AcceptAgreement) error {
	m := t.find(in.MatchID)
	if err := t.side(m).mayAgree(in.Turn); err != nil {
		return err
	}
	for i := range m.offers {
		if m.offers[i].by == in.Seat && slices.Equal(m.offers[i].Payouts, in.Payouts) {
			return t.side(m).signAgreement(m.offers[i].Agreement, in.Seat)
		}
	}
	return ErrStale
}

// signAgreement signs an agreement and tells the others. An agreement of the newest turn binds
// until anybody moves.
func (m side) signAgreement(a protocol.Agreement, by uint8) error {
	if err := m.checkAgreement(&a); err != nil {
		return err
	}
	if err := m.consent(&a); err != nil {
		return err
	}
	sig, err := m.sign(m.consents[len(m.consents)-1])
	if err != nil {
		return err
	}
	m.tell(message.AgreementSignature{Agreement: a, Seat: uint8(m.seat), Signature: sig})
	m.putOffer(a, by, m.seat, sig)
	return nil
}

// maxConsents caps the agreements that we sign at one turn: each is remembered until we sign one of
// a later turn.
const maxConsents = 64

// consent remembers, last, an agreement that we are about to sign.
func (m side) consent(a *protocol.Agreement) error {
	digest, known := a.Digest(m.cfg.Domain), []common.Hash(nil)
	if m.consented == protocol.MarkOf(a.Turn) {
		known = slices.DeleteFunc(slices.Clone(m.consents), func(h common.Hash) bool { return h == digest })
	}
	if len(known) >= maxConsents {
		return fmt.Errorf("%w: %d agreements are signed at turn %s", protocol.ErrBusy, len(known), a.Turn)
	}
	m.edit()
	known = append(known, digest)
	m.consented, m.consents = protocol.MarkOf(a.Turn), known
	return nil
}

func (m *match) checkAgreement(a *protocol.Agreement) error {
	if len(a.Payouts) != len(m.terms.Seats) {
		return fmt.Errorf("%w: %d payouts for %d seats", protocol.ErrTerms, len(a.Payouts), len(m.terms.Seats))
	}
	return protocol.SameSum(a.Payouts, m.terms.Stakes)
}

// putOffer keeps a signature of an offered agreement. A seat's new offer replaces its old one.
func (m side) putOffer(a protocol.Agreement, by uint8, seat int, sig protocol.Signature) {
	m.edit()
	offers := slices.Clone(m.offers)
	i := slices.IndexFunc(offers, func(o offer) bool { return o.same(&a) })
	if i < 0 {
		offers = slices.DeleteFunc(offers, func(o offer) bool { return o.by == by })
		i, _ = slices.BinarySearchFunc(offers, by, func(o offer, by uint8) int { return int(o.by) - int(by) })
		offers = slices.Insert(offers, i, offer{Agreement: a, by: by, sigs: make([]protocol.Signature, len(m.terms.Seats))})
	}
	o := &offers[i]
	o.sigs = slices.Clone(o.sigs)
	o.sigs[seat] = sig
	m.offers = offers
	if o.full() {
		m.event(AgreementReached{Agreement: protocol.SignedAgreement{Agreement: o.Agreement, Signatures: o.sigs}})
	}
}

func (t *txn) receiveAgreement(from int, msg *message.AgreementSignature) error {
	m := t.find(msg.MatchID)
	if m == nil {
		t.catchUp(from)
		return nil
	}
	if !m.plays() || m.released || m.over() || m.decided() || m.drawing() || msg.Turn < m.last().turn {
		return nil
	}
	if msg.Turn > m.last().turn {
		t.catchUp(from)
		return nil
	}
	seat := int(msg.Seat)
	if seat >= len(m.terms.Seats) {
		return fmt.Errorf("%w: agreement of seat %d", ErrPeer, seat)
	}
	if err := m.checkAgreement(&msg.Agreement); err != nil {
		return fmt.Errorf("%w: %w", ErrPeer, err)
	}
	for i := range m.offers {
		if o := &m.offers[i]; o.same(&msg.Agreement) && o.sigs[seat] == msg.Signature || o.full() {
			return nil
		}
	}
	if err := msg.Signature.Verify(msg.Digest(t.cfg.Domain), t.cfg.Terms.Signers[m.terms.Seats[seat]]); err != nil {
		return fmt.Errorf("%w: agreement: %w", ErrPeer, err)
	}
	t.side(m).putOffer(msg.Agreement, msg.Seat, seat, msg.Signature)
	if seat == m.seat {
		return nil // our own, from before a restore
	}
	return t.side(m).answerOffer(&msg.Agreement, msg.Seat)
}

// answerOffer accepts at once what leaves nothing to ask for, and tells the user of anything else.
func (m side) answerOffer(a *protocol.Agreement, by uint8) error {
	if m.agreement() != nil {
		return nil
	}
	if (m.takesAll(a) || m.givesBack(a, by)) && m.mayAgree(a.Turn) == nil {
		return m.signAgreement(*a, by)
	}
	m.event(AgreementOffered{Agreement: *a, Seat: by})
	return nil
}

// takesAll reports whether an agreement gives us something, and the others nothing. Without stakes
// none does: it is a draw for the score board, also for who is losing.
func (m *match) takesAll(a *protocol.Agreement) bool {
	for seat := range a.Payouts {
		if a.Payouts[seat].IsZero() == (seat == m.seat) {
			return false
		}
	}
	return true
}
