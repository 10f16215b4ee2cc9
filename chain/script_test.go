package chain

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// script is what endpoints answer: an error is one of JSON-RPC, but for those that are no answer.
// It stands in the place of the network, so that two endpoints can contradict each other, or fail,
// at any one request.
type script func(endpoint, method string, params []json.RawMessage) (any, error)

// errAway says that an endpoint does not answer.
var errAway = errors.New("connection refused")

const one, two = "http://one", "http://two" // the endpoints of a script

// RoundTrip implements http.RoundTripper.
func (s script) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	type call struct {
		Version string            `json:"jsonrpc"`
		ID      json.RawMessage   `json:"id"`
		Method  string            `json:"method,omitempty"`
		Params  []json.RawMessage `json:"params,omitempty"`
		Result  any               `json:"result"`
		Error   *complaint        `json:"error,omitempty"`
	}
	var list []call
	single := json.Unmarshal(body, &list) != nil
	if single {
		list = make([]call, 1)
		if err := json.Unmarshal(body, &list[0]); err != nil {
			return nil, err
		}
	}
	for i := range list {
		var failed error
		switch list[i].Method {
		case "eth_chainId":
			list[i].Result = "0x1"
		case "eth_estimateGas":
			list[i].Result = "0x5208"
		}
		if result, err := s("http://"+r.URL.Host, list[i].Method, list[i].Params); result != nil || err != nil {
			list[i].Result, failed = result, err
		}
		if r.Context().Err() != nil || errors.Is(failed, errAway) {
			return nil, errors.Join(r.Context().Err(), failed)
		}
		if failed != nil {
			list[i].Error = &complaint{Code: -32000, Message: failed.Error()}
		}
	}
	var answer any = list
	if single {
		answer = list[0]
	}
	if body, err = json.Marshal(answer); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
}

// rung collects alarms.
type rung struct {
	mu   sync.Mutex
	list []Alarm
}

// take returns the alarms since the last take.
func (r *rung) take() []Alarm {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}

// dial makes a client of both endpoints of a script.
func (s script) dial(t *testing.T, config Config) (*Client, *rung) {
	t.Helper()
	r := new(rung)
	config.URL, config.Second = one, two
	if config.Transport == nil {
		config.Transport = s
	}
	config.Alarm = func(a Alarm) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list = append(r.list, a)
	}
	client, err := Dial(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, r
}

// told is a block as JSON-RPC tells it.
func told(b Block) *header {
	number := hexutil.Uint64(b.Number)
	return &header{Number: &number, Hash: &b.Hash, Parent: b.Parent, Time: hexutil.Uint64(b.Time), BaseFee: hexutil.Uint64(b.BaseFee)}
}

// line returns a block of a chain in which each names the one before.
func line(number uint64) Block {
	return Block{Number: number, Hash: hashOf(number), Parent: hashOf(number - 1), Time: 10 * number, BaseFee: 7}
}

func hashOf(number uint64) common.Hash {
	return common.BigToHash(hexutil.MustDecodeBig(hexutil.EncodeUint64(number + 1<<32)))
}

// asked returns the number of the block that is asked for, and whether it is not the newest one.
func asked(t *testing.T, params []json.RawMessage) (number uint64, given bool) {
	t.Helper()
	var which string
	if err := json.Unmarshal(params[0], &which); err != nil {
		t.Fatal(err)
	}
	number, err := hexutil.DecodeUint64(which)
	return number, err == nil
}

// logAt is a contract's log in a block of the line.
func logAt(contract common.Address, number uint64, index uint) types.Log {
	return types.Log{Address: contract, Topics: []common.Hash{{byte(index)}}, Data: []byte{}, BlockNumber: number, BlockHash: hashOf(number), TxHash: hashOf(1000 + number), Index: index}
}
