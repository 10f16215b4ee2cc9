package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
)

// answeredError is an endpoint's answer that is an error.
type answeredError struct{}

func (answeredError) Error() string  { return "no" }
func (answeredError) ErrorCode() int { return -32000 }

// TestErrorsThatPass: an endpoint that is away, refuses, or doesn't have a block may be better
// later; another chain, a contract that refuses and an Arena that isn't there stay what they are,
// whatever else is said with them.
func TestErrorsThatPass(t *testing.T) {
	down := &Unreachable{}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{down, true}, {&Refusing{Err: errors.New("no")}, true}, {ErrUnknownBlock, true}, {answeredError{}, true}, {errors.New("other"), false},
		{fmt.Errorf("%w: %w", down, &WrongChain{}), false}, {fmt.Errorf("%w: %w", answeredError{}, &Reverted{}), false},
		{fmt.Errorf("%w: %w", down, ErrNoArena), false},
	} {
		if got := Temporary(c.err); got != c.want {
			t.Errorf("%#v: %t", c.err, got)
		}
	}
	for _, c := range []struct {
		err  error
		want bool
	}{{answeredError{}, true}, {errTooLong, true}, {rpc.ErrMissingBatchResponse, true}, {errors.New("other"), false}} {
		if got := tooMuch(c.err); got != c.want {
			t.Errorf("asking for less after %#v: %t", c.err, got)
		}
	}
	for _, c := range []struct {
		err  error
		want bool
	}{{ErrCursor, true}, {&DeepReorg{Forgotten: true}, true}, {&DeepReorg{}, false}, {errors.New("other"), false}} {
		if got := lost(c.err); got != c.want {
			t.Errorf("following ends with %#v: %t", c.err, got)
		}
	}
	if isDown(errors.New("other")) || !isDown(down) || !isDown(&WrongChain{}) {
		t.Error("which endpoints are down")
	}
}

// TestSignedAsAsked: what a signer returns is the transaction that was asked for, of its kind, for
// its chain, signed by the account.
func TestSignedAsAsked(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	other, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	id, to := big.NewInt(5), common.Address{1}
	fields := func(chain *big.Int) *types.DynamicFeeTx {
		return &types.DynamicFeeTx{ChainID: chain, Nonce: 1, To: &to, Gas: 21000, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(2)}
	}
	tx := types.NewTx(fields(id))
	sign := func(tx types.TxData, chain *big.Int) *types.Transaction {
		return types.MustSignNewTx(key, types.LatestSignerForChainID(chain), tx)
	}
	bySomebody := types.MustSignNewTx(other, types.LatestSignerForChainID(id), fields(id))
	for name, c := range map[string]struct {
		signed *types.Transaction
		ok     bool
	}{
		"as asked": {sign(fields(id), id), true}, "nothing": {nil, false}, "another chain": {sign(fields(big.NewInt(6)), big.NewInt(6)), false},
		"another kind": {sign(&types.LegacyTx{Nonce: 1, To: &to, Gas: 21000, GasPrice: big.NewInt(2)}, id), false},
		"not signed":   {types.NewTx(fields(id)), false}, "by somebody": {bySomebody, false},
	} {
		if err := asAsked(tx, c.signed, crypto.PubkeyToAddress(key.PublicKey), id); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrSignerLied) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := asAsked(tx, types.NewTx(fields(id)), common.Address{}, id); !errors.Is(err, ErrSignerLied) {
		t.Errorf("not signed, by nobody: %v", err)
	}
}

// TestFeeLimits: the limits ascend and end at the money.Highest price.
func TestFeeLimits(t *testing.T) {
	for _, c := range []struct {
		fees Fees
		ok   bool
	}{
		{Fees{}, true}, {Fees{Max: 7, UrgentMax: 7}, true}, {Fees{Max: 8, UrgentMax: 7}, false}, {Fees{Max: 1, UrgentMax: money.Highest}, true},
		{Fees{Max: 1, UrgentMax: money.Highest + 1}, false}, {Fees{Max: money.Highest}, true},
	} {
		if _, err := c.fees.withDefaults(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.fees, err)
		}
	}
}

// TestCursorsOfOthers: a cursor of another version, chain or Arena isn't gone on from.
func TestCursorsOfOthers(t *testing.T) {
	arena := common.Address{1}
	for _, c := range []struct {
		cursor cursor
		ok     bool
	}{
		{cursor{Version: cursorVersion, Chain: 5, Arena: arena}, true}, {cursor{Version: cursorVersion + 1, Chain: 5, Arena: arena}, false},
		{cursor{Version: 1, Chain: 5, Arena: arena}, true}, {cursor{Chain: 5, Arena: arena}, false},
		{cursor{Version: cursorVersion, Chain: 6, Arena: arena}, false}, {cursor{Version: cursorVersion, Chain: 5}, false},
	} {
		stored, err := c.cursor.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeCursor(stored, 5, arena, 0); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrCursor) {
			t.Errorf("%+v: %v", c.cursor, err)
		}
	}
}

// TestCursorsThatDiffer: a cursor that differs in anything that is followed is written anew, and a
// clone goes on on its own.
func TestCursorsThatDiffer(t *testing.T) {
	at := func() *cursor {
		return &cursor{Base: 5, Final: 6, Blocks: []*followed{{Block: Block{Number: 5}}, {Block: Block{Number: 6, Hash: common.Hash{1}}}}}
	}
	for i, change := range []func(c *cursor){
		func(c *cursor) { c.Base++ }, func(c *cursor) { c.Final++ }, func(c *cursor) { c.Blocks = c.Blocks[:1] },
		func(c *cursor) { c.Blocks[1] = &followed{Block: Block{Number: 6, Hash: common.Hash{2}}} },
		func(c *cursor) { c.Blocks[1] = &followed{Block: c.Blocks[1].Block, Digest: common.Hash{3}} },
		func(c *cursor) { c.Blocks[0] = &followed{Block: c.Blocks[0].Block, By: "another"} },
	} {
		before := at()
		after := before.clone()
		if !before.same(after) {
			t.Error("a clone is not the same")
		}
		if change(after); before.same(after) || !before.same(at()) {
			t.Errorf("change %d is not seen, or changes what was cloned", i)
		}
	}
}

// TestTheLongestCursor: a cursor of as many blocks as are followed ahead, of a chain with long
// numbers, is one that a store takes.
func TestTheLongestCursor(t *testing.T) {
	f, err := NewFollower(nil, FollowConfig{Decode: func(types.Log) (onchain.Event, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	c := &cursor{Version: cursorVersion, Chain: 1 << 60, Base: 1 << 40}
	hash := common.MaxHash
	for range f.config.MaxAhead + f.config.Window {
		block := Block{Number: c.next(), Hash: hash, Parent: hash, Time: 1 << 40, BaseFee: 1 << 50}
		c.Blocks = append(c.Blocks, &followed{Block: block, Parts: 16, Digest: hash, By: "ffffffff"})
	}
	encoded, err := c.encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := store.NewMemory().Commit(map[string][]byte{"chain/cursor": encoded}); err != nil {
		t.Errorf("%d blocks: %v", len(c.Blocks), err)
	}
}

// TestLogsInOrder: logs are the contract's, stand, and ascend by block and then by index.
func TestLogsInOrder(t *testing.T) {
	arena := common.Address{1}
	at := func(block uint64, index uint) types.Log {
		return types.Log{Address: arena, BlockNumber: block, Index: index}
	}
	removed, foreign := at(1, 1), at(1, 1)
	removed.Removed, foreign.Address = true, common.Address{2}
	e := &endpoint{name: "e"}
	for i, c := range []struct {
		logs []types.Log
		ok   bool
	}{
		{nil, true}, {[]types.Log{at(1, 1), at(1, 2), at(2, 0)}, true}, {[]types.Log{at(2, 0), at(1, 1)}, false}, {[]types.Log{at(1, 1), at(1, 1)}, false},
		{[]types.Log{at(1, 2), at(1, 1)}, false}, {[]types.Log{removed}, false}, {[]types.Log{foreign}, false},
	} {
		var lying *Lying
		if err := e.vet(source{contract: arena}, c.logs); (err == nil) != c.ok || err != nil && !errors.As(err, &lying) {
			t.Errorf("%d: %v", i, err)
		}
	}
	kinds := source{contract: arena, kinds: []common.Hash{{1}}}
	for topic, ok := range map[common.Hash]bool{{1}: true, {2}: false} {
		log := at(1, 1)
		log.Topics = []common.Hash{topic}
		if err := e.vet(kinds, []types.Log{log}); (err == nil) != ok {
			t.Errorf("%s: %v", topic, err)
		}
	}
	if err := e.vet(kinds, []types.Log{at(1, 1)}); err == nil {
		t.Error("a log without topics is one that was asked for")
	}
}

// TestFactsAreBounded: a bounded number of facts is asked for, of the latest blocks none besides;
// those that are final are due, and what was stored is known.
func TestFactsAreBounded(t *testing.T) {
	kept := store.NewMemory()
	if err := kept.Commit(map[string][]byte{hashPrefix + fmt.Sprintf("%016x", 7): []byte(`"` + common.Hash{9}.Hex() + `"`)}); err != nil {
		t.Fatal(err)
	}
	for confirmations, want := range map[uint64]struct {
		kept uint64
		due  int
	}{0: {DefaultConfirmations, 1}, 1: {1, 11}, 3: {3, 9}} {
		f, err := NewFacts(nil, kept, confirmations)
		if err != nil || f.confirmations != want.kept {
			t.Fatalf("%d confirmations: %d, %v", confirmations, f.confirmations, err)
		}
		if hash, known := f.BlockHash(7); !known || hash != (common.Hash{9}) || len(f.wanted) != 0 {
			t.Errorf("stored: %v, %t, %d wanted", hash, known, len(f.wanted))
		}
		for number := range uint64(mostWanted + 9) {
			f.BlockHash(100 + number)
		}
		if len(f.wanted) != mostWanted {
			t.Errorf("%d are wanted, at most %d", len(f.wanted), mostWanted)
		}
		note, _ := readKey(fact{90, common.Address{1}, common.Hash{2}}.stored())
		if _, known := f.Of(note.rules).Noted(note.slot, note.block); known || !f.wanted[note] || len(f.wanted) != mostWanted {
			t.Errorf("%d are wanted, and %s: %t", len(f.wanted), note, f.wanted[note])
		}
		f.At(&Reach{Highest: 500, Shared: Block{Number: 109}})
		if due := f.due(); len(due) != want.due {
			t.Errorf("with %d confirmations %d are due", want.kept, len(due))
		}
	}
}

// TestNewFacts_Damaged: a damaged store is an error, whatever its keys and values are.
func TestNewFacts_Damaged(t *testing.T) {
	rules, slot, word := strings.Repeat("1", 40), strings.Repeat("2", 64), `"`+common.Hash{9}.Hex()+`"`
	for key, ok := range map[string]bool{
		hashPrefix + "0000000000000007":  true,
		hashPrefix + "7":                 false,
		hashPrefix + "0000000000000007/": false,
		hashPrefix:                       false,
		notePrefix + rules + "/" + slot + "/0000000000000007":       true,
		notePrefix + rules[2:] + "/" + slot + "/0000000000000007":   false,
		notePrefix + rules + "/" + slot[2:] + "/0000000000000007":   false,
		notePrefix + rules + "11/" + slot + "/0000000000000007":     false,
		notePrefix + rules + "/" + slot + "22/0000000000000007":     false,
		notePrefix + rules + "/" + slot:                             false,
		notePrefix + rules + "/" + slot + "/0000000000000007/":      false,
		notePrefix + rules + "/" + slot + "/100000000000000000":     false,
		notePrefix + "g" + rules + "/" + slot + "/0000000000000007": false,
	} {
		for value, sound := range map[string]bool{word: true, word[:9]: false} {
			kept := store.NewMemory()
			if err := kept.Commit(map[string][]byte{key: []byte(value)}); err != nil {
				t.Fatal(err)
			}
			f, err := NewFacts(nil, kept, 1)
			if (err == nil) != (ok && sound) {
				t.Errorf("%s with %s: %v", key, value, err)
			} else if err == nil && f.Known() != 1 {
				t.Errorf("%s: %d facts are known", key, f.Known())
			}
		}
	}
}

// TestFaultsSayWhatIsWrong: a fault tells the age or the distance, the block if it is about one,
// and whether it is forgotten.
func TestFaultsSayWhatIsWrong(t *testing.T) {
	for want, err := range map[string]error{
		"is stuck":              &Lagging{Age: 1},
		"2 blocks behind":       &Lagging{Blocks: 2},
		"at block 1, what":      &Lying{Number: 1, What: "what"},
		"trusted: what":         &Lying{What: "what"},
		"deeper than is remem":  &DeepReorg{Forgotten: true},
		"the confirmations wai": &DeepReorg{},
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if Blocks.String() != "blocks" || Seconds.String() != "seconds" {
		t.Error("what times are counted in")
	}
}

// TestMemoriesAreBounded: what is remembered of wallets is cleared when it is full.
func TestMemoriesAreBounded(t *testing.T) {
	memory := map[int]bool{}
	for i := range maxVerdicts + 1 {
		if remember(memory, i, true); len(memory) > maxVerdicts || !memory[i] {
			t.Fatalf("%d are remembered", len(memory))
		}
	}
	if len(memory) != 1 {
		t.Errorf("%d are remembered after it was full", len(memory))
	}
}

// TestCancelling: the version after the last one that did something is the first that cancels, and
// those from it on cancel.
func TestCancelling(t *testing.T) {
	one, two := common.Hash{1}, common.Hash{2}
	for i, c := range []struct {
		j                    job
		next, first, another bool
	}{
		{job{Sent: []common.Hash{one}, Versions: 1}, false, false, false},
		{job{Why: "no"}, false, false, false},
		{job{Why: "no", Sent: []common.Hash{one}, Versions: 1}, true, false, false},
		{job{Why: "no", Sent: []common.Hash{one, two}, Versions: 1}, false, false, true},
		{job{Why: "no", Sent: []common.Hash{one, two}}, false, true, true},
	} {
		if c.j.cancelling() != c.next || c.j.isCancel(one) != c.first || c.j.isCancel(two) != c.another {
			t.Errorf("%d: next %t, first %t, second %t", i, c.j.cancelling(), c.j.isCancel(one), c.j.isCancel(two))
		}
	}
}

// TestWhatACancelledJobTells: a version that was to be cancelled, and landed, took effect.
func TestWhatACancelledJobTells(t *testing.T) {
	one, two := common.Hash{1}, common.Hash{2}
	for _, why := range []string{"no", ErrMadeWay.Error()} {
		j := &job{Why: why, Sent: []common.Hash{one, two}, Versions: 1}
		for _, c := range []struct {
			landed *landing
			fails  bool
		}{{nil, true}, {&landing{Tx: one}, false}, {&landing{Tx: two}, true}, {&landing{Tx: one, Failed: "no"}, true}} {
			if j.Landed = c.landed; (j.report().Err != nil) != c.fails {
				t.Errorf("%s, landed %v: %v", why, c.landed, j.report().Err)
			}
		}
		if o := (&outcome{Dropped: why}); o.report("a").Err == nil {
			t.Error("what was dropped took effect")
		}
	}
}

// TestHeadersNeedANameAndANumber: a pending block has no hash, and is none.
func TestHeadersNeedANameAndANumber(t *testing.T) {
	for text, want := range map[string]bool{
		`{"number":"0x1","hash":"` + common.Hash{1}.Hex() + `"}`: true, `{"number":"0x1"}`: false, `{"hash":"` + common.Hash{1}.Hex() + `"}`: false,
	} {
		h := new(header)
		if err := json.Unmarshal([]byte(text), h); err != nil {
			t.Fatal(err)
		}
		if _, ok := h.block(); ok != want {
			t.Errorf("%s: %t", text, ok)
		}
	}
	if _, ok := (*header)(nil).block(); ok {
		t.Error("nothing is a block")
	}
}

// TestWhatASenderNeeds: a sender without signer, store or clock isn't made, nor is a follower
// without a decoder, with too short a memory, or with more confirmations than there will be.
func TestWhatASenderNeeds(t *testing.T) {
	if _, err := NewFollower(nil, FollowConfig{}); err == nil {
		t.Error("a follower without a decoder")
	}
	decode := func(types.Log) (onchain.Event, error) { return nil, nil }
	if _, err := NewFollower(nil, FollowConfig{Decode: decode, Confirmations: 9, Window: 8}); err == nil {
		t.Error("a follower that forgets what isn't final")
	}
	if _, err := NewFollower(nil, FollowConfig{Decode: decode, Confirmations: MaxConfirmations + 1}); err == nil {
		t.Error("a follower for which hardly any block is final")
	}
	if _, err := NewFollower(nil, FollowConfig{Decode: decode, Confirmations: 9, Window: 9}); err != nil {
		t.Error(err)
	}
}

// TestAges: a block is old, or ahead of this computer's clock, only by more than may be, and on a
// chain that has such a limit.
func TestAges(t *testing.T) {
	now := time.Unix(100_000, 0)
	for _, c := range []struct {
		most, age  time.Duration
		old, ahead bool
	}{
		{time.Minute, time.Minute, false, false}, {time.Minute, time.Minute + time.Second, true, false}, {0, time.Hour, false, false},
		{time.Minute, -clockTolerance, false, false}, {time.Minute, -clockTolerance - time.Minute, false, true}, {0, -time.Hour, false, false},
	} {
		client := &Client{config: Config{MaxAge: c.most, Now: func() time.Time { return now }}}
		b := Block{Time: uint64(now.Add(-c.age).Unix())}
		if old, ahead := client.Age(b) > 0, client.early(b) > 0; old != c.old || ahead != c.ahead {
			t.Errorf("a block of %s, at most %s: old %t, ahead %t", c.age, c.most, old, ahead)
		}
	}
}

// TestTooOften: an endpoint is asked less often when it says so, and not because a contract's words
// sound like that.
func TestTooOften(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{rpc.HTTPError{StatusCode: 429}, true}, {rpc.HTTPError{StatusCode: 503}, false}, {errors.New("rate limit"), false},
		{&complaint{429, "no"}, true}, {&complaint{-32005, "Rate Limit exceeded"}, true}, {&complaint{-32005, "query returned too many results"}, false},
		{&complaint{3, "execution reverted: rate limit"}, false},
	} {
		if got := isTooOften(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}

// TestComplaints: what an endpoint says with an HTTP error counts where it is about the request,
// alone or the first of a batch.
func TestComplaints(t *testing.T) {
	for _, c := range []struct {
		status   int
		body     string
		answered bool
	}{
		{413, "", true}, {400, `{"error":{"code":-1,"message":"no"}}`, true}, {400, `[{"error":{"code":-1,"message":"no"}}]`, true},
		{400, `[]`, false}, {400, `[{}]`, false}, {400, "no", false}, {500, `{"error":{"code":-1,"message":"no"}}`, false},
	} {
		var answered rpc.Error
		if got := errors.As(complained(rpc.HTTPError{StatusCode: c.status, Body: []byte(c.body)}), &answered); got != c.answered {
			t.Errorf("%d %s: %t", c.status, c.body, got)
		}
	}
}
