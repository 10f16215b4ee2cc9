package codec

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// A byte less or more than a value has is refused, wherever its end is.
func TestValuesAreExact(t *testing.T) {
	record := protocol.Record{Status: protocol.MatchLive, Turn: 1, Marks: []protocol.Mark{1, 1}, Spent: []uint64{0, 0}}
	support := protocol.Support{Turn: 7, Base: []byte("base"), Moves: [][]byte{{1}, {2, 3}}, Signatures: []protocol.SeatSignature{{Signature: wellFormed(4)}}}
	for name, c := range map[string]struct {
		whole []byte
		read  func([]byte) error
		fewer []int // sizes of one with fewer seats or signatures
	}{
		"terms":   {written(t, func(p *packer) { p.terms(&terms) }), func(b []byte) error { _, err := termsIn(b); return err }, nil},
		"record":  {written(t, func(p *packer) { p.record(&record) }), func(b []byte) error { _, err := recordIn(b); return err }, []int{76, 90}},
		"support": {written(t, func(p *packer) { p.support(&support) }), func(b []byte) error { _, err := supportIn(b); return err }, []int{23}},
	} {
		if err := c.read(c.whole); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := 1; n < len(c.whole); n++ {
			if err := c.read(c.whole[:n]); err == nil && !slices.Contains(c.fewer, n) {
				t.Errorf("%s: %d of %d bytes are taken", name, n, len(c.whole))
			}
		}
		if err := c.read(append(slices.Clone(c.whole), 0)); err == nil {
			t.Errorf("%s: a byte too many is taken", name)
		}
	}
	if r, err := recordIn(nil); err != nil || r.Status != protocol.MatchUnknown {
		t.Errorf("nothing is known: %+v, %v", r, err)
	}
	if b := written(t, func(p *packer) { p.record(&protocol.Record{Turn: 5}) }); len(b) != 0 {
		t.Errorf("what nobody knows is written as %x", b)
	}
}

// TestFinalMatch: a match to pay out is told by all of its terms, each with its length.
func TestFinalMatch(t *testing.T) {
	l := protocol.Ledger{Locks: []protocol.Lock{{MatchID: common.Hash{1}}, {MatchID: common.Hash{2}}}}
	f := onchain.FinalMatch{Terms: protocol.MatchTerms{Rules: common.Address{3}, Seats: []uint8{4, 5}, Params: []byte("params")}}
	got := written(t, func(p *packer) { p.final(common.Hash{2}, &l, &f) })
	want := slices.Concat([]byte{1}, f.Terms.Rules[:], f.Terms.Seats, []byte{0, 6}, f.Terms.Params, []byte{0, 0})
	if !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// What a call can't carry is refused, and what it just can is not.
func TestWhatACallCarries(t *testing.T) {
	for n, ok := range map[int]bool{255: true, 256: false} {
		var p packer
		if p.count(n); (p.err == nil) != ok {
			t.Errorf("%d things: %v", n, p.err)
		}
	}
	for at, ok := range map[uint64]bool{protocol.MaxDeadline: true, protocol.MaxDeadline + 1: false} {
		var p packer
		if p.time(at); (p.err == nil) != ok {
			t.Errorf("the time %d: %v", at, p.err)
		}
	}
	for n, ok := range map[int]bool{65535: true, 65536: false} {
		var p, whole packer
		if p.part(make([]byte, n)); (p.err == nil) != ok {
			t.Errorf("%d bytes: %v", n, p.err)
		}
		// with its length it is too long either way
		if whole.support(&protocol.Support{Moves: [][]byte{make([]byte, n)}}); whole.err == nil {
			t.Errorf("a move of %d bytes", n)
		}
	}
	for _, v := range []*big.Int{big.NewInt(-1), new(big.Int).Lsh(big.NewInt(1), 256)} {
		if list, err := amountsIn([]*big.Int{v}); err == nil {
			t.Errorf("%v is read as %v", v, list)
		}
	}
	if list, err := amountsIn([]*big.Int{big.NewInt(7)}); err != nil || len(list) != 1 || list[0].Uint64() != 7 {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := amountsIn([]*big.Int{}); err != nil || list != nil {
		t.Errorf("no amounts: %#v, %v", list, err)
	}
	if s := short(make([]byte, 36)); strings.HasSuffix(s, "…") || len(s) != 72 {
		t.Errorf("36 bytes: %s", s)
	}
	if s := short(make([]byte, 37)); !strings.HasSuffix(s, "…") {
		t.Errorf("37 bytes: %s", s)
	}
}

// A call carries the moves that fit into a support, and not one byte more.
func TestMovesOfASupport(t *testing.T) {
	for _, size := range []int{2046, 3000, games.MaxMove} {
		var s protocol.Support
		for s.Fits(size) {
			s.Moves = append(s.Moves, make([]byte, size))
		}
		last := 0
		for s.Fits(last + 1) {
			last++
		}
		for more, ok := range []bool{true, false} {
			var p packer
			longer := protocol.Support{Moves: append(slices.Clip(s.Moves), make([]byte, last+more))}
			if p.support(&longer); (p.err == nil) != ok || (longer.Check(2) == nil) != ok {
				t.Errorf("%d moves of %d bytes and one of %d: %v, %v", len(s.Moves), size, last+more, p.err, longer.Check(2))
			}
		}
	}
}

// A proof, and results for the score board, are written part by part, in the order in which the
// contracts read them.
func TestPartsAreWritten(t *testing.T) {
	proof := protocol.Equivocation{MatchID: matchID, Turn: 0x0102, Seat: 3, States: [2]common.Hash{{4}, {5}}, Signatures: [2]protocol.Signature{wellFormed(6), wellFormed(7)}}
	call, err := New(domain).Encode(onchain.Convict{Terms: terms, Match: game, Proof: proof})
	if err != nil {
		t.Fatal(err)
	}
	want := binary.BigEndian.AppendUint64(nil, 0x0102)
	want = append(want, 3)
	for _, part := range [][]byte{proof.States[0][:], proof.States[1][:], proof.Signatures[0][:], proof.Signatures[1][:]} {
		want = append(want, part...)
	}
	if !bytes.Contains(call.Data, want) {
		t.Errorf("the proof is not in %x", call.Data)
	}
	r := protocol.SignedResult{Result: protocol.Result{Nonce: 9, Rules: common.Address{8}, Winners: 1, Losers: 2, Drawn: 4}, Signatures: []protocol.Signature{wellFormed(3)}}
	data, err := Record(&terms, []protocol.SignedResult{r})
	if err != nil {
		t.Fatal(err)
	}
	want = append(binary.BigEndian.AppendUint64(nil, 9), r.Rules[:]...)
	want = append(append(want, 0, 1, 0, 2, 0, 4), r.Signatures[0][:]...)
	if !bytes.Contains(data, want) || !bytes.Contains(data, written(t, func(p *packer) { p.terms(&terms) })) {
		t.Errorf("the result or the terms are not in %x", data)
	}
	paid, err := RecordPaid(&terms, &game, &protocol.Record{Status: protocol.MatchFinal, Turn: 0x0a0b, Payouts: amounts(1, 2)})
	if err != nil || !bytes.Contains(paid, written(t, func(p *packer) { p.uint64(0x0a0b) })) {
		t.Errorf("the record is not in %x, %v", paid, err)
	}
	state := []byte("what the match stands at")
	known := protocol.Record{Status: protocol.MatchLive, State: crypto.Keccak256Hash(state), Marks: []protocol.Mark{1, 1}, Spent: []uint64{0, 0}}
	claim, err := New(domain).Encode(onchain.Expire{Terms: terms, Match: game, Record: known, State: state})
	want = slices.Concat(written(t, func(p *packer) { p.record(&known) })[32:], state)
	if err != nil || !bytes.Contains(claim.Data, want) {
		t.Errorf("the record with its state is not in %x, %v", claim.Data, err)
	}
	many := terms
	many.Players = make([]common.Address, 256)
	if _, err := Record(&many, nil); err == nil {
		t.Error("256 players are written")
	}
}

// What a call carries besides its arguments, and what its form depends on.
func TestCallsByWhatTheySay(t *testing.T) {
	c := New(domain)
	call, err := c.Encode(onchain.Open{Terms: terms, Value: amounts(7)[0]})
	if err != nil || call.Value.Uint64() != 7 {
		t.Errorf("opened with %v, %v", &call.Value, err)
	}
	for _, closing := range []bool{false, true} {
		want := protocol.Ledger{ChannelID: channelID, Version: 2, Closing: closing, Balances: amounts(5, 6, 7)}
		if got, err := ledgerIn(channelID, written(t, func(p *packer) { p.ledger(&want) })); err != nil || got.Closing != closing || len(got.Balances) != 3 {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	ledger := &protocol.SignedLedger{Ledger: protocol.Ledger{ChannelID: channelID, Version: 2, Balances: amounts(5, 6, 7)}}
	unknown, err := c.Encode(onchain.Advance{Terms: terms, Match: game, Record: &protocol.Record{}, Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	if none, err := c.Encode(onchain.Advance{Terms: terms, Match: game, Ledger: ledger}); err != nil || !bytes.Equal(none.Data, unknown.Data) {
		t.Errorf("a record of nothing counts: %v", err)
	}
	if _, err := banked(common.Address{}, common.Address{}, new(big.Int).Lsh(big.NewInt(1), 256), true); err == nil {
		t.Error("an amount of 257 bits")
	}
}
