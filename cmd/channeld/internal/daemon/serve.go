package daemon

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxConnections is how many connections a daemon holds to programs of its user, so that they can't
// take the descriptors that its store, its chain and its peers need.
const maxConnections = 128

// newServer returns a server whose connections are bounded in number and in how long they wait.
func newServer(base context.Context, handler http.Handler, log *slog.Logger) *http.Server {
	v := &visitors{open: map[net.Conn]struct{}{}, waiting: map[net.Conn]time.Time{}, served: map[net.Conn]int{}}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true) // gRPC needs it
	return &http.Server{
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
}

// visitors bounds the connections of a server. Above maxConnections, the one that is closed has
// gone longest without sending a whole request, body included.
type visitors struct {
	mu      sync.Mutex
	open    map[net.Conn]struct{}
	waiting map[net.Conn]time.Time // since when; those whose request is answered don't wait
	served  map[net.Conn]int       // requests that came whole and are being answered
}

// changed is told what became of a connection.
func (v *visitors) changed(c net.Conn, state http.ConnState) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch state {
	case http.StateNew, http.StateIdle:
		v.open[c] = struct{}{}
		v.waiting[c] = time.Now()
	case http.StateClosed, http.StateHijacked:
		delete(v.open, c)
		delete(v.waiting, c)
		delete(v.served, c)
	}
	if len(v.open) <= maxConnections {
		return
	}
	oldest := c
	for other, since := range v.waiting {
		if mine, waits := v.waiting[oldest]; !waits || since.Before(mine) {
			oldest = other
		}
	}
	delete(v.waiting, oldest)
	delete(v.open, oldest)
	_ = oldest.Close() // its server sees that it is gone
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// received ends a connection's waiting while a request of it that has come whole is answered.
// Others may go on in the same one (HTTP/2), and never end.
func (v *visitors) received(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := r.Context().Value(connKey{}).(net.Conn)
		came := false
		whole := sync.OnceFunc(func() {
			v.mu.Lock()
			defer v.mu.Unlock()
			came = true
			v.served[c]++
			delete(v.waiting, c)
		})
		if r.Body == http.NoBody {
			whole()
		}
		r.Body = body{r.Body, whole}
		next.ServeHTTP(w, r)
		v.mu.Lock()
		defer v.mu.Unlock()
		if came {
			v.answered(c)
		}
	})
}

// answered has a connection wait again once none of its requests is answered any more. The mutex is
// held.
func (v *visitors) answered(c net.Conn) {
	if v.served[c]--; v.served[c] > 0 {
		return
	}
	delete(v.served, c)
	if _, open := v.open[c]; open {
		v.waiting[c] = time.Now()
	}
}

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
