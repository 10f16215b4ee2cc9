package nodesim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// port is a JSON-RPC endpoint as one node meets it, with what is wrong with it at times
// (http.RoundTripper). Safe for concurrent use.
type port struct {
	server *rpc.Server
	trace  *trace
	seed   uint64
	began  time.Time

	mu      sync.Mutex
	ills    []ill
	served  int64 // the second in which requests were counted last
	count   int   // of them
	refused int   // requests in all
}

// ill is what is wrong with an endpoint for some time.
type ill struct {
	kind        string
	from, until time.Duration // since the history began
}

// What can be wrong with an endpoint.
const (
	illDown    = "rpc down"           // no answer at all
	illRefuse  = "rpc refusing"       // HTTP 429 for every second request
	illStarved = "rpc starved"        // ten requests a second, 429 for the others
	illSlow    = "rpc slow"           // some seconds for each answer
	illLag     = "rpc lagging"        // three blocks behind
	illLose    = "rpc losing"         // takes transactions and drops them
	illMute    = "rpc refusing calls" // eth_call fails, as where a node lacks the state
	illHide    = "rpc hiding events"  // blocks without events
)

func newPort(w *world, seed uint64) (*port, error) {
	p := &port{trace: w.trace, seed: seed, server: rpc.NewServer(), began: time.Now()}
	return p, p.server.RegisterName("eth", &api{world: w, port: p})
}

// now reports whether something is wrong at present. The lock is held.
func (p *port) now(kind string) bool {
	at := time.Since(p.began)
	for _, i := range p.ills {
		if i.kind == kind && at >= i.from && at < i.until {
			return true
		}
	}
	return false
}

func (p *port) is(kind string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now(kind)
}

func (p *port) hides() bool { return p.is(illHide) }
func (p *port) loses() bool { return p.is(illLose) }

// lag is how many blocks the endpoint is behind.
func (p *port) lag() uint64 {
	if p.is(illLag) {
		return 3
	}
	return 0
}

// meet decides what becomes of a question: an error, an HTTP status, and the time that it takes.
// Chance hangs on what is asked, and when, and not on who asks first of two that ask at one
// instant. No two answers come at one instant, so that what they set going doesn't either.
func (p *port) meet(question string) (status int, takes time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if second := int64(time.Since(p.began) / time.Second); second != p.served {
		p.served, p.count = second, 0
	}
	p.count++
	r := chance(p.seed, fmt.Sprint(question, time.Since(p.began)))
	takes = instant + time.Duration(r.Int64N(int64(time.Millisecond)))
	switch {
	case p.now(illDown):
		return 0, takes, errors.New("connection refused")
	case p.now(illRefuse) && r.IntN(2) == 0, p.now(illStarved) && p.count > 10:
		p.refused++
		return http.StatusTooManyRequests, takes, nil
	case p.now(illSlow):
		return 0, time.Duration(r.Int64N(int64(4 * time.Second))), nil
	}
	return 0, takes, nil
}

// idless is what tells a question from the same one asked again.
var idless = regexp.MustCompile(`"id":[0-9]+,`)

func (p *port) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	question := string(idless.ReplaceAll(body, nil))
	status, takes, err := p.meet(question)
	p.trace.asked(p.seed&0xff, question, status, takes, err)
	select {
	case <-request.Context().Done():
		return nil, request.Context().Err()
	case <-time.After(takes):
	}
	if err != nil {
		return nil, err
	}
	answer := httptest.NewRecorder()
	if status != 0 {
		http.Error(answer, http.StatusText(status), status)
	} else {
		p.server.ServeHTTP(answer, request)
	}
	return answer.Result(), nil
}

// lines are the endpoints of a seat, by host (http.RoundTripper).
type lines struct{ *seat }

func (l lines) RoundTrip(request *http.Request) (*http.Response, error) {
	if l.second != nil && request.URL.Host == secondHost {
		return l.second.RoundTrip(request)
	}
	return l.port.RoundTrip(request)
}

// secondHost is where a seat's second endpoint is.
const secondHost = "second"
