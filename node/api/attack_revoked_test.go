package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/api"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_WeakToken_Revoked: a token that is revoked does nothing more with requests that it
// began before: neither with one whose body comes after that, nor with one that waits for
// something.
func TestAttack_WeakToken_Revoked(t *testing.T) {
	p := start(t)
	t.Run("Body", func(t *testing.T) { p.lateBody(t) })
	t.Run("Waits", func(t *testing.T) { p.waitsOn(t, "") })
	t.Run("WaitsByKey", func(t *testing.T) { p.waitsOn(t, "one") })
	t.Run("Answers", func(t *testing.T) { p.forgotten(t) })
}

// spare makes a token that may do everything, and returns it with its id.
func spare(t *testing.T, c antev1connect.NodeServiceClient) (shown, id string) {
	t.Helper()
	r, err := c.CreateAccess(t.Context(), connect.NewRequest(&antev1.CreateAccessRequest{Name: "spare", Scope: antev1.AccessScope_ACCESS_SCOPE_EVERYTHING}))
	check(t, err)
	return r.Msg.Token, r.Msg.Access.Id
}

func revoke(t *testing.T, c antev1connect.NodeServiceClient, id string) {
	t.Helper()
	_, err := c.RevokeAccess(t.Context(), connect.NewRequest(&antev1.RevokeAccessRequest{Id: id}))
	check(t, err)
}

func (p *pair) lateBody(t *testing.T) {
	shown, id := spare(t, p.owner())
	at := strings.TrimPrefix(p.server.URL, "http://")
	conn, err := net.Dial("tcp", at)
	check(t, err)
	defer conn.Close()
	body := `{"to":"` + stranger + `"}`
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n",
		antev1connect.NodeServiceWithdrawProcedure, at, shown, len(body))
	check(t, err)
	reader := bufio.NewReader(conn)
	asked, err := http.ReadResponse(reader, nil) // its body is wanted: it is past the gate
	check(t, err)
	if asked.StatusCode != http.StatusContinue {
		t.Fatalf("before the body: %s", asked.Status)
	}
	revoke(t, p.owner(), id)
	_, err = io.WriteString(conn, body)
	check(t, err)
	reply, err := http.ReadResponse(reader, nil)
	check(t, err)
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusUnauthorized {
		t.Errorf("after it: %s", reply.Status)
	}
	p.moved(t, "a revoked token")
}

func (p *pair) waitsOn(t *testing.T, key string) {
	config, waits, enough := p.config, make(chan struct{}), make(chan struct{})
	config.Dial = func(ctx context.Context, _ string) (common.Address, error) {
		close(waits)
		select {
		case <-ctx.Done():
		case <-enough:
		}
		return common.Address{}, transport.ErrUnreachable
	}
	server := httptest.NewServer(api.New(config))
	defer server.Close()
	owner := client(server, "Bearer "+token)
	shown, id := spare(t, owner)
	ended := make(chan error, 1)
	go func() {
		r := connect.NewRequest(&antev1.AddPeerRequest{Address: "away"})
		r.Header().Set(api.KeyHeader, key)
		_, err := client(server, "Bearer "+shown).AddPeer(t.Context(), r)
		ended <- err
	}()
	<-waits
	revoke(t, owner, id)
	late := time.AfterFunc(10*time.Second, func() { close(enough) })
	defer late.Stop()
	if err := <-ended; connect.CodeOf(err) != connect.CodeUnauthenticated {
		t.Errorf("what waited ends with %v", err)
	}
}

// forgotten: of what a token was answered nothing is left.
func (p *pair) forgotten(t *testing.T) {
	shown, id := spare(t, p.owner())
	r := connect.NewRequest(&antev1.SetNicknameRequest{Name: "Al"})
	r.Header().Set(api.KeyHeader, "two")
	_, err := client(p.server, "Bearer "+shown).SetNickname(t.Context(), r)
	check(t, err)
	revoke(t, p.owner(), id)
	check(t, p.config.Store.Scan("api/once/"+id, "", func(key string, _ []byte) error {
		t.Errorf("%s is left", key)
		return nil
	}))
}
