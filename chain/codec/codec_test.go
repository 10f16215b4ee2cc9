package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

var (
	domain = protocol.Domain{ChainID: 1337, Arena: common.Address{0xa2}}
	terms  = protocol.Terms{
		Players:  []common.Address{{1}, {2}, {3}},
		Signers:  []common.Address{{11}, {12}, {13}},
		Deposits: amounts(5, 6, 7), Window: 100, OpenBy: 1000, Salt: common.Hash{9},
	}
	channelID = terms.ID(domain)
	game      = protocol.MatchTerms{
		ChannelID: channelID, Nonce: 2 << 8, Rules: common.Address{7}, Seats: []uint8{0, 2}, Stakes: amounts(1, 2), Params: []byte("p"),
	}
	matchID = game.ID(domain)
)

func amounts(list ...uint64) []uint256.Int {
	out := make([]uint256.Int, len(list))
	for i, v := range list {
		out[i].SetUint64(v)
	}
	return out
}

// wellFormed is a signature of the strict form by nobody in particular.
func wellFormed(b byte) (s protocol.Signature) {
	s[0], s[32], s[64] = b|1, b|1, 27+b&1
	return s
}

func drawRecord(t *rapid.T) protocol.Record {
	times := rapid.Uint64Range(0, 1<<48-1)
	r := protocol.Record{
		Status: protocol.MatchStatus(rapid.IntRange(1, int(protocol.MatchFinal)).Draw(t, "status")),
		Turn:   protocol.Mark(rapid.Uint64().Draw(t, "turn")),
		State:  common.Hash(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "state")),
		Mover:  rapid.Byte().Draw(t, "mover"),
	}
	if r.Status != protocol.MatchFinal {
		r.Since, r.Clock, r.Deadline = times.Draw(t, "since"), times.Draw(t, "clock"), times.Draw(t, "deadline")
		r.Block, r.AgreedAt = rapid.Uint64().Draw(t, "block"), protocol.Mark(rapid.Uint64().Draw(t, "agreed at"))
	}
	for range rapid.IntRange(2, 16).Draw(t, "seats") {
		if r.Status != protocol.MatchFinal {
			r.Marks = append(r.Marks, protocol.Mark(rapid.Uint64().Draw(t, "mark")))
			r.Spent = append(r.Spent, times.Draw(t, "spent"))
		}
		if r.Status >= protocol.MatchAgreed {
			var v uint256.Int
			v.SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "payout"))
			r.Payouts = append(r.Payouts, v)
		}
	}
	return r
}

// written returns what a packer wrote.
func written(t interface{ Fatal(...any) }, write func(*packer)) []byte {
	var p packer
	write(&p)
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.out
}

// TestRecordSurvives: what an event tells can be supplied again to the bit.
func TestRecordSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecord(t)
		got, err := recordIn(written(t, func(p *packer) { p.record(&want) }))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestSupportSurvives(t *testing.T) {
	want := protocol.Support{
		Turn: 7, Base: []byte("base"), Moves: [][]byte{{1}, {2, 3}},
		Signatures: []protocol.SeatSignature{{At: 0, Seat: 1, Signature: wellFormed(4)}, {At: 2, Seat: 0, Signature: wellFormed(5)}},
	}
	got, err := supportIn(written(t, func(p *packer) { p.support(&want) }))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&want, got); d != "" {
		t.Error(d)
	}
}

func TestEncodeRefuses(t *testing.T) {
	c := New(domain)
	elsewhere := game
	elsewhere.ChannelID = common.Hash{1}
	outside := game
	outside.Seats = []uint8{0, 3}
	ledger := protocol.SignedLedger{Ledger: protocol.Ledger{ChannelID: common.Hash{1}, Version: 2, Balances: amounts(5, 6, 7)}}
	live := protocol.Record{Status: protocol.MatchLive, Turn: 1, Marks: []protocol.Mark{1, 1}, Spent: []uint64{0, 0}}
	late := live
	late.Deadline = 1 << 48
	uneven := live
	uneven.Spent = nil
	locking := protocol.FirstLedger(channelID, &terms)
	locking.Locks = []protocol.Lock{{MatchID: matchID, Stakes: game.Stakes}}
	for name, a := range map[string]onchain.Action{
		"nothing":                     nil,
		"a close of another channel":  onchain.Close{Terms: terms, Ledger: ledger},
		"a contest of another":        onchain.ContestLedger{Terms: terms, Ledger: ledger},
		"a settlement of another":     onchain.Settle{Terms: terms, Ledger: ledger.Ledger},
		"no ledger, no record":        onchain.Advance{Terms: terms, Match: game},
		"another's ledger":            onchain.Advance{Terms: terms, Match: game, Ledger: &ledger},
		"another's match":             onchain.Advance{Terms: terms, Match: elsewhere, Record: &live},
		"a seat that isn't there":     onchain.Advance{Terms: terms, Match: outside, Record: &live},
		"a signature past the end":    onchain.Advance{Terms: terms, Match: game, Record: &live, Support: protocol.Support{Signatures: []protocol.SeatSignature{{At: 1}}}},
		"a deadline beyond 48 bits":   onchain.Expire{Terms: terms, Match: game, Record: late},
		"marks without clocks":        onchain.DemandMove{Terms: terms, Match: game, Record: uneven},
		"an agreement of another":     onchain.Agree{Terms: terms, Match: game},
		"a proof against another":     onchain.Convict{Terms: terms, Match: game},
		"value in a batch":            onchain.Batch{onchain.Deposit{Amount: *uint256.NewInt(1)}},
		"a bad action in a batch":     onchain.Batch{onchain.Close{Terms: terms, Ledger: ledger}},
		"a settlement of a bad match": onchain.Settle{Terms: terms, Ledger: locking, Matches: []onchain.FinalMatch{{Terms: game, Record: uneven}}},
		"a match that isn't locked":   onchain.Settle{Terms: terms, Ledger: protocol.FirstLedger(channelID, &terms), Matches: []onchain.FinalMatch{{Terms: game, Record: live}}},
	} {
		if call, err := c.Encode(a); !errors.Is(err, ErrAction) {
			t.Errorf("%s: %x, %v", name, call.Data, err)
		}
	}
}

func TestABatchHasItsCalls(t *testing.T) {
	c := New(domain)
	list := onchain.Batch{
		onchain.Withdraw{Amount: *uint256.NewInt(1), To: common.Address{1}}, onchain.Withdraw{Amount: *uint256.NewInt(2), To: common.Address{2}},
	}
	batch, err := c.Encode(list)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range list {
		if call, err := c.Encode(a); err != nil || !bytes.Contains(batch.Data, call.Data) {
			t.Errorf("call %d is not in the batch: %v", i, err)
		}
	}
}

func TestDepositSendsValueForEthOnly(t *testing.T) {
	c := New(domain)
	for _, asset := range []common.Address{{}, {5}} {
		call, err := c.Encode(onchain.Deposit{Asset: asset, Account: common.Address{1}, Amount: *uint256.NewInt(9)})
		if err != nil {
			t.Fatal(err)
		}
		if want := asset == (common.Address{}); call.Value.IsZero() == want {
			t.Errorf("asset %s: value %s", asset, call.Value.Dec())
		}
	}
}

// log packs an event as the Arena would.
func log(t testing.TB, name string, topics []common.Hash, values ...any) types.Log {
	t.Helper()
	ev := arenaABI().Events[name]
	data, err := ev.Inputs.NonIndexed().Pack(values...)
	if err != nil {
		t.Fatal(err)
	}
	return types.Log{Topics: append([]common.Hash{ev.ID}, topics...), Data: data}
}

// someLogs has a log of every event, and what it says.
func someLogs(t testing.TB) map[string]struct {
	log  types.Log
	want onchain.Event
} {
	t.Helper()
	record := protocol.Record{
		Status: protocol.MatchAgreed, Turn: 4, State: common.Hash{3}, Mover: 1, Marks: []protocol.Mark{3, 4}, Spent: []uint64{8, 0},
		Since: 5, Deadline: 105, Block: 77, AgreedAt: 6, Payouts: amounts(2, 1),
	}
	packed := written(t, func(p *packer) { p.record(&record) })
	support := protocol.Support{
		Turn: 2, Base: []byte("base"), Moves: [][]byte{[]byte("move")},
		Signatures: []protocol.SeatSignature{{At: 1, Seat: 1, Signature: wellFormed(1)}},
	}
	evidence := written(t, func(p *packer) { p.support(&support) })
	ledger := protocol.Ledger{
		ChannelID: channelID, Version: 3, Balances: amounts(1, 2, 12),
		Locks: []protocol.Lock{{MatchID: matchID, Stakes: amounts(1, 2)}},
	}
	sigs := []protocol.Signature{wellFormed(1), wellFormed(2)}
	of := []common.Hash{channelID, matchID}
	reason := [32]byte{'l', 'i', 'e'}
	asset, account := common.Address{4}, common.Address{5}
	money := []common.Hash{common.BytesToHash(asset[:]), common.BytesToHash(account[:])}
	recorded := func(change func(*onchain.Recorded)) onchain.Recorded {
		r := onchain.Recorded{ChannelID: channelID, MatchID: matchID, Record: record}
		change(&r)
		return r
	}
	type said = struct {
		log  types.Log
		want onchain.Event
	}
	return map[string]said{
		"Deposited": {
			log(t, "Deposited", money, big.NewInt(9)),
			onchain.Banked{Account: account, Asset: asset, Amount: *uint256.NewInt(9), In: true},
		},
		"Withdrawn": {
			log(t, "Withdrawn", money, big.NewInt(9), common.Address{6}),
			onchain.Banked{Account: account, Asset: asset, Amount: *uint256.NewInt(9)},
		},
		"Opened":  {log(t, "Opened", of[:1], written(t, func(p *packer) { p.terms(&terms) })), onchain.Opened{ChannelID: channelID, Terms: terms}},
		"Closed":  {log(t, "Closed", of[:1], uint64(3)), onchain.Closed{ChannelID: channelID, Version: 3}},
		"Settled": {log(t, "Settled", of[:1], uint64(3)), onchain.Settled{ChannelID: channelID, Version: 3}},
		"Contested": {
			log(t, "Contested", of[:1], big.NewInt(50), written(t, func(p *packer) { p.ledger(&ledger) }), written(t, func(p *packer) { p.signatures(sigs) })),
			onchain.Contested{ChannelID: channelID, Ledger: protocol.SignedLedger{Ledger: ledger, Signatures: sigs}, Deadline: 50},
		},
		"LockPaid": {
			log(t, "LockPaid", of, amountsOut(amounts(3, 0))),
			onchain.LockPaid{ChannelID: channelID, MatchID: matchID, Payouts: amounts(3, 0)},
		},
		"Advanced": {
			log(t, "Advanced", of, verdictOf(2, reason), told(packed, evidence)),
			recorded(func(r *onchain.Recorded) { r.Support, r.Guilty, r.Reason = &support, 2, reason }),
		},
		"Demanded": {log(t, "Demanded", of, packed), recorded(func(*onchain.Recorded) {})},
		"Agreed": {
			log(t, "Agreed", of, packed, uint64(5), written(t, func(p *packer) { p.signatures(sigs) })),
			recorded(func(r *onchain.Recorded) {
				r.Agreement = &protocol.SignedAgreement{
					Agreement:  protocol.Agreement{MatchID: matchID, Turn: 5, Payouts: record.Payouts},
					Signatures: sigs,
				}
			}),
		},
		"Expired": {
			log(t, "Expired", of, verdictOf(1, reason), told(packed[len(common.Hash{}):], []byte("state"))),
			recorded(func(r *onchain.Recorded) {
				r.State, r.Record.State, r.Guilty, r.Reason = []byte("state"), protocol.StateHash([]byte("state")), 1, reason
			}),
		},
		"Convicted": {
			log(t, "Convicted", of, packed, uint16(4), uint64(8), uint8(2)),
			recorded(func(r *onchain.Recorded) { r.Guilty, r.Record.Flagged, r.Reason = 4, 4, onchain.Equivocated }),
		},
	}
}

// told is how the Arena puts a record before something else.
func told(record, rest []byte) []byte {
	return slices.Concat(binary.BigEndian.AppendUint16(nil, uint16(len(record))), record, rest)
}

// verdictOf is how the Arena puts who cheated and why into a word.
func verdictOf(guilty uint16, reason [32]byte) (word [32]byte) {
	binary.BigEndian.PutUint16(word[:], guilty)
	copy(word[2:], reason[:30])
	return word
}

// TestDecodeEveryEvent has every event of the Arena's ABI but those of its libraries.
func TestDecodeEveryEvent(t *testing.T) {
	c, logs := New(domain), someLogs(t)
	for name, tc := range logs {
		got, err := c.Decode(tc.log)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for name := range arenaABI().Events {
		if _, ok := logs[name]; !ok && name != "EIP712DomainChanged" {
			t.Errorf("event %s is not tested", name)
		}
	}
}

// TestEveryEventOfAChannelIsKnownToBe: what onchain.Of doesn't know as a channel's, package driver
// passes over in silence.
func TestEveryEventOfAChannelIsKnownToBe(t *testing.T) {
	c, logs, kinds := New(domain), someLogs(t), Kinds()
	for name, kind := range arenaABI().Events {
		if name == "EIP712DomainChanged" { // a library's
			continue
		}
		event, err := c.Decode(logs[name].log)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		id, about := onchain.Of(event)
		if want := slices.Contains(kinds, kind.ID); about != want || about && id != channelID {
			t.Errorf("%s is about channel %s, %t, want %s, %t", name, id, about, channelID, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	logs := someLogs(t)
	cut := logs["Advanced"].log
	cut.Data = cut.Data[:len(cut.Data)-32]
	renamed := logs["Opened"].log
	renamed.Topics = []common.Hash{renamed.Topics[0], {1}}
	empty := logs["Closed"].log
	empty.Data = nil
	few := logs["LockPaid"].log
	few.Topics = few.Topics[:2]
	malformed := log(t, "Agreed", []common.Hash{channelID, matchID}, mustRecord(t), uint64(5), make([]byte, 65))
	odd := log(t, "Contested", []common.Hash{channelID}, big.NewInt(1), written(t, func(p *packer) { p.ledger(&protocol.Ledger{}) }), make([]byte, 64))
	for name, l := range map[string]types.Log{
		"no topics": {}, "another contract's": {Topics: []common.Hash{{1}}}, "cut": cut, "terms of another channel": renamed,
		"few topics": few, "no data": empty, "zero signature": malformed, "odd signatures": odd,
	} {
		if ev, err := New(domain).Decode(l); !errors.Is(err, ErrLog) {
			t.Errorf("%s: %+v, %v", name, ev, err)
		}
	}
}

func mustRecord(t testing.TB) []byte {
	return written(t, func(p *packer) { p.record(&protocol.Record{Status: protocol.MatchAgreed}) })
}

// internal errors are no answers to a call that this package encodes: the constructor's, and
// impossible casts.
var internal = []string{"BadBounds"}

// TestEveryErrorIsExplained: what the Arena can say, Go can.
func TestEveryErrorIsExplained(t *testing.T) {
	for name, e := range arenaABI().Errors {
		values := make([]any, len(e.Inputs))
		for i, in := range e.Inputs {
			switch in.Type.String() {
			case "uint256":
				values[i] = big.NewInt(4)
			case "uint64":
				values[i] = uint64(4)
			case "uint8":
				values[i] = uint8(4)
			case "address":
				values[i] = common.Address{4}
			default:
				t.Fatalf("%s has a %s", name, in.Type)
			}
		}
		data, err := e.Inputs.Pack(values...)
		if err != nil {
			t.Fatal(err)
		}
		err = Explain(append(e.ID[:4:4], data...))
		if slices.Contains(internal, name) {
			continue
		}
		if errors.Is(err, ErrUnexplained) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExplain(t *testing.T) {
	deadline := arenaABI().Errors["TooLate"]
	data, err := deadline.Inputs.Pack(big.NewInt(123))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"with a number", append(deadline.ID[:4:4], data...), ErrTooLate, ErrTooLate.Error() + " (deadline 123)"},
		{"cut off", deadline.ID[:4], ErrTooLate, ErrTooLate.Error()},
		{"nothing", nil, ErrUnexplained, ErrUnexplained.Error() + " (reverted with 0 bytes)"},
		{"overflow", common.FromHex("4e487b710000000000000000000000000000000000000000000000000000000000000011"), ErrOverflow, ErrOverflow.Error()},
		{"unknown", []byte{1, 2, 3, 4}, ErrUnexplained, ErrUnexplained.Error() + " (reverted with 01020304)"},
	} {
		if err := Explain(tc.data); !errors.Is(err, tc.want) || err.Error() != tc.text {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestKindsAreThoseOfChannels: every event but the bank's two.
func TestKindsAreThoseOfChannels(t *testing.T) {
	kinds := Kinds()
	if !slices.IsSortedFunc(kinds, common.Hash.Cmp) {
		t.Errorf("in no order: %v", kinds)
	}
	if len(kinds) != len(arenaABI().Events)-2 {
		t.Errorf("%d kinds of %d", len(kinds), len(arenaABI().Events))
	}
	for name, event := range arenaABI().Events {
		if of := name != "Deposited" && name != "Withdrawn"; slices.Contains(kinds, event.ID) != of {
			t.Errorf("%s: %t", name, !of)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, tc := range someLogs(f) {
		var topics []byte
		for _, topic := range tc.log.Topics {
			topics = append(topics, topic[:]...)
		}
		f.Add(topics, tc.log.Data)
	}
	c := New(domain)
	f.Fuzz(func(t *testing.T, topics, data []byte) {
		l := types.Log{Data: data}
		for ; len(topics) >= 32; topics = topics[32:] {
			l.Topics = append(l.Topics, common.Hash(topics[:32]))
		}
		ev, err := c.Decode(l)
		if (err == nil) != (ev != nil) || err != nil && !errors.Is(err, ErrLog) {
			t.Errorf("%+v, %v", ev, err)
		}
	})
}

func FuzzExplain(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(common.FromHex("4e487b71"))
	f.Add(common.FromHex("08c379a0"))
	for _, e := range arenaABI().Errors {
		f.Add(append(e.ID[:4:4], make([]byte, 96)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if Explain(data) == nil {
			t.Error("a failure without an error")
		}
	})
}
