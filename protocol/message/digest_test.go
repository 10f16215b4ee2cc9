package message_test

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
)

var typedData = apitypes.Types{
	"EIP712Domain": {{Name: "name", Type: "string"}, {Name: "version", Type: "string"}, {Name: "chainId", Type: "uint256"},
		{Name: "verifyingContract", Type: "address"}},
	"ChannelTerms": {{Name: "players", Type: "address[]"}, {Name: "signers", Type: "address[]"}, {Name: "asset", Type: "address"},
		{Name: "deposits", Type: "uint256[]"}, {Name: "window", Type: "uint64"}, {Name: "openBy", Type: "uint64"}, {Name: "salt", Type: "bytes32"}},
	"Ledger": {{Name: "channelId", Type: "bytes32"}, {Name: "version", Type: "uint64"}, {Name: "closing", Type: "bool"},
		{Name: "balances", Type: "uint256[]"}, {Name: "locks", Type: "Lock[]"}},
	"Lock": {{Name: "matchId", Type: "bytes32"}, {Name: "stakes", Type: "uint256[]"}},
	"MatchTerms": {{Name: "channelId", Type: "bytes32"}, {Name: "nonce", Type: "uint64"}, {Name: "rules", Type: "address"},
		{Name: "seats", Type: "uint8[]"}, {Name: "stakes", Type: "uint256[]"}, {Name: "params", Type: "bytes"}},
	"Position":  {{Name: "matchId", Type: "bytes32"}, {Name: "turn", Type: "uint64"}, {Name: "state", Type: "bytes32"}},
	"Agreement": {{Name: "matchId", Type: "bytes32"}, {Name: "turn", Type: "uint64"}, {Name: "payouts", Type: "uint256[]"}},
	"Contest":   {{Name: "channelId", Type: "bytes32"}, {Name: "version", Type: "uint64"}},
	"Demand":    {{Name: "matchId", Type: "bytes32"}, {Name: "turn", Type: "uint64"}},
	"Invite": {{Name: "player", Type: "address"}, {Name: "rules", Type: "address"}, {Name: "params", Type: "bytes"}, {Name: "asset", Type: "address"},
		{Name: "least", Type: "uint256"}, {Name: "most", Type: "uint256"}, {Name: "deposit", Type: "uint256"}, {Name: "window", Type: "uint64"},
		{Name: "guests", Type: "address[]"}, {Name: "expiry", Type: "uint64"}, {Name: "addresses", Type: "string[]"}, {Name: "salt", Type: "bytes32"}},
	"PeerBinding": {{Name: "peerId", Type: "bytes"}, {Name: "challenge", Type: "bytes32"}, {Name: "expiry", Type: "uint64"}},
	"Deputy":      {{Name: "player", Type: "address"}, {Name: "key", Type: "address"}, {Name: "expiry", Type: "uint64"}},
	"TowerReceipt": {{Name: "channelId", Type: "bytes32"}, {Name: "seat", Type: "uint8"}, {Name: "version", Type: "uint64"},
		{Name: "matches", Type: "TowerMark[]"}, {Name: "generation", Type: "uint64"}, {Name: "time", Type: "uint64"}, {Name: "expiry", Type: "uint64"}},
	"TowerMark": {{Name: "matchId", Type: "bytes32"}, {Name: "agreed", Type: "uint64"}, {Name: "turn", Type: "uint64"},
		{Name: "agreement", Type: "uint64"}, {Name: "proved", Type: "uint16"}},
}

// Our digests are those of go-ethereum's own EIP-712 implementation, which wallets use.
func TestDigestsAreEIP712(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 12))
	for range 200 {
		compareEIP712(t, r)
	}
}

func FuzzEIP712(f *testing.F) {
	f.Add(uint64(0), uint64(0))
	f.Add(uint64(7), uint64(12))
	f.Fuzz(func(t *testing.T, a, b uint64) { compareEIP712(t, rand.New(rand.NewPCG(a, b))) })
}

// compareEIP712 compares one random struct of each kind.
func compareEIP712(t *testing.T, r *rand.Rand) {
	t.Helper()
	d := protocol.Domain{ChainID: r.Uint64() >> 1, Arena: common.Address(randomBytes(r, 20))}
	hash, id := common.Hash(randomBytes(r, 32)), common.Hash(randomBytes(r, 32))
	n := r.IntN(17)
	amounts, addresses := make([]uint256.Int, n), make([]common.Address, n)
	seats := make([]uint8, n)
	var amountWords, addressWords, seatWords []any
	for i := range n {
		amounts[i].SetBytes(randomBytes(r, r.IntN(33)))
		addresses[i] = common.Address(randomBytes(r, 20))
		seats[i] = uint8(r.Uint32())
		amountWords = append(amountWords, amounts[i].Dec())
		addressWords = append(addressWords, addresses[i].Hex())
		seatWords = append(seatWords, strconv.Itoa(int(seats[i])))
	}
	a, b := r.Uint64(), r.Uint64()
	blob := randomBytes(r, r.IntN(200))
	var locks []protocol.Lock
	var lockWords []any
	for range r.IntN(4) {
		l := protocol.Lock{MatchID: common.Hash(randomBytes(r, 32)), Stakes: amounts}
		locks = append(locks, l)
		lockWords = append(lockWords, map[string]any{"matchId": l.MatchID[:], "stakes": orEmpty(amountWords)})
	}
	terms := protocol.Terms{Players: addresses, Signers: addresses, Asset: d.Arena, Deposits: amounts, Window: a, OpenBy: b, Salt: hash}
	match := protocol.MatchTerms{ChannelID: id, Nonce: a, Rules: d.Arena, Seats: seats, Stakes: amounts, Params: blob}
	ledger := protocol.Ledger{ChannelID: id, Version: a, Closing: a%2 == 0, Balances: amounts, Locks: locks}
	agreement := protocol.Agreement{MatchID: id, Turn: protocol.Turn(a), Payouts: amounts}
	binding := protocol.PeerBinding{PeerID: blob, Challenge: hash, Expiry: a}
	least, most, deposit := randomAmount(r), randomAmount(r), randomAmount(r)
	invite := matchmaking.Invite{Player: d.Arena, Rules: d.Arena, Params: blob, Asset: d.Arena, Least: *least, Most: *most, Deposit: *deposit,
		Window: a, Guests: addresses, Expiry: b, Salt: hash}
	var reached []any
	for range r.IntN(4) {
		invite.Addresses = append(invite.Addresses, strconv.Itoa(r.IntN(1000)))
		reached = append(reached, invite.Addresses[len(reached)])
	}
	deputy := protocol.Deputy{Player: d.Arena, Key: common.Address(randomBytes(r, 20)), Expiry: a}
	holding := message.Holding{Version: a, Time: b, Expiry: a ^ b, Mark: message.StoreMark{Generation: b}}
	var markWords []any
	for range r.IntN(4) {
		m := message.TowerMark{MatchID: common.Hash(randomBytes(r, 32)), Rank: protocol.Rank{Agreed: protocol.Mark(r.Uint64()), Turn: protocol.Mark(r.Uint64())},
			Agreement: protocol.Mark(r.Uint64()), Proved: uint16(r.Uint32())}
		holding.Matches = append(holding.Matches, m)
		markWords = append(markWords, map[string]any{"matchId": m.MatchID[:], "agreed": strconv.FormatUint(uint64(m.Agreed), 10),
			"turn": strconv.FormatUint(uint64(m.Turn), 10), "agreement": strconv.FormatUint(uint64(m.Agreement), 10), "proved": strconv.Itoa(int(m.Proved))})
	}
	num := func(v uint64) string { return strconv.FormatUint(v, 10) }
	for _, x := range []struct {
		kind string
		got  common.Hash
		msg  map[string]any
	}{
		{"ChannelTerms", terms.ID(d), map[string]any{"players": orEmpty(addressWords), "signers": orEmpty(addressWords), "asset": d.Arena.Hex(),
			"deposits": orEmpty(amountWords), "window": num(a), "openBy": num(b), "salt": hash[:]}},
		{"MatchTerms", match.ID(d), map[string]any{"channelId": id[:], "nonce": num(a), "rules": d.Arena.Hex(), "seats": orEmpty(seatWords),
			"stakes": orEmpty(amountWords), "params": blob}},
		{"Ledger", ledger.Digest(d), map[string]any{"channelId": id[:], "version": num(a), "closing": a%2 == 0,
			"balances": orEmpty(amountWords), "locks": orEmpty(lockWords)}},
		{"Position", protocol.Position{MatchID: id, Turn: protocol.Turn(a), State: hash}.Digest(d), map[string]any{"matchId": id[:], "turn": num(a), "state": hash[:]}},
		{"Agreement", agreement.Digest(d), map[string]any{"matchId": id[:], "turn": num(a), "payouts": orEmpty(amountWords)}},
		{"Contest", protocol.Contest{ChannelID: id, Version: a}.Digest(d), map[string]any{"channelId": id[:], "version": num(a)}},
		{"Demand", protocol.Demand{MatchID: id, Turn: protocol.Turn(a)}.Digest(d), map[string]any{"matchId": id[:], "turn": num(a)}},
		{"Invite", invite.ID(d), map[string]any{"player": d.Arena.Hex(), "rules": d.Arena.Hex(), "params": blob, "asset": d.Arena.Hex(),
			"least": least.Dec(), "most": most.Dec(), "deposit": deposit.Dec(), "window": num(a), "guests": orEmpty(addressWords), "expiry": num(b),
			"addresses": orEmpty(reached), "salt": hash[:]}},
		{"Deputy", deputy.Digest(d), map[string]any{"player": d.Arena.Hex(), "key": deputy.Key.Hex(), "expiry": num(a)}},
		{"TowerReceipt", holding.Digest(d, id, n), map[string]any{"channelId": id[:], "seat": strconv.Itoa(n), "version": num(a), "matches": orEmpty(markWords),
			"generation": num(b), "time": num(b), "expiry": num(a ^ b)}},
		{"PeerBinding", binding.Digest(d), map[string]any{"peerId": blob, "challenge": hash[:], "expiry": num(a)}},
	} {
		want, _, err := apitypes.TypedDataAndHash(apitypes.TypedData{Types: typedData, PrimaryType: x.kind, Message: x.msg,
			Domain: apitypes.TypedDataDomain{Name: "Ante", Version: "1", ChainId: (*math.HexOrDecimal256)(new(big.Int).SetUint64(d.ChainID)),
				VerifyingContract: d.Arena.Hex()}})
		if err != nil {
			t.Fatalf("%s: %v", x.kind, err)
		}
		if x.got != common.Hash(want) {
			t.Fatalf("%s: %s, want %s", x.kind, x.got, hexutil.Encode(want))
		}
	}
}

func orEmpty(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

func randomAmount(r *rand.Rand) *uint256.Int {
	return new(uint256.Int).SetBytes(randomBytes(r, r.IntN(33)))
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
