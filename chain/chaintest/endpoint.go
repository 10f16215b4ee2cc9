// Package chaintest holds what tests of a program with a chain share: an endpoint that allows so
// many requests a second and tells so many logs at once, as those of providers do.
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
)

// Endpoint passes JSON-RPC requests on to a chain. Safe for concurrent use.
type Endpoint struct {
	*httptest.Server
	proxy *httputil.ReverseProxy

	mu      sync.Mutex
	limit   int // requests a second; 0: as many as come
	left    float64
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
		r.Out.Header.Del("Accept-Encoding") // answers are read
	}}}
	e.proxy.ModifyResponse = e.shorten
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	return e, nil
}

// Limit has the endpoint refuse more than so many requests a second with HTTP 429; each request of
// a batch counts.
func (e *Endpoint) Limit(perSecond int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.limit, e.left, e.at = perSecond, float64(perSecond), time.Now()
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

// Refused returns how many requests were above the limit.
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
	if !e.allow(methods(body)) {
		http.Error(out, "too many requests", http.StatusTooManyRequests)
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

// methods lists what a request, or a batch, asks for.
func methods(body []byte) (list []string) {
	type request struct {
		Method string `json:"method"`
	}
	var batch []request
	if json.Unmarshal(body, &batch) != nil {
		batch = make([]request, 1)
		if json.Unmarshal(body, &batch[0]) != nil {
			return nil
		}
	}
	for _, r := range batch {
		list = append(list, r.Method)
	}
	return list
}

func (e *Endpoint) allow(methods []string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range methods {
		e.asked[m]++
	}
	if e.limit == 0 {
		return true
	}
	now, n := time.Now(), float64(len(methods))
	e.left = min(float64(e.limit), e.left+now.Sub(e.at).Seconds()*float64(e.limit))
	e.at = now
	if e.left < n {
		e.refused += len(methods)
		return false
	}
	e.left -= n
	return true
}
