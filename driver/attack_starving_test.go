package driver

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
)

// TestAttack_StarvedRPC_Note: one endpoint of two takes every request and answers none. What a
// rules contract needs soon is sent after one wait for it, and looked after without another.
func TestAttack_StarvedRPC_Note(t *testing.T) {
	for _, first := range []bool{true, false} {
		t.Run(fmt.Sprintf("the first: %v", first), func(t *testing.T) {
			u := newUpkeep(t)
			var waits atomic.Int64
			var starves atomic.Bool
			mute := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
				if !starves.Load() {
					u.serve(out, in)
					return
				}
				waits.Add(1)
				_, _ = io.Copy(io.Discard, in.Body) // else the server doesn't see that the client went
				<-in.Context().Done()
			}))
			t.Cleanup(mute.Close)
			at := time.Unix(1_000_000, 0)
			u.beside(chain.Config{URL: mute.URL, Timeout: time.Second, Now: func() time.Time { return at }}, first)
			starves.Store(true)
			u.must(u.Upkeep(t.Context(), u.taker, taking(1), 100))
			u.sent(1)
			_, err := u.Sender.Step(t.Context())
			u.must(err)
			if n := waits.Load(); n != 1 {
				t.Errorf("it was waited for %d times", n)
			}
			at = at.Add(12 * time.Second)
			u.must(u.Upkeep(t.Context(), u.taker, taking(2), 100))
			if n := waits.Load(); n != 2 {
				t.Errorf("a block later it was waited for %d times in all", n)
			}
		})
	}
}
