package api_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/store"
)

// health asks a service how it is, without a token.
func health(t *testing.T, server *httptest.Server, origin string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/grpc.health.v1.Health/Check", strings.NewReader("{}"))
	check(t, err)
	r.Header.Set("Content-Type", "application/json")
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	reply, err := server.Client().Do(r)
	check(t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	check(t, err)
	return reply.StatusCode, string(text)
}

// TestHealth: whoever may reach the daemon learns whether it has a node, and a page of another
// origin not even that.
func TestHealth(t *testing.T) {
	config := api.Config{Token: keys.NewSecret([]byte(token)), Store: store.NewMemory(), Now: time.Now}
	for want, handler := range map[string]http.Handler{
		`{"status":"SERVING_STATUS_SERVING"}`:     api.New(config),
		`{"status":"SERVING_STATUS_NOT_SERVING"}`: api.Waiting(config.Token, config.Store, errors.New("it starts")),
	} {
		server := httptest.NewServer(api.Guard(nil, handler))
		defer server.Close()
		if code, got := health(t, server, ""); code != http.StatusOK || strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("%d %s, want %s", code, got, want)
		}
		if code, got := health(t, server, "https://evil.example"); code != http.StatusForbidden {
			t.Errorf("another origin: %d %s", code, got)
		}
	}
}

// TestAttack_SlowBodies_Health: of who shows no token little is held until it is read whole. In 128
// connections of 250 requests a MiB of each would be 32 GiB.
func TestAttack_SlowBodies_Health(t *testing.T) {
	server := httptest.NewServer(api.New(api.Config{Token: keys.NewSecret([]byte(token)), Store: store.NewMemory(), Now: time.Now}))
	defer server.Close()
	for length, want := range map[int]int{200: http.StatusNotFound, 4096: http.StatusTooManyRequests} {
		reply, err := server.Client().Post(server.URL+"/grpc.health.v1.Health/Check", "application/json", strings.NewReader(`{"service":"`+strings.Repeat("a", length)+`"}`))
		check(t, err)
		if check(t, reply.Body.Close()); reply.StatusCode != want {
			t.Errorf("%d bytes: %s", length, reply.Status)
		}
	}
}

// TestAttack_WeakToken_Reflection: what the service is made of is told to those who show a token.
func TestAttack_WeakToken_Reflection(t *testing.T) {
	server := httptest.NewUnstartedServer(api.New(api.Config{Token: keys.NewSecret([]byte(token)), Store: store.NewMemory(), Now: time.Now}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	for shown, want := range map[string]connect.Code{
		"": connect.CodeUnauthenticated, "Bearer wrong": connect.CodeUnauthenticated, "Bearer " + api.View(token): connect.CodeUnauthenticated, "Bearer " + token: 0,
	} {
		stream := grpcreflect.NewClient(server.Client(), server.URL, connect.WithGRPC()).NewStream(t.Context(),
			grpcreflect.WithRequestHeaders(http.Header{"Authorization": {shown}}))
		names, err := stream.ListServices()
		if want == 0 && (err != nil || len(names) != 2 || names[0] != antev1connect.NodeServiceName) || want != 0 && connect.CodeOf(err) != want {
			t.Errorf("%q: %v, %v", shown, names, err)
		}
		_, _ = stream.Close()
	}
}
