package daemon

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
)

// narrow is a listener whose connections hold little that is not read.
type narrow struct{ net.Listener }

func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(4096)
	}
	return c, err
}

// TestAttack_IdleConnections_Unread: programs that ask and don't read the answer don't keep others
// from being answered.
func TestAttack_IdleConnections_Unread(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan struct{}, maxConnections)
	s := newServer(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			begun <- struct{}{}
			_, _ = w.Write(make([]byte, 4<<20))
		}
		_, _ = io.WriteString(w, "here")
	}), slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve(narrow{l}) }()
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
		if _, err := io.WriteString(c, "GET /page HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		<-begun
	}
	for range maxConnections / 2 {
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Get("http://" + l.Addr().String())
		if err != nil {
			t.Fatalf("a request among unread ones: %v", err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if string(text) != "here" || err != nil {
			t.Fatalf("a request among unread ones: %q, %v", text, err)
		}
	}
}
