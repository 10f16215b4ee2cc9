package node_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	baseFee   = regexp.MustCompile(`"baseFeePerGas":"0x[0-9a-f]+"`)
	timestamp = regexp.MustCompile(`"timestamp":"0x[0-9a-f]+"`)
)

// spiky is an endpoint whose base fee is so many gwei while that is not 0.
func spiky(t *testing.T, gwei *atomic.Uint64) string {
	return edited(t, func(reply []byte) []byte {
		if g := gwei.Load(); g != 0 {
			return baseFee.ReplaceAll(reply, fmt.Appendf(nil, `"baseFeePerGas":"0x%x"`, g*1_000_000_000))
		}
		return reply
	})
}

// edited is an endpoint whose replies are edited.
func edited(t *testing.T, edit func([]byte) []byte) string {
	url := strings.Replace(world(t).URL, "ws", "http", 1)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return
		}
		request.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer reply.Body.Close()
		all, err := io.ReadAll(reply.Body)
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := w.Write(edit(all)); err != nil {
			return
		}
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// TestAttack_FeeSpike_AtTheStart: a node starts while gas costs far more than its answer is worth,
// and its peer starts the clock of a match that it can win. It says so for as long as that lasts,
// and answers once the price has fallen.
func TestAttack_FeeSpike_AtTheStart(t *testing.T) {
	t.Parallel()
	var gwei atomic.Uint64
	alice, tb, id, win := pressed(t, func() { gwei.Store(5000) }, world(t).Arena, func(c *node.Config) { c.Chain.URL = spiky(t, &gwei) })
	stands := func() bool {
		for _, e := range alice.Standing() {
			if e.Match == id && strings.Contains(e.Text, "20000000000000000 wei are at stake") {
				return true
			}
		}
		return false
	}
	tb.wait(t, alice, stands)

	gwei.Store(0)
	win()
	if stands() {
		t.Error("the alarm still stands")
	}
}

// TestAttack_LyingRPC_Price: one of two endpoints tells a base fee at which no answer is worth its
// gas. The other tells another one, by which the node answers.
func TestAttack_LyingRPC_Price(t *testing.T) {
	t.Parallel()
	var gwei atomic.Uint64
	_, _, _, win := pressed(t, func() { gwei.Store(1_000_000) }, world(t).Arena, func(c *node.Config) {
		c.Chain.URL, c.Chain.Second = spiky(t, &gwei), world(t).URL
	})
	win()
}

// TestAttack_LyingRPC_Time: one of two endpoints tells a time at which the player's clock would
// have run out. The node answers all the same.
func TestAttack_LyingRPC_Time(t *testing.T) {
	t.Parallel()
	var lies atomic.Bool
	late := edited(t, func(reply []byte) []byte {
		if lies.Load() {
			return timestamp.ReplaceAll(reply, fmt.Appendf(nil, `"timestamp":"0x%x"`, time.Now().Add(1000*time.Hour).Unix()))
		}
		return reply
	})
	_, _, _, win := pressed(t, func() { lies.Store(true) }, ofSeconds(t), func(c *node.Config) { c.Chain.URL, c.Chain.Second = late, world(t).URL })
	win()
}

// pressed is a table of an Arena at which something begins when a player's clock is about to run
// on-chain, in a match that it can win at once. Win lets the clock run out, and expects that it has
// won.
func pressed(t *testing.T, begins func(), arena common.Address, change func(*node.Config)) (alice *player, tb *table, id common.Hash, win func()) {
	t.Helper()
	tb = emptyTable(t)
	alice = join(t, func(c *node.Config) { c.Arena, c.Scoreboard = arena, common.Address{}; change(c) })
	var silent atomic.Bool
	bob := join(t, func(c *node.Config) { c.Arena, c.Scoreboard = arena, common.Address{}; hasty(c, silent.Load) })
	tb.players = []*player{bob, alice}
	must(t, dev.Connect(tb.ctx, bob.Node, alice.Node))
	bob.fund(t)
	alice.fund(t)
	before, err := alice.BankBalance(tb.ctx, common.Address{})
	must(t, err)
	tb.open(t)
	must(t, bob.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(1e16)}}))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool {
			for _, m := range p.Matches() {
				if m.Started {
					id = m.ID
					return true
				}
			}
			return false
		})
	}
	tb.play(t, bob, id, "pass 1")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove && int(m.Mover) == m.Seat })

	begins()
	alice.restart(t) // nobody connects them again
	silent.Store(true)
	tb.wait(t, alice, func() bool {
		d, err := alice.Dispute(tb.ctx, tb.channel, nil)
		must(t, err)
		return d.Records[id].Clock != 0
	})
	must(t, alice.Play(id, "win 1"))
	return alice, tb, id, func() {
		t.Helper()
		for range 60 {
			must(t, world(t).Chain.Mine(1))
			for _, p := range tb.players {
				tb.wait(t, p, func() bool { return p.Head().Block >= world(t).Chain.Head() })
			}
		}
		after, err := alice.BankBalance(tb.ctx, common.Address{})
		must(t, err)
		if want := new(uint256.Int).AddUint64(before, 1e16); !after.Eq(want) {
			t.Errorf("alice has %v, want %v", after, want)
		}
	}
}
