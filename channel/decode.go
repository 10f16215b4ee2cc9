package channel

import (
	"math"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// FromEnvelope reads what Envelope made, strictly: exact lengths, amounts without leading zeros, signatures of the form
// that the Arena takes, counts and sizes within the caps. The message shares memory with the envelope. The error wraps
// ErrMessage. Unknown fields are the transport's to refuse.
func FromEnvelope(e *antev1.Envelope) (common.Hash, Message, error) {
	var d decoder
	m := d.message(e)
	var id common.Hash
	switch m.(type) {
	case OpenOffer, OpenReply, PostInvite, WithdrawInvite, RefuseInvite, ListInvites, InvitePage, Bid, EndBids,
		RoundQuery, RoundEnd, RoundJoin, RoundNotice:
		if len(e.GetChannelId()) > 0 {
			d.fail("a message of no channel names one")
		}
	default:
		id = d.hash(e.GetChannelId(), "channel id")
	}
	if d.err != nil {
		return common.Hash{}, nil, d.err
	}
	return id, m, nil
}

func (d *decoder) message(e *antev1.Envelope) Message {
	switch b := e.GetBody().(type) {
	case *antev1.Envelope_OpenOffer:
		if d.need(b.OpenOffer != nil, "offer") {
			return OpenOffer{Terms: d.terms(b.OpenOffer.Terms), Memo: d.text(b.OpenOffer.Memo, "memo")}
		}
	case *antev1.Envelope_OpenReply:
		return d.openReply(b.OpenReply)
	case *antev1.Envelope_Propose:
		return d.propose(b.Propose)
	case *antev1.Envelope_Approve:
		if m := b.Approve; d.need(m != nil, "approval") {
			return Approve{Version: m.Version, Digest: d.hash(m.Digest, "digest"), Signature: d.signature(m.Signature, "signature"),
				Starts: decodeAll(d, m.Starts, MaxNew, "starts", d.countersign)}
		}
	case *antev1.Envelope_Reject:
		return d.reject(b.Reject)
	case *antev1.Envelope_Move:
		return d.move(b.Move)
	case *antev1.Envelope_Countersign:
		return d.countersign(b.Countersign, "countersignature")
	case *antev1.Envelope_Note:
		if m := b.Note; d.need(m != nil, "note") {
			if len(m.Text) > games.MaxNote {
				d.fail("note of %d bytes, at most %d", len(m.Text), games.MaxNote)
			}
			return Note{MatchID: d.hash(m.MatchId, "match id"), Turn: Turn(m.Turn), Text: m.Text}
		}
	case *antev1.Envelope_Agreement:
		return d.agreementSignature(b.Agreement, "agreement")
	case *antev1.Envelope_Sync:
		if m := b.Sync; d.need(m != nil, "sync") {
			return Sync{Version: m.Version, Signed: m.SignedVersion, SignedDigest: d.hash(m.SignedDigest, "digest"),
				SignedBy: d.mask(m.SignedBy), Matches: decodeAll(d, m.Matches, MaxLocks, "matches", d.mark), Reply: m.Reply}
		}
	case *antev1.Envelope_Result:
		if m := b.Result; d.need(m != nil, "result") {
			return ResultSignature{MatchID: d.hash(m.MatchId, "match id"), Signature: d.signature(m.Signature, "signature"), Reply: m.Reply}
		}
	case *antev1.Envelope_SyncReply:
		return d.syncReply(b.SyncReply)
	default:
		m := d.meeting(e)
		if m == nil {
			m = d.round(e)
		}
		if m == nil {
			m = d.tower(e)
		}
		d.need(m != nil, "the envelope's message")
		return m
	}
	return nil
}

func (d *decoder) terms(t *antev1.ChannelTerms) Terms {
	if !d.need(t != nil, "channel terms") {
		return Terms{}
	}
	return Terms{Players: d.addresses(t.Players, "player"), Signers: d.addresses(t.Signers, "signer"),
		Asset: d.address(t.Asset, "asset"), Deposits: d.amounts(t.Deposits, "deposit"), Window: t.Window, OpenBy: t.OpenBy,
		Salt: d.hash(t.Salt, "salt")}
}

func (d *decoder) openReply(m *antev1.OpenReply) Message {
	if !d.need(m != nil, "reply") {
		return nil
	}
	out := OpenReply{Decline: d.text(m.Decline, "reason"), OfferID: d.hash(m.OfferId, "offer id"), Again: m.Again}
	out.Signatures = decodeAll(d, m.Signatures, games.MaxSeats, "signatures", func(b []byte, what string) []byte {
		return d.bytes(b, maxPlayerSignature, what)
	})
	if out.Decline == "" {
		out.Terms = d.terms(m.Terms)
		if m.Again != 0 {
			d.fail("an accepting reply says when to offer again")
		}
	} else if m.Terms != nil || len(m.Signatures) > 0 {
		d.fail("a declining reply carries terms or signatures")
	}
	return out
}

func (d *decoder) ledger(l *antev1.Ledger) Ledger {
	if !d.need(l != nil, "ledger") {
		return Ledger{}
	}
	return Ledger{ChannelID: d.hash(l.ChannelId, "channel id"), Version: l.Version, Closing: l.Closing,
		Balances: d.amounts(l.Balances, "balances"), Locks: decodeAll(d, l.Locks, MaxLocks, "locks", d.lock)}
}

func (d *decoder) lock(l *antev1.Lock, what string) Lock {
	if !d.need(l != nil, what) {
		return Lock{}
	}
	return Lock{MatchID: d.hash(l.MatchId, "match id"), Stakes: d.amounts(l.Stakes, "stakes")}
}

func (d *decoder) signedLedger(l *antev1.SignedLedger) SignedLedger {
	if !d.need(l != nil, "signed ledger") {
		return SignedLedger{}
	}
	return SignedLedger{Ledger: d.ledger(l.Ledger), Signatures: d.signatures(l.Signatures, "signature of the ledger")}
}

func (d *decoder) matchTerms(m *antev1.MatchTerms, what string) MatchTerms {
	if !d.need(m != nil, what) {
		return MatchTerms{}
	}
	return MatchTerms{ChannelID: d.hash(m.ChannelId, "channel id"), Nonce: m.Nonce, Rules: d.address(m.Rules, "rules"),
		Seats: d.bytes(m.Seats, games.MaxSeats, "seats"), Stakes: d.amounts(m.Stakes, "stakes"),
		Params: d.bytes(m.Params, MaxParams, "parameters")}
}

func (d *decoder) propose(m *antev1.Propose) Propose {
	if !d.need(m != nil, "proposal") {
		return Propose{}
	}
	return Propose{Ledger: d.ledger(m.Ledger), Signatures: d.signatures(m.Signatures, "signature of the ledger"),
		Base: m.BaseVersion, Matches: decodeAll(d, m.Matches, MaxNew, "new matches", d.matchTerms),
		Bookings: decodeAll(d, m.Bookings, MaxLocks, "bookings", d.booking)}
}

func (d *decoder) booking(b *antev1.Booking, what string) Booking {
	if !d.need(b != nil, what) {
		return Booking{}
	}
	out := Booking{MatchID: d.hash(b.MatchId, "match id"), Turn: Turn(b.Turn), Payouts: d.amounts(b.Payouts, "payouts")}
	if b.Agreement != nil {
		a := d.signedAgreement(b.Agreement)
		out.Agreement = &a
	}
	return out
}

func (d *decoder) signedAgreement(a *antev1.SignedAgreement) SignedAgreement {
	return SignedAgreement{
		Agreement:  Agreement{MatchID: d.hash(a.MatchId, "match id"), Turn: Turn(a.Turn), Payouts: d.amounts(a.Payouts, "payouts")},
		Signatures: d.signatures(a.Signatures, "signature of the agreement"),
	}
}

func (d *decoder) reject(m *antev1.Reject) Message {
	if !d.need(m != nil, "rejection") {
		return nil
	}
	if m.Code <= 0 || m.Code > antev1.RejectCode(LedgerFrozen) {
		d.fail("unknown code of a rejection")
	}
	return Reject{Version: m.Version, Digest: d.hash(m.Digest, "digest"), Code: RejectCode(m.Code),
		Reason: d.text(m.Reason, "reason"), Signed: m.SignedVersion}
}

func (d *decoder) move(m *antev1.Move) Message {
	if !d.need(m != nil, "move") {
		return nil
	}
	out := Move{MatchID: d.hash(m.MatchId, "match id"), Turn: Turn(m.Turn), Move: d.bytes(m.Move, games.MaxMove, "move"),
		State: d.hash(m.State, "state"), Signature: d.signature(m.Signature, "signature")}
	if m.First != nil {
		first := d.countersign(m.First, "turn 0")
		out.First = &first
	}
	return out
}

func (d *decoder) countersign(m *antev1.Countersign, what string) Countersign {
	if !d.need(m != nil, what) {
		return Countersign{}
	}
	return Countersign{MatchID: d.hash(m.MatchId, "match id"), Turn: Turn(m.Turn), Seat: d.seat(m.Seat),
		State: d.hash(m.State, "state"), Signature: d.signature(m.Signature, "signature")}
}

func (d *decoder) agreementSignature(m *antev1.AgreementSignature, what string) AgreementSignature {
	if !d.need(m != nil, what) {
		return AgreementSignature{}
	}
	return AgreementSignature{
		Agreement: Agreement{MatchID: d.hash(m.MatchId, "match id"), Turn: Turn(m.Turn), Payouts: d.amounts(m.Payouts, "payouts")},
		Seat:      d.seat(m.Seat), Signature: d.signature(m.Signature, "signature"),
	}
}

func (d *decoder) mark(m *antev1.MatchMark, what string) MatchMark {
	if !d.need(m != nil, what) {
		return MatchMark{}
	}
	return MatchMark{MatchID: d.hash(m.MatchId, "match id"), Turn: Turn(m.Turn), State: d.hash(m.State, "state"),
		SignedBy: d.mask(m.SignedBy), AgreedBy: d.mask(m.AgreedBy), Passed: Mark(m.Passed)}
}

func (d *decoder) syncReply(m *antev1.SyncReply) Message {
	if !d.need(m != nil, "reply") {
		return nil
	}
	out := SyncReply{Matches: decodeAll(d, m.Matches, MaxLocks, "matches", d.matchTerms),
		Agreements: decodeAll(d, m.Agreements, games.MaxSeats, "agreements", d.agreementSignature)}
	if m.Ledger != nil {
		l := d.signedLedger(m.Ledger)
		out.Ledger = &l
	}
	if m.Pending != nil {
		p := d.propose(m.Pending)
		out.Pending = &p
	}
	if m.Support != nil {
		out.MatchID, out.Support = d.support(m.Support)
	}
	return out
}

func (d *decoder) support(s *antev1.Support) (common.Hash, *Support) {
	out := &Support{Turn: Turn(s.Turn), Base: d.bytes(s.Base, games.MaxState, "base state"),
		Moves: decodeAll(d, s.Moves, MaxRun, "moves", func(b []byte, what string) []byte { return d.bytes(b, games.MaxMove, what) }),
		Signatures: decodeAll(d, s.Signatures, (MaxRun+1)*games.MaxSeats, "signatures", func(s *antev1.SeatSignature, what string) SeatSignature {
			if !d.need(s != nil, what) {
				return SeatSignature{}
			}
			if s.At > math.MaxUint16 {
				d.fail("signature of move %d", s.At)
			}
			return SeatSignature{At: uint16(s.At), Seat: d.seat(s.Seat), Signature: d.signature(s.Signature, what)}
		})}
	return d.hash(s.MatchId, "match id"), out
}
