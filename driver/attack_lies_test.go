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
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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
				config := chain.Config{URL: server.URL, Second: u.chain.URL()}
				if !first {
					config.URL, config.Second = config.Second, config.URL
				}
				client, err := chain.Dial(t.Context(), config)
				u.must(err)
				t.Cleanup(client.Close)
				u.Client = client
				u.start()
				l.lies.Store(what == used) // from the start
				u.asks(taking(2), false)   // which uses a nonce
				u.must(u.chain.Mine(3))
				_, err = u.Sender.Step(t.Context())
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
