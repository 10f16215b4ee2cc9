package daemon

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestAttack_IdleConnections: programs that connect and say nothing lose their connections to those
// that come later. Requests are answered meanwhile, and one under way is not cut off.
func TestAttack_IdleConnections(t *testing.T) {
	const more = 50
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun, finish := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/now", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-finish
		_, _ = io.WriteString(w, "done")
	})
	s := newServer(t.Context(), mux, slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	defer func() {
		_ = s.Close()
		<-served
	}()
	ask := func(path string) (string, error) {
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		r, err := client.Get("http://" + l.Addr().String() + path)
		if err != nil {
			return "", err
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		return string(b), err
	}
	slow := make(chan string, 1)
	go func() {
		text, err := ask("/slow")
		if err != nil {
			text = err.Error()
		}
		slow <- text
	}()
	<-begun
	var idle []net.Conn
	for range maxConnections + more {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		idle = append(idle, c)
	}
	for i, c := range idle[:more] { // the oldest
		// before the time for a request is over
		if err := c.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
			t.Fatalf("idle connection %d is held: %v", i, err)
		}
	}
	if text, err := ask("/now"); text != "here" {
		t.Errorf("a request among idle connections: %q, %v", text, err)
	}
	close(finish)
	if text := <-slow; text != "done" {
		t.Errorf("a request under way: %q", text)
	}
}

// TestAttack_SlowBodies: programs that begin a request and never end it don't keep others from
// being answered.
func TestAttack_SlowBodies(t *testing.T) {
	crowded(t, loopback(t), "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nslow", func(w http.ResponseWriter, r *http.Request, begun chan<- struct{}) {
		if r.ContentLength > 0 {
			begun <- struct{}{}
		}
		if _, err := io.Copy(w, r.Body); err == nil {
			_, _ = io.WriteString(w, "here")
		}
	})
}

func loopback(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// crowded has as many programs as there are connections send a request that goes on for ever, whose
// handler says when it begins. Others are to be answered nevertheless: here.
func crowded(t *testing.T, l net.Listener, request string, handle func(w http.ResponseWriter, r *http.Request, begun chan<- struct{})) {
	t.Helper()
	begun := make(chan struct{}, maxConnections)
	s := newServer(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(w, r, begun) }), slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	defer func() {
		_ = s.Close()
		<-served
	}()
	for range maxConnections {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		<-begun
	}
	for range maxConnections / 2 {
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Get("http://" + l.Addr().String())
		if err != nil {
			t.Fatalf("a request among others: %v", err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if string(text) != "here" || err != nil {
			t.Fatalf("a request among others: %q, %v", text, err)
		}
	}
}

// TestAttack_SlowBodies_OneConnection: as above, where each connection also asks for what is
// answered at once (HTTP/2).
func TestAttack_SlowBodies_OneConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_ = http.NewResponseController(w).Flush()
		}
		if _, err := io.Copy(w, r.Body); err == nil {
			_, _ = io.WriteString(w, "here")
		}
	}), slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	defer func() {
		_ = s.Close()
		<-served
	}()
	ask := func(client *http.Client) (string, error) {
		answer, err := client.Get("http://" + l.Addr().String())
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return answer.Proto + string(text), err
	}
	two := new(http.Protocols)
	two.SetUnencryptedHTTP2(true)
	for range maxConnections {
		client := &http.Client{Transport: &http.Transport{Protocols: two}}
		defer client.CloseIdleConnections()
		never, writer := io.Pipe()
		defer writer.Close()
		slow, err := client.Post("http://"+l.Addr().String(), "text/plain", never)
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Body.Close()
		if text, err := ask(client); text != "HTTP/2.0here" || err != nil {
			t.Fatalf("beside a slow one: %q, %v", text, err)
		}
	}
	for range maxConnections / 2 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		if text, err := ask(client); text != "HTTP/1.1here" || err != nil {
			t.Fatalf("a request among slow ones: %q, %v", text, err)
		}
	}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// TestStopsAtOnce: a server that stops waits for no connection that never asked for anything.
func TestStopsAtOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t.Context(), http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	spare, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer spare.Close()
	r, err := http.Get("http://" + l.Addr().String()) // the spare one was accepted before
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	patience, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	if err := s.Shutdown(patience); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
