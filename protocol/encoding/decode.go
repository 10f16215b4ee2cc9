package encoding

import (
	"math"

	antev1 "github.com/ante-games/ante/proto/ante/v1"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// Terms reads a channel's terms.
func (d *Decoder) Terms(t *antev1.ChannelTerms) protocol.Terms {
	if !d.Need(t != nil, "channel terms") {
		return protocol.Terms{}
	}
	return protocol.Terms{Players: d.Addresses(t.Players, "player"), Signers: d.Addresses(t.Signers, "signer"),
		Asset: d.Address(t.Asset, "asset"), Deposits: d.Amounts(t.Deposits, "deposit"), Window: t.Window, OpenBy: t.OpenBy,
		Salt: d.Hash(t.Salt, "salt")}
}

// Ledger reads a ledger.
func (d *Decoder) Ledger(l *antev1.Ledger) protocol.Ledger {
	if !d.Need(l != nil, "ledger") {
		return protocol.Ledger{}
	}
	return protocol.Ledger{ChannelID: d.Hash(l.ChannelId, "channel id"), Version: l.Version, Closing: l.Closing,
		Balances: d.Amounts(l.Balances, "balances"), Locks: DecodeAll(d, l.Locks, protocol.MaxLocks, "locks", d.Lock)}
}

// Lock reads a lock.
func (d *Decoder) Lock(l *antev1.Lock, what string) protocol.Lock {
	if !d.Need(l != nil, what) {
		return protocol.Lock{}
	}
	return protocol.Lock{MatchID: d.Hash(l.MatchId, "match id"), Stakes: d.Amounts(l.Stakes, "stakes")}
}

// SignedLedger reads a signed ledger.
func (d *Decoder) SignedLedger(l *antev1.SignedLedger) protocol.SignedLedger {
	if !d.Need(l != nil, "signed ledger") {
		return protocol.SignedLedger{}
	}
	return protocol.SignedLedger{Ledger: d.Ledger(l.Ledger), Signatures: d.Signatures(l.Signatures, "signature of the ledger")}
}

// MatchTerms reads a match's terms.
func (d *Decoder) MatchTerms(m *antev1.MatchTerms, what string) protocol.MatchTerms {
	if !d.Need(m != nil, what) {
		return protocol.MatchTerms{}
	}
	return protocol.MatchTerms{ChannelID: d.Hash(m.ChannelId, "channel id"), Nonce: m.Nonce, Rules: d.Address(m.Rules, "rules"),
		Seats: d.Bytes(m.Seats, games.MaxSeats, "seats"), Stakes: d.Amounts(m.Stakes, "stakes"),
		Params: d.Bytes(m.Params, protocol.MaxParams, "parameters")}
}

// Booking reads a booking.
func (d *Decoder) Booking(b *antev1.Booking, what string) protocol.Booking {
	if !d.Need(b != nil, what) {
		return protocol.Booking{}
	}
	out := protocol.Booking{MatchID: d.Hash(b.MatchId, "match id"), Turn: protocol.Turn(b.Turn), Payouts: d.Amounts(b.Payouts, "payouts")}
	if b.Agreement != nil {
		a := d.SignedAgreement(b.Agreement)
		out.Agreement = &a
	}
	return out
}

// SignedAgreement reads a signed agreement.
func (d *Decoder) SignedAgreement(a *antev1.SignedAgreement) protocol.SignedAgreement {
	return protocol.SignedAgreement{
		Agreement:  protocol.Agreement{MatchID: d.Hash(a.MatchId, "match id"), Turn: protocol.Turn(a.Turn), Payouts: d.Amounts(a.Payouts, "payouts")},
		Signatures: d.Signatures(a.Signatures, "signature of the agreement"),
	}
}

// Support reads a support and the id of its match.
func (d *Decoder) Support(s *antev1.Support) (common.Hash, *protocol.Support) {
	out := &protocol.Support{Turn: protocol.Turn(s.Turn), Base: d.Bytes(s.Base, games.MaxState, "base state"),
		Moves: DecodeAll(d, s.Moves, protocol.MaxRun, "moves", func(b []byte, what string) []byte { return d.Bytes(b, games.MaxMove, what) }),
		Signatures: DecodeAll(d, s.Signatures, (protocol.MaxRun+1)*games.MaxSeats, "signatures", func(s *antev1.SeatSignature, what string) protocol.SeatSignature {
			if !d.Need(s != nil, what) {
				return protocol.SeatSignature{}
			}
			if s.At > math.MaxUint16 {
				d.Fail("signature of move %d", s.At)
			}
			return protocol.SeatSignature{At: uint16(s.At), Seat: d.Seat(s.Seat), Signature: d.Signature(s.Signature, what)}
		})}
	return d.Hash(s.MatchId, "match id"), out
}

// Equivocation reads a proof, whose MatchID the caller sets.
func (d *Decoder) Equivocation(r *antev1.Equivocation, what string) (e protocol.Equivocation) {
	if !d.Need(len(r.GetStates()) == 2 && len(r.GetSignatures()) == 2, what) {
		return e
	}
	e.Turn, e.Seat = protocol.Turn(r.Turn), d.Seat(r.Seat)
	for i := range 2 {
		e.States[i], e.Signatures[i] = d.Hash(r.States[i], what), d.Signature(r.Signatures[i], what)
	}
	return e
}

// DecodeDeputy reads the deputy of a player that a peer sent; nil stays nil. Errors wrap
// ErrMessage.
func DecodeDeputy(player common.Address, m *antev1.Deputy) (*protocol.SignedDeputy, error) {
	var d Decoder
	s := d.Deputy(player, m)
	return s, d.Err
}

// Deputy reads a player's deputy; nil stays nil.
func (d *Decoder) Deputy(player common.Address, m *antev1.Deputy) *protocol.SignedDeputy {
	if m == nil {
		return nil
	}
	return &protocol.SignedDeputy{
		Deputy:    protocol.Deputy{Player: player, Key: d.Address(m.Key, "deputy"), Expiry: m.Expiry},
		Signature: d.Bytes(m.Signature, protocol.MaxDeputySignature, "signature of the deputy"),
	}
}
