package api_test

import (
	"errors"
	"net/http/httptest"
	"testing"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/keys"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/store"
)

// A program that has no node yet says why, and with a code by which its callers ask again.
func TestWaiting(t *testing.T) {
	why := errors.New("the daemon is starting")
	server := httptest.NewServer(api.Waiting(keys.NewSecret([]byte("token")), store.NewMemory(), why))
	defer server.Close()
	_, err := client(server, "Bearer token").GetStatus(t.Context(), connect.NewRequest(&antev1.GetStatusRequest{}))
	var answer *connect.Error
	if !errors.As(err, &answer) || !connect.IsWireError(err) || answer.Code() != connect.CodeUnavailable || answer.Message() != why.Error() {
		t.Errorf("it answers %v", err)
	}
}
