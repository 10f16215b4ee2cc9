package codec

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// The functions named after what they pack write it as it is: what the Arena would refuse, it shall
// refuse.

func (p *packer) terms(t *protocol.Terms) {
	p.count(t.Seats())
	p.raw(t.Asset[:])
	p.uint64(t.Window)
	p.addresses(t.Players)
	p.addresses(t.Signers)
	p.amounts(t.Deposits)
	p.uint64(t.OpenBy)
	p.hash(t.Salt)
}

func termsIn(in []byte) (protocol.Terms, error) {
	u := unpacker{in: in}
	n := int(u.uint8())
	t := protocol.Terms{Asset: u.address(), Window: u.uint64()}
	t.Players, t.Signers, t.Deposits = u.addresses(n), u.addresses(n), u.amounts(n)
	t.OpenBy, t.Salt = u.uint64(), u.hash()
	return t, u.end("terms")
}

func (p *packer) ledger(l *protocol.Ledger) {
	p.uint64(l.Version)
	if l.Closing {
		p.uint8(1)
	} else {
		p.uint8(0)
	}
	p.count(len(l.Balances))
	p.amounts(l.Balances)
	p.count(len(l.Locks))
	for i := range l.Locks {
		p.hash(l.Locks[i].MatchID)
		p.count(len(l.Locks[i].Stakes))
		p.amounts(l.Locks[i].Stakes)
	}
}

func ledgerIn(id common.Hash, in []byte) (protocol.Ledger, error) {
	u := unpacker{in: in}
	l := protocol.Ledger{ChannelID: id, Version: u.uint64(), Closing: u.uint8() == 1}
	l.Balances = u.amounts(int(u.uint8()))
	for range u.uint8() {
		l.Locks = append(l.Locks, protocol.Lock{MatchID: u.hash(), Stakes: u.amounts(int(u.uint8()))})
	}
	return l, u.end("ledger")
}

func (p *packer) match(m *protocol.MatchTerms) {
	p.uint64(m.Nonce)
	p.raw(m.Rules[:])
	p.count(len(m.Seats))
	p.raw(m.Seats)
	p.amounts(m.Stakes)
	p.raw(m.Params)
}

// game packs what judging a recorded match takes.
func (p *packer) game(id common.Hash, t *protocol.Terms, m *protocol.MatchTerms) {
	p.hash(m.ChannelID)
	p.hash(id)
	p.raw(m.Rules[:])
	p.uint64(t.Window)
	p.count(len(m.Seats))
	for _, s := range m.Seats {
		if int(s) >= len(t.Signers) {
			p.fail("the match has seat %d in a channel of %d", s, len(t.Signers))
			return
		}
		p.raw(t.Signers[s][:])
	}
	p.amounts(m.Stakes)
	p.part(m.Params)
}

// claim packs a record with its state in place of the state's hash.
func (p *packer) claim(id common.Hash, a *onchain.Expire) {
	p.game(id, &a.Terms, &a.Match)
	var record packer
	record.record(&a.Record)
	if record.err != nil {
		p.fail("%w", record.err)
	}
	p.raw(record.out[min(len(record.out), len(a.Record.State)):])
	p.raw(a.State)
}

// final packs a match to pay out, which the ledger must lock.
func (p *packer) final(id common.Hash, l *protocol.Ledger, f *onchain.FinalMatch) {
	at := slices.IndexFunc(l.Locks, func(lock protocol.Lock) bool { return lock.MatchID == id })
	if at < 0 {
		p.fail("the ledger doesn't lock match %s", id)
		return
	}
	p.count(at)
	p.raw(f.Terms.Rules[:])
	p.raw(f.Terms.Seats)
	p.part(f.Terms.Params)
	var record packer
	record.record(&f.Record)
	if record.err != nil {
		p.fail("%w", record.err)
	}
	p.part(record.out)
}

func (p *packer) signatures(list []protocol.Signature) {
	for i := range list {
		p.raw(list[i][:])
	}
}

func signaturesIn(packed []byte) ([]protocol.Signature, error) {
	const length = len(protocol.Signature{})
	if len(packed)%length != 0 {
		return nil, fmt.Errorf("%d bytes of signatures, want a multiple of %d", len(packed), length)
	}
	var list []protocol.Signature
	for part := range slices.Chunk(packed, length) {
		s, err := protocol.ParseSignature(part)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func amountsOut(list []uint256.Int) []*big.Int {
	out := make([]*big.Int, len(list))
	for i := range list {
		out[i] = list[i].ToBig()
	}
	return out
}

func amountsIn(list []*big.Int) ([]uint256.Int, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]uint256.Int, len(list))
	for i, v := range list {
		if v.Sign() < 0 || out[i].SetFromBig(v) {
			return nil, fmt.Errorf("amount %s is no 256-bit number", v)
		}
	}
	return out, nil
}
