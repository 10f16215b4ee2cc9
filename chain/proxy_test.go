package chain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// proxy stands between a client and a chain, and may fail, lie, or lag.
type proxy struct {
	*httptest.Server
	target string

	mu   sync.Mutex
	down int                                                         // HTTP status to answer with; 0: none; 1: cut the connection; 2: never answer
	lie  func(method string, params []json.RawMessage) (any, bool)   // another answer; an error is a JSON-RPC error
	edit func(method string, result json.RawMessage) json.RawMessage // a changed answer
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
	p := &proxy{target: target}
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

func (p *proxy) serve(out http.ResponseWriter, in *http.Request) {
	p.mu.Lock()
	down := p.down
	p.mu.Unlock()
	switch down {
	case 0:
	case 1:
		panic(http.ErrAbortHandler)
	case 2:
		if _, err := io.Copy(io.Discard, in.Body); err == nil { // read to its end, a request ends with its connection
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
	out.Header().Set("Content-Type", "application/json")
	if batch {
		err = json.NewEncoder(out).Encode(answers)
	} else {
		err = json.NewEncoder(out).Encode(answers[0])
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (p *proxy) answer(request message) message {
	p.mu.Lock()
	lie, edit := p.lie, p.edit
	p.mu.Unlock()
	if lie != nil {
		if result, ok := lie(request.Method, request.Params); ok {
			if err, failed := result.(error); failed {
				return message{Version: "2.0", ID: request.ID, Error: map[string]any{"code": -32005, "message": err.Error()}}
			}
			raw, err := json.Marshal(result)
			if err != nil {
				panic(err)
			}
			return message{Version: "2.0", ID: request.ID, Result: raw}
		}
	}
	body, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	response, err := http.Post(p.target, "application/json", bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer response.Body.Close()
	var answer message
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(http.ErrAbortHandler)
	}
	if edit != nil && answer.Result != nil {
		answer.Result = edit(request.Method, answer.Result)
	}
	return answer
}
