package message

import (
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ethereum/go-ethereum/common"
)

// Envelope puts a message of a channel into the form in which peers send it. The id is zero for the
// messages that belong to none: those of a meeting and of an opening. The result shares memory with
// the message.
func Envelope(channelID common.Hash, m Message) *antev1.Envelope {
	e := &antev1.Envelope{}
	if channelID != (common.Hash{}) {
		e.ChannelId = channelID[:]
	}
	switch m := m.(type) {
	case OpenOffer:
		o := &antev1.OpenOffer{Terms: encoding.Terms(&m.Terms), Memo: m.Memo}
		if m.Replaces != (common.Hash{}) {
			o.Replaces = m.Replaces[:]
		}
		e.Body = &antev1.Envelope_OpenOffer{OpenOffer: o}
	case OpenReply:
		e.Body = &antev1.Envelope_OpenReply{OpenReply: encodeOpenReply(&m)}
	case Propose:
		e.Body = &antev1.Envelope_Propose{Propose: EncodePropose(&m)}
	case Approve:
		e.Body = &antev1.Envelope_Approve{Approve: &antev1.Approve{Version: m.Version, Digest: m.Digest[:],
			Signature: m.Signature[:], Starts: encoding.All(m.Starts, encodeCountersign)}}
	case Reject:
		e.Body = &antev1.Envelope_Reject{Reject: &antev1.Reject{Version: m.Version, Digest: m.Digest[:],
			Code: antev1.RejectCode(m.Code), Reason: m.Reason, SignedVersion: m.Signed}}
	case Move:
		body := &antev1.Move{MatchId: m.MatchID[:], Turn: uint64(m.Turn), Move: m.Move, State: m.State[:], Signature: m.Signature[:]}
		if m.First != nil {
			body.First = encodeCountersign(m.First)
		}
		e.Body = &antev1.Envelope_Move{Move: body}
	case Countersign:
		e.Body = &antev1.Envelope_Countersign{Countersign: encodeCountersign(&m)}
	case Note:
		e.Body = &antev1.Envelope_Note{Note: &antev1.Note{MatchId: m.MatchID[:], Turn: uint64(m.Turn), Text: m.Text}}
	case AgreementSignature:
		e.Body = &antev1.Envelope_Agreement{Agreement: encodeAgreementSignature(&m)}
	case Sync:
		e.Body = &antev1.Envelope_Sync{Sync: &antev1.Sync{Version: m.Version, SignedVersion: m.Signed,
			SignedDigest: m.SignedDigest[:], SignedBy: uint32(m.SignedBy), Matches: encoding.All(m.Matches, encodeMark), Reply: m.Reply}}
	case ResultSignature:
		e.Body = &antev1.Envelope_Result{Result: &antev1.ResultSignature{MatchId: m.MatchID[:], Signature: m.Signature[:], Reply: m.Reply}}
	case SyncReply:
		e.Body = &antev1.Envelope_SyncReply{SyncReply: encodeSyncReply(&m)}
	default:
		encodeMeeting(e, m)
		encodeRound(e, m)
		encodeTower(e, m)
	}
	return e
}

func encodeOpenReply(m *OpenReply) *antev1.OpenReply {
	out := &antev1.OpenReply{Decline: m.Decline, OfferId: m.OfferID[:], Signatures: m.Signatures, Again: m.Again}
	if m.Decline == "" {
		out.Terms = encoding.Terms(&m.Terms)
	}
	return out
}

// EncodePropose writes a proposal.
func EncodePropose(m *Propose) *antev1.Propose {
	return &antev1.Propose{Ledger: encoding.Ledger(&m.Ledger), Signatures: encoding.Signatures(m.Signatures), BaseVersion: m.Base,
		Matches: encoding.All(m.Matches, encoding.MatchTerms), Bookings: encoding.All(m.Bookings, encoding.Booking)}
}

func encodeCountersign(c *Countersign) *antev1.Countersign {
	return &antev1.Countersign{MatchId: c.MatchID[:], Turn: uint64(c.Turn), Seat: uint32(c.Seat), State: c.State[:], Signature: c.Signature[:]}
}

func encodeAgreementSignature(a *AgreementSignature) *antev1.AgreementSignature {
	return &antev1.AgreementSignature{MatchId: a.MatchID[:], Turn: uint64(a.Turn), Payouts: encoding.Amounts(a.Payouts),
		Seat: uint32(a.Seat), Signature: a.Signature[:]}
}

func encodeMark(m *MatchMark) *antev1.MatchMark {
	return &antev1.MatchMark{MatchId: m.MatchID[:], Turn: uint64(m.Turn), State: m.State[:], SignedBy: uint32(m.SignedBy),
		AgreedBy: uint32(m.AgreedBy), Passed: uint64(m.Passed)}
}

func encodeSyncReply(m *SyncReply) *antev1.SyncReply {
	out := &antev1.SyncReply{Matches: encoding.All(m.Matches, encoding.MatchTerms),
		Agreements: encoding.All(m.Agreements, encodeAgreementSignature)}
	if m.Ledger != nil {
		out.Ledger = encoding.SignedLedger(m.Ledger)
	}
	if m.Pending != nil {
		out.Pending = EncodePropose(m.Pending)
	}
	if m.Support != nil {
		out.Support = encoding.Support(m.MatchID, m.Support)
	}
	return out
}
