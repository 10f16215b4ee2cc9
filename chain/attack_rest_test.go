package chain_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
)

// TestAttack_StarvedRPC_Rest: one endpoint of two says to each request that it is asked too often,
// and for how long it wants to be left alone. An answer is sent within a block all the same, and
// what is on its way is looked after.
func TestAttack_StarvedRPC_Rest(t *testing.T) {
	for _, first := range []bool{true, false} {
		for _, rest := range []string{"60", "0"} {
			o := newOffice(t, nil)
			var busy atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
				if busy.Load() {
					out.Header().Set("Retry-After", rest)
					http.Error(out, "too many requests", http.StatusTooManyRequests)
					return
				}
				o.proxy.serve(out, in)
			}))
			t.Cleanup(server.Close)
			clock := &hours{at: time.Now()}
			config := chain.Config{URL: server.URL, Second: o.chain.URL(), Now: clock.now, After: clock.after}
			if !first {
				config.URL, config.Second = config.Second, config.URL
			}
			o.client = o.dial(config)
			o.restart()
			busy.Store(true)
			for i, word := range []string{"a", "b", "c"} {
				clock.after(time.Duration(i) * 12 * time.Second)
				before := clock.now()
				o.defend(word, 1000)
				o.step(1)
				if took := clock.now().Sub(before); took > 12*time.Second || o.status(word).Progress != chain.Mined {
					t.Errorf("the first refuses %t, for %s s: %s is %v after %v", first, rest, word, o.status(word).Progress, took)
				}
			}
		}
	}
}
