package node_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/node/dev"
)

// cut is how two endpoints are reached, of which the one at localhost may be down.
type cut struct{ atomic.Bool }

func (c *cut) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Hostname() == "localhost" {
		if c.Load() {
			return nil, errors.New("cut off")
		}
		r = r.Clone(r.Context())
		r.URL.Host = "127.0.0.1:" + r.URL.Port()
		r.Host = r.URL.Host
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestAttack_ChosenPair_ToldAlone: one of a player's two endpoints is down when the block that
// shuffles becomes final. The other one alone doesn't draw, which it could do as it likes, and for
// good.
func TestAttack_ChosenPair_ToldAlone(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	house, p := tb.players[0], tb.players[1]
	second := new(cut)
	p.config.Chain.Second, p.config.Chain.Transport = strings.Replace(p.config.Chain.URL, "127.0.0.1", "localhost", 1), second
	p.restart(t)
	must(t, dev.Connect(tb.ctx, p.Node, house.Node))
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 2e17)
	tb.seal(t, id)
	second.Store(true)
	r, err := house.Round(id)
	must(t, err)
	head := r.Terms.Shuffle + 12
	must(t, world(t).Chain.Mine(int(head-world(t).Chain.Head())))
	tb.wait(t, p, func() bool { return p.Head().Block >= head })
	if now, err := p.Round(id); err != nil || now.State() != "sealed" {
		t.Errorf("the round is %s, %v", now.State(), err)
	}
	second.Store(false)
	tb.mine(t)
	tb.pairs(t, id, "done")
}
