package chain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// proxy stands between a client and a chain, and may fail, lie, or lag.
type proxy struct {
	*httptest.Server
	to     *http.Client
	target string

	mu sync.Mutex
	// HTTP status to answer with; 0: none; 1: cut the connection; 2: never answer
	down int
	// another answer; an error is a JSON-RPC error
	lie  func(method string, params []json.RawMessage) (any, bool)
	edit func(method string, result json.RawMessage) json.RawMessage // a changed answer
	// so many blocks the answers are behind, each as much as it likes
	lag func() uint64
	// sends something else than the answer
	send func(out io.Writer, answer []byte)
}

type message struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method,omitempty"`
	Params  []json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage   `json:"result,omitempty"`
	Error   any               `json:"error,omitempty"`
}

func newProxy(t *testing.T, target string) *proxy {
	p := &proxy{target: target, to: &http.Client{Transport: &http.Transport{DisableCompression: true}}} // to pack answers takes long
	t.Cleanup(p.to.CloseIdleConnections)
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

// set changes what the proxy does.
func (p *proxy) set(change func(*proxy)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// also has the proxy tell a lie before those that it tells.
func (p *proxy) also(lie func(method string, params []json.RawMessage) (any, bool)) {
	p.set(func(p *proxy) {
		before := p.lie
		p.lie = func(method string, params []json.RawMessage) (any, bool) {
			if result, lies := lie(method, params); lies {
				return result, true
			}
			return before(method, params)
		}
	})
}

// asked is a receipt of one transaction as if it were of the one that is asked for.
func asked(receipt string, of common.Hash, params []json.RawMessage) string {
	return strings.ReplaceAll(receipt, of.Hex(), strings.Trim(string(params[0]), `"`))
}

func (p *proxy) serve(out http.ResponseWriter, in *http.Request) {
	p.mu.Lock()
	down := p.down
	p.mu.Unlock()
	switch down {
	case 0:
	case 1:
		panic(http.ErrAbortHandler)
	case 2:
		// read to its end, a request ends with its connection
		if _, err := io.Copy(io.Discard, in.Body); err == nil {
			<-in.Context().Done()
		}
		return
	default:
		http.Error(out, "out of order", down)
		return
	}
	body, err := io.ReadAll(in.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	var list []message
	batch := json.Unmarshal(body, &list) == nil
	if !batch {
		list = make([]message, 1)
		if err := json.Unmarshal(body, &list[0]); err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
	}
	answers := make([]message, len(list))
	for i := range list {
		answers[i] = p.answer(list[i])
	}
	var answer any = answers
	if !batch {
		answer = answers[0]
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	p.mu.Lock()
	send := p.send
	p.mu.Unlock()
	out.Header().Set("Content-Type", "application/json")
	if send != nil {
		send(out, raw)
	} else if _, err := out.Write(raw); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (p *proxy) answer(request message) message {
	p.mu.Lock()
	lie, edit, lag := p.lie, p.edit, p.lag
	p.mu.Unlock()
	if lie != nil {
		if result, ok := lie(request.Method, request.Params); ok {
			if err, failed := result.(error); failed {
				said := map[string]any{"code": -32005, "message": err.Error()}
				if detailed, is := err.(interface{ ErrorData() any }); is {
					said["data"] = detailed.ErrorData()
				}
				return message{Version: "2.0", ID: request.ID, Error: said}
			}
			raw, err := json.Marshal(result)
			if err != nil {
				panic(err)
			}
			return message{Version: "2.0", ID: request.ID, Result: raw}
		}
	}
	if lag != nil {
		return p.late(request, lag())
	}
	answer := p.ask(request)
	if edit != nil && answer.Result != nil {
		answer.Result = edit(request.Method, answer.Result)
	}
	return answer
}

// ask passes a request on.
func (p *proxy) ask(request message) message {
	body, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	response, err := p.to.Post(p.target, "application/json", bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer response.Body.Close()
	var answer message
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(http.ErrAbortHandler)
	}
	return answer
}

// late answers as the chain was some blocks ago, as far as a follower asks.
func (p *proxy) late(request message, blocks uint64) message {
	var head struct{ Number hexutil.Uint64 }
	latest := p.ask(message{Version: "2.0", ID: request.ID, Method: "eth_getBlockByNumber", Params: []json.RawMessage{[]byte(`"latest"`), []byte("false")}})
	if err := json.Unmarshal(latest.Result, &head); err != nil {
		panic(http.ErrAbortHandler)
	}
	visible := head.Number - min(head.Number, hexutil.Uint64(blocks))
	if len(request.Params) > 0 && string(request.Params[0]) == `"latest"` {
		request.Params[0] = fmt.Appendf(nil, `"0x%x"`, uint64(visible))
	}
	answer := p.ask(request)
	type placed struct{ Number, BlockNumber hexutil.Uint64 }
	var block placed
	var logs []placed
	switch {
	case json.Unmarshal(answer.Result, &block) == nil && block.Number > visible:
		answer.Result = json.RawMessage("null")
	case json.Unmarshal(answer.Result, &logs) == nil && slices.ContainsFunc(logs, func(l placed) bool { return l.BlockNumber > visible }):
		answer.Result, answer.Error = nil, map[string]any{"code": -32000, "message": "unknown block"}
	}
	return answer
}
