package api_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// hanging carries requests until it is set, and then answers none.
type hanging struct{ atomic.Bool }

func (h *hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	if h.Load() {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestAttack_HangingRPC: while the endpoint hangs, a person's request waits a person's time for it,
// and not until the request's own time is over: the status comes without the figures that only the
// chain has, and the balance says why it doesn't.
func TestAttack_HangingRPC(t *testing.T) {
	var endpoint hanging
	c := client(serve(t, func(c *node.Config) {
		// 2 seconds for a person, of the 8 that a request has
		c.Chain.Timeout, c.Chain.Transport = 10*time.Second, &endpoint
	}), "Bearer "+token)
	endpoint.Store(true)
	_, err := c.GetBalance(t.Context(), connect.NewRequest(&antev1.GetBalanceRequest{}))
	if err == nil || !strings.Contains(err.Error(), "cannot reach the chain") {
		t.Errorf("the balance: %v", err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	_, err = c.VerifyRound(soon, connect.NewRequest(&antev1.VerifyRoundRequest{Block: 1, PriceCoins: "10"}))
	if err == nil || !strings.Contains(err.Error(), "cannot reach the chain") {
		t.Errorf("a draw: %v", err)
	}
	s, err := c.GetStatus(t.Context(), connect.NewRequest(&antev1.GetStatusRequest{}))
	if err != nil || s.Msg.Gas != "" || s.Msg.Account == "" {
		t.Errorf("the status: %v, %v", s, err)
	}
	endpoint.Store(false)
	if s, err = c.GetStatus(t.Context(), connect.NewRequest(&antev1.GetStatusRequest{})); err != nil || s.Msg.Gas == "" {
		t.Errorf("the status then: %v, %v", s, err)
	}
}
