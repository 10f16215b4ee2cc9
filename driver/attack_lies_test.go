package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
)

// liar is an endpoint in front of an honest one that lies, when told, in the answers to some
// methods: an error, or a result in JSON, of which "old" and "fee …" are of the newest block: that
// it is one before it, or its base fee.
type liar struct {
	u     *upkeep
	lies  atomic.Bool
	about map[string]string
}

var baseFee = regexp.MustCompile(`"baseFeePerGas":"[^"]*"`)

func (l *liar) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	about, lies := "", false
	if err == nil && json.Unmarshal(body, &asked) == nil && l.lies.Load() {
		about, lies = l.about[asked.Method]
	}
	newest := bytes.Contains(body, []byte(`"latest"`))
	fee, isFee := bytes.CutPrefix([]byte(about), []byte("fee "))
	out.Header().Set("Content-Type", "application/json")
	switch {
	case lies && isFee && newest:
		in.Body = io.NopCloser(bytes.NewReader(body))
		told := httptest.NewRecorder()
		l.u.serve(told, in)
		_, _ = out.Write(baseFee.ReplaceAll(told.Body.Bytes(), fmt.Appendf(nil, `"baseFeePerGas":%q`, fee)))
		return
	case lies && about == "old" && newest:
		body = bytes.Replace(body, []byte(`"latest"`), fmt.Appendf(nil, "%q", hexutil.EncodeUint64(l.u.chain.Head()-2)), 1)
	case lies && !isFee && about != "old":
		_, _ = fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,%s}`, asked.ID, about)
		return
	}
	in.Body = io.NopCloser(bytes.NewReader(body))
	l.u.serve(out, in)
}

const used = "the next nonce is one that was used"

const reverts = `"error":{"code":3,"message":"execution reverted"}`

// TestAttack_LyingRPC_Note: one endpoint of two lies. A call that has three blocks is mined in the
// first two, whatever the lie is, and once.
func TestAttack_LyingRPC_Note(t *testing.T) {
	for what, about := range map[string]map[string]string{
		"the next nonce is further on":      {"eth_getTransactionCount": `"result":"0x9"`},
		"the next nonce is far on":          {"eth_getTransactionCount": `"result":"0xffff"`},
		used:                                {"eth_getTransactionCount": `"result":"0x0"`},
		"it can't tell the next nonce":      {"eth_getTransactionCount": `"error":{"code":-32000,"message":"no"}`},
		"it takes no transaction":           {"eth_sendRawTransaction": reverts},
		"it says that it took it":           {"eth_sendRawTransaction": fmt.Sprintf(`"result":"%v"`, common.Hash{1})},
		"no tip":                            {"eth_maxPriorityFeePerGas": `"result":"0x0"`},
		"a huge tip":                        {"eth_maxPriorityFeePerGas": `"result":"0xffffffffffffff"`},
		"the account has nothing":           {"eth_getBalance": `"result":"0x0"`},
		"the call takes little":             {"eth_estimateGas": `"result":"0x5208"`},
		"the call takes much":               {"eth_estimateGas": `"result":"0xffffff"`},
		"it can't tell what the call takes": {"eth_estimateGas": `"error":{"code":-32000,"message":"no"}`},
		"it is noted":                       {"eth_getStorageAt": fmt.Sprintf(`"result":"%v"`, common.Hash{31: 1})},
		"the contract refuses it":           {"eth_estimateGas": reverts, "eth_call": reverts},
		"nothing is mined by us":            {"eth_getTransactionReceipt": `"result":null`},
		"an older block is the newest":      {"eth_getBlockByNumber": "old"},
		"a base fee of nothing":             {"eth_getBlockByNumber": "fee 0x1"},
		"a base fee of very much":           {"eth_getBlockByNumber": "fee 0xffffffffffffff"},
	} {
		for _, first := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, told first: %v", what, first), func(t *testing.T) {
				u := newUpkeep(t)
				l := &liar{u: u, about: about}
				server := httptest.NewServer(l)
				t.Cleanup(server.Close)
				u.beside(chain.Config{URL: server.URL}, first)
				l.lies.Store(what == used) // from the start
				u.asks(taking(2), false)   // which uses a nonce
				u.must(u.chain.Mine(3))
				_, err := u.Sender.Step(t.Context())
				u.must(err)
				u.start()
				l.lies.Store(true)
				u.lands(taking(1).Slot, u.chain.Head()+4)
				u.sent(2)
			})
		}
	}
}

// lands asks for a call at each of two blocks, and fails unless it is mined in one of them.
func (u *upkeep) lands(slot common.Hash, before uint64) {
	u.t.Helper()
	for range 2 {
		err := u.Upkeep(u.t.Context(), u.taker, taking(slot[31]), before)
		u.must(u.chain.Mine(1))
		_, failed := u.Sender.Step(u.t.Context())
		if err = errors.Join(err, failed); err != nil {
			u.t.Log(err)
		}
		if word, err := u.eth.StorageAt(u.t.Context(), u.taker, slot, nil); err == nil && common.BytesToHash(word) == (common.Hash{31: 1}) {
			return
		}
	}
	u.t.Error("not mined in two blocks")
}

// TestAttack_LyingRPC_Dispute: one endpoint of two lies about what a dispute takes: in a channel of
// many seats that is far more than with two, and where rules are called much more must be there
// than is used. What is due lands all the same.
func TestAttack_LyingRPC_Dispute(t *testing.T) {
	for what, lie := range map[string]string{"the Arena refuses it": reverts, "it takes little": `"result":"0x5208"`} {
		for _, first := range []bool{true, false} {
			for _, seats := range []int{2, games.MaxSeats} {
				t.Run(fmt.Sprintf("%s, told first: %v, %d seats", what, first, seats), func(t *testing.T) {
					u := newUpkeep(t)
					l := &liar{u: u, about: map[string]string{"eth_estimateGas": lie, "eth_call": reverts}}
					server := httptest.NewServer(l)
					t.Cleanup(server.Close)
					u.beside(chain.Config{URL: server.URL}, first)
					u.disputes(seats, &l.lies)
				})
			}
		}
	}
}

// disputes has a seat contest with the first ledger, and fails unless another one's watcher posts
// the second in a few blocks, in which an endpoint lies; with two seats, of which the other owes a
// move besides, it has to start its clock, too.
func (u *upkeep) disputes(seats int, lies *atomic.Bool) {
	u.t.Helper()
	deployed, err := u.chain.DeployArena(u.t.Context(), true, 4, 1000)
	u.must(err)
	rules, err := u.chain.Deploy(u.t.Context(), common.FromHex(testbindings.ToyRulesMetaData.Bin))
	u.must(err)
	d := protocol.Domain{ChainID: u.chain.ChainID(), Arena: deployed.ContractAddress}
	u.Codec, u.config.Arena = codec.New(d), d.Arena
	terms, keys := protocol.Terms{Window: 100, OpenBy: 1000}, []*protocol.Key(nil)
	for i := range seats {
		keys = append(keys, protocoltest.Key(fmt.Sprint(i)))
		terms.Players, terms.Signers = append(terms.Players, keys[i].Address()), append(terms.Signers, keys[i].Address())
	}
	terms.Deposits = make([]uint256.Int, seats)
	id := terms.ID(d)
	stale := protocol.SignedLedger{Ledger: protocol.FirstLedger(id, &terms)}
	match := protocol.MatchTerms{ChannelID: id, Nonce: 2 << 8, Rules: rules.ContractAddress, Seats: []uint8{0, 1}, Stakes: terms.Deposits[:2], Params: toy.Params(1)}
	newer := protocol.SignedLedger{Ledger: stale.Ledger}
	newer.Version, newer.Locks = 2, []protocol.Lock{{MatchID: match.ID(d), Stakes: match.Stakes}}
	judge, err := protocol.NewJudge(d, &terms, &match, toy.Rules{})
	u.must(err)
	start, err := judge.Start()
	u.must(err)
	open, support := onchain.Open{Terms: terms}, &protocol.Support{Base: start}
	for i, key := range keys {
		opening, err := key.Sign(id)
		u.must(err)
		open.Signatures = append(open.Signatures, opening[:])
		sig, err := key.Sign(newer.Digest(d))
		u.must(err)
		newer.Signatures = append(newer.Signatures, sig)
		if sig, err = key.Sign(judge.Digest(0, protocol.StateHash(start))); i < 2 {
			support.Signatures = append(support.Signatures, protocol.SeatSignature{Seat: uint8(i), Signature: sig})
		}
		u.must(err)
	}
	contest, err := keys[1].Sign(protocol.Contest{ChannelID: id, Version: 1}.Digest(d))
	u.must(err)
	for _, action := range []onchain.Action{open, onchain.ContestLedger{Terms: terms, Ledger: stale, Seat: 1, Signature: contest[:]}} {
		call, err := u.Codec.Encode(action)
		u.must(err)
		u.send(2, &d.Arena, call.Data)
		u.must(u.chain.Mine(1))
	}
	w := disputes.NewWatcher(disputes.Case{Domain: d, Terms: terms, Rules: func(common.Address) (games.Rules, error) { return toy.Rules{}, nil }}, keys[0], u.Driver)
	w.Happened(1, onchain.Opened{ChannelID: id, Terms: terms})
	w.Happened(2, onchain.Contested{ChannelID: id, Ledger: stale, Deadline: u.chain.Head() + terms.Window})
	e := disputes.Evidence{Ledger: &newer, Matches: map[common.Hash]disputes.Match{match.ID(d): {Terms: match, Ledger: &newer, Support: support}}}
	wishes := disputes.Wishes{Demand: map[common.Hash]bool{match.ID(d): seats == 2}}
	lies.Store(true)
	for range 2 * mostLost {
		w.Step(u.t.Context(), u.chain.Head(), e, wishes)
		u.must(u.chain.Mine(1))
		reports, err := u.Sender.Step(u.t.Context())
		u.must(err)
		for _, r := range reports {
			if r.Err != nil {
				w.Failed(r.Key, r.Err)
			}
		}
		posted, err := u.eth.CallContract(u.t.Context(), ethereum.CallMsg{To: &d.Arena, Data: bindings.NewArena().PackChannelOf(id)}, nil)
		u.must(err)
		channel, err := bindings.NewArena().UnpackChannelOf(posted)
		u.must(err)
		recorded, err := u.eth.CallContract(u.t.Context(), ethereum.CallMsg{To: &d.Arena, Data: bindings.NewArena().PackMatchOf(match.ID(d))}, nil)
		u.must(err)
		m, err := bindings.NewArena().UnpackMatchOf(recorded)
		u.must(err)
		if channel.Version == newer.Version && (seats > 2 || m.Deadline.Sign() > 0) {
			return
		}
	}
	u.t.Error("the stale ledger stands, or no clock runs")
}

// TestAttack_LyingRPC_Heavy: what is due takes more than is known to be needed at most, as under
// rules of a stranger, and one endpoint of two says that it takes little. It lands once that has
// cost a fee; where one says that it takes much, at once.
func TestAttack_LyingRPC_Heavy(t *testing.T) {
	for what, c := range map[string]struct {
		lie   string
		usual uint64
		tries int
	}{
		"it takes little": {`"result":"0x24000"`, 100_000, 2},
		"it takes much":   {`"result":"0xffffff"`, 2_000_000, 1},
	} {
		for _, first := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, told first: %v", what, first), func(t *testing.T) {
				u := newUpkeep(t)
				l := &liar{u: u, about: map[string]string{"eth_estimateGas": c.lie}}
				server := httptest.NewServer(l)
				t.Cleanup(server.Close)
				u.beside(chain.Config{URL: server.URL}, first)
				deployed, err := u.chain.DeployArena(t.Context(), true, 4, 1000)
				u.must(err)
				d := protocol.Domain{ChainID: u.chain.ChainID(), Arena: deployed.ContractAddress}
				u.Codec, u.config.Arena = codec.New(d), d.Arena
				open := onchain.Open{Terms: protocol.Terms{Window: 100, OpenBy: 1000, Deposits: make([]uint256.Int, games.MaxSeats)}}
				var keys []*protocol.Key
				for i := range games.MaxSeats {
					keys = append(keys, protocoltest.Key(fmt.Sprint(i)))
					open.Terms.Players, open.Terms.Signers = append(open.Terms.Players, keys[i].Address()), append(open.Terms.Signers, keys[i].Address())
				}
				for _, key := range keys {
					sig, err := key.Sign(open.Terms.ID(d))
					u.must(err)
					open.Signatures = append(open.Signatures, sig[:])
				}
				l.lies.Store(true)
				for i := range c.tries {
					id := fmt.Sprint(i)
					u.must(u.Submit(t.Context(), disputes.Submission{ID: id, Action: open, Usual: c.usual, Lost: i}))
					u.must(u.chain.Mine(1))
					_, err := u.Sender.Step(t.Context())
					u.must(err)
					r, err := u.Sender.Status(id)
					u.must(err)
					if r.Progress != chain.Mined || (r.Err == nil) != (i == c.tries-1) {
						t.Errorf("try %d: %v, %v, %d gas", i, r.Progress, r.Err, r.GasUsed)
					}
				}
			})
		}
	}
}
