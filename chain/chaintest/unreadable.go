package chaintest

import (
	"math"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Unreadable returns what has the Arena repeat a signature that is none: in a channel that was
// never opened, a match whose rules are no contract.
func Unreadable(d protocol.Domain) (onchain.Advance, error) {
	seats := []*protocol.Key{protocoltest.Key("one"), protocoltest.Key("two")}
	terms := protocoltest.Terms(len(seats))
	for i, k := range seats {
		terms.Signers[i] = k.Address()
	}
	id, stakes := terms.ID(d), make([]uint256.Int, len(seats))
	m := protocol.MatchTerms{ChannelID: id, Nonce: 2 << 8, Rules: common.Address{1}, Seats: []uint8{0, 1}, Stakes: stakes}
	l := protocol.SignedLedger{Ledger: protocol.Ledger{
		ChannelID: id, Version: 2, Balances: terms.Deposits, Locks: []protocol.Lock{{MatchID: m.ID(d), Stakes: stakes}},
	}}
	for _, k := range seats {
		sig, err := k.Sign(l.Digest(d))
		if err != nil {
			return onchain.Advance{}, err
		}
		l.Signatures = append(l.Signatures, sig)
	}
	demand, err := seats[0].Sign(protocol.Demand{MatchID: m.ID(d)}.Digest(d))
	support := protocol.Support{Signatures: []protocol.SeatSignature{{}}}
	return onchain.Advance{Terms: terms, Ledger: &l, Match: m, Support: support, Demand: &demand}, err
}

// OpenForever returns the opening of a channel of nothing that could be opened as late as a number
// says: the Arena takes any.
func OpenForever(d protocol.Domain, window uint64) (onchain.Open, error) {
	t := protocoltest.Terms(2)
	t.Window, t.OpenBy, t.Deposits = window, math.MaxUint64, make([]uint256.Int, 2)
	open := onchain.Open{Terms: t, Signatures: make([][]byte, 2)}
	for i, name := range []string{"one", "two"} {
		open.Terms.Players[i] = protocoltest.Key(name).Address()
	}
	for i, name := range []string{"one", "two"} {
		sig, err := protocoltest.Key(name).Sign(open.Terms.ID(d))
		if err != nil {
			return open, err
		}
		open.Signatures[i] = sig[:]
	}
	return open, nil
}
