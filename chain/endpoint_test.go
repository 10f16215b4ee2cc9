package chain

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// doors is a listener that tells which of its connections were closed, by the order in which they
// came.
type doors struct {
	net.Listener
	opened int
	closed chan int
}

type door struct {
	net.Conn
	number int
	closed chan<- int
}

func (d *doors) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	d.opened++
	return &door{conn, d.opened, d.closed}, err
}

func (d *door) Close() error {
	select {
	case d.closed <- d.number:
	default: // it was closed before
	}
	return d.Conn.Close()
}

// TestOneConnection: of two calls that connect, the connection of the first one is used, and the
// other one is closed.
func TestOneConnection(t *testing.T) {
	server := httptest.NewUnstartedServer(rpc.NewServer().WebsocketHandler([]string{"*"}))
	list := &doors{Listener: server.Listener, closed: make(chan int, 9)}
	server.Listener = list
	server.Start()
	t.Cleanup(server.Close)
	e := newEndpoint("ws://"+server.Listener.Addr().String(), 1, &Config{Timeout: time.Minute, Now: time.Now, After: time.After})
	t.Cleanup(e.close)
	for range 2 {
		if err := e.connect(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if closed := <-list.closed; closed != 2 {
		t.Errorf("connection %d was closed", closed)
	}
	var modules map[string]string
	if err := e.client.CallContext(t.Context(), &modules, "rpc_modules"); err != nil {
		t.Error(err)
	}
}

// TestCloseEndsConnections: an endpoint that is closed keeps no connection for later.
func TestCloseEndsConnections(t *testing.T) {
	server := httptest.NewUnstartedServer(rpc.NewServer())
	list := &doors{Listener: server.Listener, closed: make(chan int, 9)}
	server.Listener = list
	server.Start()
	t.Cleanup(server.Close)
	e := newEndpoint(server.URL, 1, &Config{Timeout: time.Minute, Now: time.Now, After: time.After})
	if err := e.connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	var modules map[string]string
	if err := e.client.CallContext(t.Context(), &modules, "rpc_modules"); err != nil {
		t.Error(err)
	}
	e.close()
	select {
	case <-list.closed:
	case <-time.After(10 * time.Second):
		t.Error("the connection stays open")
	}
}

type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// TestPlainAnswersOnLoopback: an endpoint on this machine is asked not to pack its answers; one
// elsewhere may.
func TestPlainAnswersOnLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:1/key": "identity", "http://localhost:1": "identity", "http://[::1]:1": "identity", "http://example.com": "", "http://127.example.com": "",
	} {
		accepts := "not asked"
		e := newEndpoint(address, 1, &Config{Timeout: time.Minute, Now: time.Now, After: time.After, Transport: carrier(func(r *http.Request) (*http.Response, error) {
			accepts = r.Header.Get("Accept-Encoding")
			return nil, net.ErrClosed
		})})
		if err := e.connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		_ = e.client.CallContext(t.Context(), nil, "rpc_modules")
		if accepts != want {
			t.Errorf("%s: %q, want %q", address, accepts, want)
		}
		e.close()
	}
}
