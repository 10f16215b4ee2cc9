package node_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/node"
)

// fibber is an endpoint in front of another that, when told, answers one method with a lie.
func fibber(t *testing.T, url, method, answer string) (at string, lies *atomic.Bool) {
	t.Helper()
	lies = new(atomic.Bool)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		var asked struct {
			ID     json.RawMessage
			Method string
		}
		out.Header().Set("Content-Type", "application/json")
		if err == nil && lies.Load() && json.Unmarshal(body, &asked) == nil && asked.Method == method {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, answer)
			return
		}
		r, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer r.Body.Close()
		_, _ = io.Copy(out, r.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL, lies
}

// TestAttack_FreeRoll_LyingEndpoint: seat 1 bets, and never signs the closed bets; the house, its
// friend, does nothing. One of the two endpoints of the player in seat 2, which both may run, lies
// in one answer. The player's note lands, and the player is paid what is drawn.
func TestAttack_FreeRoll_LyingEndpoint(t *testing.T) {
	for name, lie := range map[string][2]string{
		"the truth":        {"none", ""},
		"an empty account": {"eth_getBalance", `"0x0"`},
		"a nonce too far":  {"eth_getTransactionCount", `"0xffff"`},
	} {
		t.Run(name, func(t *testing.T) {
			var lies *atomic.Bool
			tb, closed := unsignedBy(t, 2, func(seat int, p games.Player) games.Player {
				if seat == box9.House {
					return careless{p, p.(games.Chained)}
				}
				return p
			}, func(seat int, c *node.Config) {
				if seat == 2 {
					c.Chain.Second = c.Chain.URL
					c.Chain.URL, lies = fibber(t, c.Chain.URL, lie[0], lie[1])
				}
			}, func() { lies.Store(true) })
			tb.mineTo(t, closed.Block, box9.House, 2)
			lies.Store(false)
			tb.pays(t, 2, "", tb.after(t, closed, box9.Counted))
		})
	}
}
