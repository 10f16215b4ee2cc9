package daemon

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// maxConnections is how many connections a daemon holds to programs of its user, so that they can't
// take the descriptors that its store, its chain and its peers need.
const maxConnections = 128

// newServer returns a server whose connections are bounded in number and in how long they wait.
func newServer(base context.Context, handler http.Handler, log *slog.Logger) *http.Server {
	v := &visitors{open: map[net.Conn]*visitor{}}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true) // gRPC needs it
	server := &http.Server{
		Handler:           v.received(handler),
		Protocols:         protocols,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnState:         v.changed,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(v.leave)
	return server
}

// visitors bounds the connections of a server. Above maxConnections, the one that is closed has
// gone longest without sending a whole request, body included, or without taking what it is
// answered.
type visitors struct {
	mu   sync.Mutex
	open map[net.Conn]*visitor
}

// visitor is a connection. Several requests may go on in the same one (HTTP/2), and some never end.
type visitor struct {
	since  time.Time // it waits for its program, if it does
	served int       // requests that came whole and are being answered
	unread int       // answers of which it is to take the next part
}

func (x *visitor) waits() bool { return x.served == 0 || x.unread > 0 }

// changed is told what became of a connection.
func (v *visitors) changed(c net.Conn, state http.ConnState) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch state {
	case http.StateNew, http.StateIdle:
		v.open[c] = &visitor{since: time.Now()}
	case http.StateClosed, http.StateHijacked:
		delete(v.open, c)
	}
	if len(v.open) <= maxConnections {
		return
	}
	oldest := c
	for other, x := range v.open {
		if mine := v.open[oldest]; x.waits() && (!mine.waits() || x.since.Before(mine.since)) {
			oldest = other
		}
	}
	delete(v.open, oldest)
	_ = oldest.Close() // its server sees that it is gone
}

// leave closes the connections on which nothing is answered. A server that shuts down would wait
// five seconds for one without a request, and browsers open some in advance.
func (v *visitors) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for c, x := range v.open {
		if x.served == 0 {
			_ = c.Close() // its server sees that it is gone
		}
	}
}

// of returns what is known of a connection.
func (v *visitors) of(c net.Conn) *visitor {
	v.mu.Lock()
	defer v.mu.Unlock()
	if x := v.open[c]; x != nil {
		return x
	}
	return new(visitor) // it is closed
}

// count counts what a connection does.
func (v *visitors) count(x *visitor, served, unread int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	waited := x.waits()
	x.served, x.unread = x.served+served, x.unread+unread
	if !waited && x.waits() {
		x.since = time.Now()
	}
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// received counts the requests that have come whole, and the answers that are not taken.
func (v *visitors) received(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := r.Context().Value(connKey{}).(net.Conn)
		x := v.of(c)
		var came atomic.Int32
		whole := sync.OnceFunc(func() {
			came.Store(1)
			v.count(x, 1, 0)
		})
		if r.Body == http.NoBody {
			whole()
		}
		r.Body = body{r.Body, whole}
		next.ServeHTTP(&answer{w, func(unread int) { v.count(x, 0, unread) }}, r)
		v.count(x, -int(came.Load()), 0)
	})
}

// answer is a response that counts while a part of it is not taken.
type answer struct {
	http.ResponseWriter
	count func(unread int)
}

func (a *answer) Write(p []byte) (int, error) {
	a.count(1)
	defer a.count(-1)
	return a.ResponseWriter.Write(p)
}

// Flush implements http.Flusher, without which nothing is streamed.
func (a *answer) Flush() {
	a.count(1)
	defer a.count(-1)
	_ = http.NewResponseController(a.ResponseWriter).Flush() // the caller is gone if it fails
}

func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// body is a request's body that says when it has come whole.
type body struct {
	io.ReadCloser
	whole func()
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.whole()
	}
	return n, err
}
