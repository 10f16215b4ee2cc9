package encoding

import (
	"slices"

	antev1 "github.com/ante-games/ante/proto/ante/v1"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// All writes a list, each value by encode.
func All[T, P any](list []T, encode func(*T) P) []P {
	out := slices.Grow([]P(nil), len(list))
	for i := range list {
		out = append(out, encode(&list[i]))
	}
	return out
}

// amount writes an amount big-endian, without leading zeros.
func amount(v *uint256.Int) []byte { return v.Bytes() }

// Address writes an address.
func Address(a *common.Address) []byte { return a[:] }

// Hash writes a hash.
func Hash(h *common.Hash) []byte { return h[:] }

// Amounts writes a list of amounts.
func Amounts(list []uint256.Int) [][]byte { return All(list, amount) }

// Signatures writes a list of signatures of which some may be missing: those are empty.
func Signatures(list []protocol.Signature) [][]byte { return All(list, Held) }

// Held writes a signature that may be missing.
func Held(s *protocol.Signature) []byte {
	if *s == (protocol.Signature{}) {
		return nil
	}
	return s[:]
}

// Terms writes a channel's terms.
func Terms(t *protocol.Terms) *antev1.ChannelTerms {
	return &antev1.ChannelTerms{Players: All(t.Players, Address), Signers: All(t.Signers, Address),
		Asset: t.Asset[:], Deposits: Amounts(t.Deposits), Window: t.Window, OpenBy: t.OpenBy, Salt: t.Salt[:]}
}

// Ledger writes a ledger.
func Ledger(l *protocol.Ledger) *antev1.Ledger {
	return &antev1.Ledger{ChannelId: l.ChannelID[:], Version: l.Version, Closing: l.Closing,
		Balances: Amounts(l.Balances), Locks: All(l.Locks, lock)}
}

func lock(l *protocol.Lock) *antev1.Lock {
	return &antev1.Lock{MatchId: l.MatchID[:], Stakes: Amounts(l.Stakes)}
}

// SignedLedger writes a signed ledger.
func SignedLedger(l *protocol.SignedLedger) *antev1.SignedLedger {
	return &antev1.SignedLedger{Ledger: Ledger(&l.Ledger), Signatures: Signatures(l.Signatures)}
}

// MatchTerms writes a match's terms.
func MatchTerms(m *protocol.MatchTerms) *antev1.MatchTerms {
	return &antev1.MatchTerms{ChannelId: m.ChannelID[:], Nonce: m.Nonce, Rules: m.Rules[:], Seats: m.Seats,
		Stakes: Amounts(m.Stakes), Params: m.Params}
}

// Booking writes a booking.
func Booking(b *protocol.Booking) *antev1.Booking {
	out := &antev1.Booking{MatchId: b.MatchID[:], Turn: uint64(b.Turn), Payouts: Amounts(b.Payouts)}
	if b.Agreement != nil {
		out.Agreement = SignedAgreement(b.Agreement)
	}
	return out
}

// SignedAgreement writes a signed agreement.
func SignedAgreement(a *protocol.SignedAgreement) *antev1.SignedAgreement {
	return &antev1.SignedAgreement{MatchId: a.MatchID[:], Turn: uint64(a.Turn), Payouts: Amounts(a.Payouts),
		Signatures: Signatures(a.Signatures)}
}

// Support writes the support of a match.
func Support(matchID common.Hash, s *protocol.Support) *antev1.Support {
	return &antev1.Support{MatchId: matchID[:], Turn: uint64(s.Turn), Base: s.Base, Moves: s.Moves,
		Signatures: All(s.Signatures, seatSignature)}
}

// seatSignature writes one signature of a support.
func seatSignature(s *protocol.SeatSignature) *antev1.SeatSignature {
	return &antev1.SeatSignature{At: uint32(s.At), Seat: uint32(s.Seat), Signature: s.Signature[:]}
}

// Equivocation writes a proof of equivocation.
func Equivocation(e *protocol.Equivocation) *antev1.Equivocation {
	return &antev1.Equivocation{Turn: uint64(e.Turn), Seat: uint32(e.Seat),
		States:     [][]byte{e.States[0][:], e.States[1][:]},
		Signatures: [][]byte{e.Signatures[0][:], e.Signatures[1][:]}}
}

// Deputy puts a deputy into the form in which peers send it; nil stays nil.
func Deputy(s *protocol.SignedDeputy) *antev1.Deputy {
	if s == nil {
		return nil
	}
	return &antev1.Deputy{Key: s.Key[:], Expiry: s.Expiry, Signature: s.Signature}
}
