package channel

import (
	"slices"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Envelope puts a message of a channel into the form in which peers send it. The id is zero for the messages that
// belong to none: those of a meeting and of an opening. The result shares memory with the message.
func Envelope(channelID common.Hash, m Message) *antev1.Envelope {
	e := &antev1.Envelope{}
	if channelID != (common.Hash{}) {
		e.ChannelId = channelID[:]
	}
	switch m := m.(type) {
	case OpenOffer:
		e.Body = &antev1.Envelope_OpenOffer{OpenOffer: &antev1.OpenOffer{Terms: encodeTerms(&m.Terms), Memo: m.Memo}}
	case OpenReply:
		e.Body = &antev1.Envelope_OpenReply{OpenReply: encodeOpenReply(&m)}
	case Propose:
		e.Body = &antev1.Envelope_Propose{Propose: encodePropose(&m)}
	case Approve:
		e.Body = &antev1.Envelope_Approve{Approve: &antev1.Approve{Version: m.Version, Digest: m.Digest[:],
			Signature: m.Signature[:], Starts: encodeAll(m.Starts, encodeCountersign)}}
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
			SignedDigest: m.SignedDigest[:], SignedBy: uint32(m.SignedBy), Matches: encodeAll(m.Matches, encodeMark), Reply: m.Reply}}
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

func encodeAll[T, P any](list []T, encode func(*T) P) []P {
	out := slices.Grow([]P(nil), len(list))
	for i := range list {
		out = append(out, encode(&list[i]))
	}
	return out
}

func encodeAmount(v *uint256.Int) []byte         { return v.Bytes() }
func encodeAddress(a *common.Address) []byte     { return a[:] }
func encodeHash(h *common.Hash) []byte           { return h[:] }
func encodeAmounts(list []uint256.Int) [][]byte  { return encodeAll(list, encodeAmount) }
func encodeSignatures(list []Signature) [][]byte { return encodeAll(list, encodeHeld) }

// encodeHeld encodes a signature that may be missing.
func encodeHeld(s *Signature) []byte {
	if *s == (Signature{}) {
		return nil
	}
	return s[:]
}

func encodeTerms(t *Terms) *antev1.ChannelTerms {
	return &antev1.ChannelTerms{Players: encodeAll(t.Players, encodeAddress), Signers: encodeAll(t.Signers, encodeAddress),
		Asset: t.Asset[:], Deposits: encodeAmounts(t.Deposits), Window: t.Window, OpenBy: t.OpenBy, Salt: t.Salt[:]}
}

func encodeOpenReply(m *OpenReply) *antev1.OpenReply {
	out := &antev1.OpenReply{Decline: m.Decline, OfferId: m.OfferID[:], Signatures: m.Signatures, Again: m.Again}
	if m.Decline == "" {
		out.Terms = encodeTerms(&m.Terms)
	}
	return out
}

func encodeLedger(l *Ledger) *antev1.Ledger {
	return &antev1.Ledger{ChannelId: l.ChannelID[:], Version: l.Version, Closing: l.Closing,
		Balances: encodeAmounts(l.Balances), Locks: encodeAll(l.Locks, encodeLock)}
}

func encodeLock(l *Lock) *antev1.Lock {
	return &antev1.Lock{MatchId: l.MatchID[:], Stakes: encodeAmounts(l.Stakes)}
}

func encodeSignedLedger(l *SignedLedger) *antev1.SignedLedger {
	return &antev1.SignedLedger{Ledger: encodeLedger(&l.Ledger), Signatures: encodeSignatures(l.Signatures)}
}

func encodeMatchTerms(m *MatchTerms) *antev1.MatchTerms {
	return &antev1.MatchTerms{ChannelId: m.ChannelID[:], Nonce: m.Nonce, Rules: m.Rules[:], Seats: m.Seats,
		Stakes: encodeAmounts(m.Stakes), Params: m.Params}
}

func encodePropose(m *Propose) *antev1.Propose {
	return &antev1.Propose{Ledger: encodeLedger(&m.Ledger), Signatures: encodeSignatures(m.Signatures), BaseVersion: m.Base,
		Matches: encodeAll(m.Matches, encodeMatchTerms), Bookings: encodeAll(m.Bookings, encodeBooking)}
}

func encodeBooking(b *Booking) *antev1.Booking {
	out := &antev1.Booking{MatchId: b.MatchID[:], Turn: uint64(b.Turn), Payouts: encodeAmounts(b.Payouts)}
	if b.Agreement != nil {
		out.Agreement = encodeSignedAgreement(b.Agreement)
	}
	return out
}

func encodeSignedAgreement(a *SignedAgreement) *antev1.SignedAgreement {
	return &antev1.SignedAgreement{MatchId: a.MatchID[:], Turn: uint64(a.Turn), Payouts: encodeAmounts(a.Payouts),
		Signatures: encodeSignatures(a.Signatures)}
}

func encodeCountersign(c *Countersign) *antev1.Countersign {
	return &antev1.Countersign{MatchId: c.MatchID[:], Turn: uint64(c.Turn), Seat: uint32(c.Seat), State: c.State[:], Signature: c.Signature[:]}
}

func encodeAgreementSignature(a *AgreementSignature) *antev1.AgreementSignature {
	return &antev1.AgreementSignature{MatchId: a.MatchID[:], Turn: uint64(a.Turn), Payouts: encodeAmounts(a.Payouts),
		Seat: uint32(a.Seat), Signature: a.Signature[:]}
}

func encodeMark(m *MatchMark) *antev1.MatchMark {
	return &antev1.MatchMark{MatchId: m.MatchID[:], Turn: uint64(m.Turn), State: m.State[:], SignedBy: uint32(m.SignedBy),
		AgreedBy: uint32(m.AgreedBy), Passed: uint64(m.Passed)}
}

func encodeSyncReply(m *SyncReply) *antev1.SyncReply {
	out := &antev1.SyncReply{Matches: encodeAll(m.Matches, encodeMatchTerms),
		Agreements: encodeAll(m.Agreements, encodeAgreementSignature)}
	if m.Ledger != nil {
		out.Ledger = encodeSignedLedger(m.Ledger)
	}
	if m.Pending != nil {
		out.Pending = encodePropose(m.Pending)
	}
	if m.Support != nil {
		out.Support = encodeSupport(m.MatchID, m.Support)
	}
	return out
}

func encodeSupport(matchID common.Hash, s *Support) *antev1.Support {
	return &antev1.Support{MatchId: matchID[:], Turn: uint64(s.Turn), Base: s.Base, Moves: s.Moves,
		Signatures: encodeAll(s.Signatures, encodeSeatSignature)}
}

func encodeSeatSignature(s *SeatSignature) *antev1.SeatSignature {
	return &antev1.SeatSignature{At: uint32(s.At), Seat: uint32(s.Seat), Signature: s.Signature[:]}
}
