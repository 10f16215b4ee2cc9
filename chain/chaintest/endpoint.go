// Package chaintest holds what tests of a program with a chain share: an endpoint that allows as
// much as those of providers do, and contracts that such tests need.
package chaintest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Endpoint passes JSON-RPC requests on to a chain. Safe for concurrent use.
type Endpoint struct {
	*httptest.Server
	proxy *httputil.ReverseProxy

	mu      sync.Mutex
	plan    Plan
	left    float64 // units
	at      time.Time
	asked   map[string]int
	refused int
	logs    int           // the most logs of one answer; 0: as many as there are
	status  int           // refuses everything with it; 0: nothing
	failed  chan struct{} // closed when that has happened
}

// NewEndpoint starts an endpoint of the chain at a URL. Close it when done.
func NewEndpoint(target string) (*Endpoint, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{asked: map[string]int{}, proxy: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(u)
		r.Out.Header.Set("Accept-Encoding", "identity") // answers are read
	}}}
	e.proxy.ModifyResponse = e.shorten
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	return e, nil
}

// Limit has the endpoint refuse more than so many requests a second with HTTP 429; each request of
// a batch counts.
func (e *Endpoint) Limit(perSecond int) { e.Sell(Plan{Units: perSecond, Cost: 1}) }

// Sell has the endpoint allow what a plan does.
func (e *Endpoint) Sell(p Plan) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plan, e.left, e.at = p, p.most(), time.Now()
}

// Tell has the endpoint refuse to tell more than so many logs at once.
func (e *Endpoint) Tell(most int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.logs = most
}

// shorten refuses what has too many logs.
func (e *Endpoint) shorten(r *http.Response) error {
	e.mu.Lock()
	most := e.logs
	e.mu.Unlock()
	if most == 0 {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	var answers []map[string]json.RawMessage
	batch := json.Unmarshal(body, &answers) == nil
	if !batch {
		answers = make([]map[string]json.RawMessage, 1)
		if err := json.Unmarshal(body, &answers[0]); err != nil {
			return err
		}
	}
	for _, a := range answers {
		var logs []json.RawMessage // nothing else that a follower asks for is a list
		if json.Unmarshal(a["result"], &logs) == nil && len(logs) > most {
			delete(a, "result")
			a["error"] = json.RawMessage(`{"code":-32005,"message":"query returned too many results"}`)
		}
	}
	var answer any = answers
	if !batch {
		answer = answers[0]
	}
	if body, err = json.Marshal(answer); err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}

// Fail has the endpoint refuse everything with an HTTP status, 0 nothing any more. The channel is
// closed once it has refused.
func (e *Endpoint) Fail(status int) (failed <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status, e.failed = status, make(chan struct{})
	return e.failed
}

// Asked returns how often each method was asked for, the refused ones included.
func (e *Endpoint) Asked() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.asked)
}

// Refused returns how often more was asked than the plan allows; a batch counts once.
func (e *Endpoint) Refused() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.refused
}

func (e *Endpoint) serve(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	if status := e.fails(); status != 0 {
		http.Error(out, "out of order", status)
		return
	}
	if status, why := e.allow(requests(body)); status != 0 {
		out.WriteHeader(status)
		_, _ = io.WriteString(out, why) // whoever asked may be gone
		return
	}
	in.Body = io.NopCloser(strings.NewReader(string(body)))
	e.proxy.ServeHTTP(out, in)
}

// fails returns the status that a request is refused with, 0 if it isn't.
func (e *Endpoint) fails() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.status != 0 {
		select {
		case <-e.failed:
		default:
			close(e.failed)
		}
	}
	return e.status
}

// request is what one asks for.
type request struct {
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// requests lists what a request, or a batch, asks for.
func requests(body []byte) (list []request) {
	if json.Unmarshal(body, &list) == nil {
		return list
	}
	var one request
	if json.Unmarshal(body, &one) != nil {
		return nil
	}
	return []request{one}
}

// blocks returns of how many blocks logs are asked for; 0: of one that is named by its hash, or
// something else is asked for.
func (r *request) blocks() uint64 {
	var filter struct{ FromBlock, ToBlock hexutil.Uint64 }
	if r.Method != "eth_getLogs" || len(r.Params) == 0 || json.Unmarshal(r.Params[0], &filter) != nil || filter.ToBlock == 0 {
		return 0
	}
	return uint64(filter.ToBlock-filter.FromBlock) + 1
}

// allow returns the status of HTTP that requests are refused with, 0 if they aren't.
func (e *Endpoint) allow(list []request) (status int, why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cost, widest := 0, uint64(0)
	for _, r := range list {
		e.asked[r.Method]++
		cost += e.plan.cost(r.Method)
		widest = max(widest, r.blocks())
	}
	switch {
	case e.plan.Batch != 0 && len(list) > e.plan.Batch:
		status = http.StatusRequestEntityTooLarge
	case e.plan.Blocks != 0 && widest > e.plan.Blocks:
		status, why = e.plan.Status, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"block range is too large"}}`
	case !e.pay(float64(cost)):
		status, why = http.StatusTooManyRequests, "too many requests"
	default:
		return 0, ""
	}
	e.refused++
	return status, why
}

// pay takes units from what the plan has left for now.
func (e *Endpoint) pay(units float64) bool {
	if e.plan.Units == 0 {
		return true
	}
	now := time.Now()
	e.left = min(e.plan.most(), e.left+now.Sub(e.at).Seconds()*float64(e.plan.Units))
	e.at = now
	if e.left < units {
		return false
	}
	e.left -= units
	return true
}
