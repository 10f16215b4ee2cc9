package message

import (
	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ethereum/go-ethereum/common"
)

// FromEnvelope reads what Envelope made, strictly: exact lengths, amounts without leading zeros,
// signatures of the form that the Arena takes, counts and sizes within the caps. The message shares
// memory with the envelope. The error wraps ErrMessage. Unknown fields are the transport's to
// refuse.
func FromEnvelope(e *antev1.Envelope) (common.Hash, Message, error) {
	var d decoder
	m := d.message(e)
	var id common.Hash
	switch m.(type) {
	case OpenOffer, OpenReply, PostInvite, WithdrawInvite, RefuseInvite, ListInvites, InvitePage, Bid, EndBids, Nickname,
		RoundQuery, RoundEnd, RoundJoin, RoundNotice:
		if len(e.GetChannelId()) > 0 {
			d.Fail("a message of no channel names one")
		}
	default:
		id = d.Hash(e.GetChannelId(), "channel id")
	}
	if d.Err != nil {
		return common.Hash{}, nil, d.Err
	}
	return id, m, nil
}

// decoder reads the messages, too.
type decoder struct{ encoding.Decoder }

func (d *decoder) message(e *antev1.Envelope) Message {
	switch b := e.GetBody().(type) {
	case *antev1.Envelope_OpenOffer:
		if d.Need(b.OpenOffer != nil, "offer") {
			m := OpenOffer{Terms: d.Terms(b.OpenOffer.Terms), Memo: d.Text(b.OpenOffer.Memo, "memo")}
			if len(b.OpenOffer.Replaces) > 0 {
				m.Replaces = d.Hash(b.OpenOffer.Replaces, "replaced channel")
			}
			return m
		}
	case *antev1.Envelope_OpenReply:
		return d.openReply(b.OpenReply)
	case *antev1.Envelope_Propose:
		return DecodePropose(&d.Decoder, b.Propose)
	case *antev1.Envelope_Approve:
		if m := b.Approve; d.Need(m != nil, "approval") {
			return Approve{Version: m.Version, Digest: d.Hash(m.Digest, "digest"), Signature: d.Signature(m.Signature, "signature"),
				Starts: encoding.DecodeAll(&d.Decoder, m.Starts, protocol.MaxNew, "starts", d.countersign)}
		}
	case *antev1.Envelope_Reject:
		return d.reject(b.Reject)
	case *antev1.Envelope_Move:
		return d.move(b.Move)
	case *antev1.Envelope_Countersign:
		return d.countersign(b.Countersign, "countersignature")
	case *antev1.Envelope_Note:
		if m := b.Note; d.Need(m != nil, "note") {
			if len(m.Text) > games.MaxNote {
				d.Fail("note of %d bytes, at most %d", len(m.Text), games.MaxNote)
			}
			return Note{MatchID: d.Hash(m.MatchId, "match id"), Turn: protocol.Turn(m.Turn), Text: m.Text}
		}
	case *antev1.Envelope_Agreement:
		return d.agreementSignature(b.Agreement, "agreement")
	case *antev1.Envelope_Sync:
		if m := b.Sync; d.Need(m != nil, "sync") {
			return Sync{Version: m.Version, Signed: m.SignedVersion, SignedDigest: d.Hash(m.SignedDigest, "digest"),
				SignedBy: d.Mask(m.SignedBy), Matches: encoding.DecodeAll(&d.Decoder, m.Matches, protocol.MaxLocks, "matches", d.mark), Reply: m.Reply}
		}
	case *antev1.Envelope_Result:
		if m := b.Result; d.Need(m != nil, "result") {
			return ResultSignature{MatchID: d.Hash(m.MatchId, "match id"), Signature: d.Signature(m.Signature, "signature"), Reply: m.Reply}
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
		d.Need(m != nil, "the envelope's message")
		return m
	}
	return nil
}

func (d *decoder) openReply(m *antev1.OpenReply) Message {
	if !d.Need(m != nil, "reply") {
		return nil
	}
	out := OpenReply{Decline: d.Text(m.Decline, "reason"), OfferID: d.Hash(m.OfferId, "offer id"), Again: m.Again}
	out.Signatures = encoding.DecodeAll(&d.Decoder, m.Signatures, games.MaxSeats, "signatures", func(b []byte, what string) []byte {
		return d.Bytes(b, protocol.MaxPlayerSignature, what)
	})
	if out.Decline == "" {
		out.Terms = d.Terms(m.Terms)
		if m.Again != 0 {
			d.Fail("an accepting reply says when to offer again")
		}
	} else if m.Terms != nil || len(m.Signatures) > 0 {
		d.Fail("a declining reply carries terms or signatures")
	}
	return out
}

// DecodePropose reads a proposal.
func DecodePropose(d *encoding.Decoder, m *antev1.Propose) Propose {
	if !d.Need(m != nil, "proposal") {
		return Propose{}
	}
	return Propose{Ledger: d.Ledger(m.Ledger), Signatures: d.Signatures(m.Signatures, "signature of the ledger"),
		Base: m.BaseVersion, Matches: encoding.DecodeAll(d, m.Matches, protocol.MaxNew, "new matches", d.MatchTerms),
		Bookings: encoding.DecodeAll(d, m.Bookings, protocol.MaxLocks, "bookings", d.Booking)}
}

func (d *decoder) reject(m *antev1.Reject) Message {
	if !d.Need(m != nil, "rejection") {
		return nil
	}
	if m.Code <= 0 || m.Code > antev1.RejectCode(LedgerFrozen) {
		d.Fail("unknown code of a rejection")
	}
	return Reject{Version: m.Version, Digest: d.Hash(m.Digest, "digest"), Code: RejectCode(m.Code),
		Reason: d.Text(m.Reason, "reason"), Signed: m.SignedVersion}
}

func (d *decoder) move(m *antev1.Move) Message {
	if !d.Need(m != nil, "move") {
		return nil
	}
	out := Move{MatchID: d.Hash(m.MatchId, "match id"), Turn: protocol.Turn(m.Turn), Move: d.Bytes(m.Move, games.MaxMove, "move"),
		State: d.Hash(m.State, "state"), Signature: d.Signature(m.Signature, "signature")}
	if m.First != nil {
		first := d.countersign(m.First, "turn 0")
		out.First = &first
	}
	return out
}

func (d *decoder) countersign(m *antev1.Countersign, what string) Countersign {
	if !d.Need(m != nil, what) {
		return Countersign{}
	}
	return Countersign{MatchID: d.Hash(m.MatchId, "match id"), Turn: protocol.Turn(m.Turn), Seat: d.Seat(m.Seat),
		State: d.Hash(m.State, "state"), Signature: d.Signature(m.Signature, "signature")}
}

func (d *decoder) agreementSignature(m *antev1.AgreementSignature, what string) AgreementSignature {
	if !d.Need(m != nil, what) {
		return AgreementSignature{}
	}
	return AgreementSignature{
		Agreement: protocol.Agreement{MatchID: d.Hash(m.MatchId, "match id"), Turn: protocol.Turn(m.Turn), Payouts: d.Amounts(m.Payouts, "payouts")},
		Seat:      d.Seat(m.Seat), Signature: d.Signature(m.Signature, "signature"),
	}
}

func (d *decoder) mark(m *antev1.MatchMark, what string) MatchMark {
	if !d.Need(m != nil, what) {
		return MatchMark{}
	}
	return MatchMark{MatchID: d.Hash(m.MatchId, "match id"), Turn: protocol.Turn(m.Turn), State: d.Hash(m.State, "state"),
		SignedBy: d.Mask(m.SignedBy), AgreedBy: d.Mask(m.AgreedBy), Passed: protocol.Mark(m.Passed)}
}

func (d *decoder) syncReply(m *antev1.SyncReply) Message {
	if !d.Need(m != nil, "reply") {
		return nil
	}
	out := SyncReply{Matches: encoding.DecodeAll(&d.Decoder, m.Matches, protocol.MaxLocks, "matches", d.MatchTerms),
		Agreements: encoding.DecodeAll(&d.Decoder, m.Agreements, games.MaxSeats, "agreements", d.agreementSignature)}
	if m.Ledger != nil {
		l := d.SignedLedger(m.Ledger)
		out.Ledger = &l
	}
	if m.Pending != nil {
		p := DecodePropose(&d.Decoder, m.Pending)
		out.Pending = &p
	}
	if m.Support != nil {
		out.MatchID, out.Support = d.Support(m.Support)
	}
	return out
}
