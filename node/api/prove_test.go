package api_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/keys"
)

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// provesItself: the service shows that it knows the token, to whoever asks, without showing the
// token.
func provesItself(t *testing.T, server *httptest.Server) {
	if err := api.Prove(dial(t, server.URL), token); err != nil {
		t.Errorf("the service can't prove itself: %v", err)
	}
	if err := api.Prove(dial(t, server.URL), "another"); !errors.Is(err, api.ErrStranger) {
		t.Errorf("another token is proved: %v", err)
	}
	for _, challenge := range []string{"", "00", "xyz", strings.Repeat("0", 66)} {
		reply, err := http.Get(server.URL + "/prove?challenge=" + challenge)
		if err != nil {
			t.Fatal(err)
		}
		if _ = reply.Body.Close(); reply.StatusCode != http.StatusBadRequest {
			t.Errorf("challenge %q: %s", challenge, reply.Status)
		}
	}
}

// TestStrangersLearnNothing: whoever took over the daemon's port does not pass for it, even when
// the daemon runs elsewhere and can be asked.
func TestStrangersLearnNothing(t *testing.T) {
	real := httptest.NewServer(api.New(api.Config{Token: keys.NewSecret([]byte(token))}))
	defer real.Close()
	for name, stranger := range map[string]http.HandlerFunc{
		"ignorant": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("0", 64)) },
		"silent":   func(http.ResponseWriter, *http.Request) {},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"relay": func(w http.ResponseWriter, r *http.Request) {
			reply, err := http.Get(real.URL + r.URL.String())
			if err != nil {
				t.Error(err)
				return
			}
			defer reply.Body.Close()
			_, _ = io.Copy(w, reply.Body)
		},
	} {
		server := httptest.NewServer(stranger)
		if err := api.Prove(dial(t, server.URL), token); !errors.Is(err, api.ErrStranger) {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
	}
}
