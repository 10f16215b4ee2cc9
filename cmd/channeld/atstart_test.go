package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/chaintest"
)

// A daemon, and a tower, whose only endpoint refuses at the start wait for it, and the daemon says
// so; both can be stopped then, and run as soon as it answers. Another chain than the one that is
// set ends them at once.
func TestAttack_DownAtStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, role := range []string{"run", "tower"} {
		t.Run(role, func(t *testing.T) {
			v := &victim{T: t, ctx: t.Context(), dir: t.TempDir(), account: w.Chain.Address(1)}
			v.init(w, 1)
			g, err := chaintest.NewEndpoint(w.URL)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(g.Close)
			waiting := g.Fail(http.StatusBadGateway)
			idle := v.launch(role, "--chain.url", g.URL)
			select {
			case <-waiting:
			case <-idle.ended:
			}
			if err := idle.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if <-idle.ended; idle.err != nil {
				t.Errorf("interrupted while it waits, it ended: %v\n%s", idle.err, idle.log.String())
			}
			g.Fail(http.StatusTooManyRequests)
			p := v.launch(role, "--chain.url", g.URL)
			if role == "run" {
				v.waits(p, g.URL)
			}
			select {
			case <-g.Fail(http.StatusBadGateway):
			case <-p.ended:
				t.Fatalf("it ended: %v\n%s", p.err, p.log.String())
			}
			g.Fail(0)
			select {
			case <-p.ready:
			case <-p.ended:
				t.Fatalf("it ended: %v\n%s", p.err, p.log.String())
			}
			if says, code := v.channeld("status"); role == "run" && code != 0 {
				t.Errorf("it says then: %s", says)
			}
			if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			<-p.ended
			if p.err != nil {
				t.Errorf("it ended: %v\n%s", p.err, p.log.String())
			}
			if !strings.Contains(p.log.String(), "can't follow the chain yet") {
				t.Errorf("it did not say that it waits:\n%s", p.log.String())
			}
			other := v.launch(role, "--chain.url", g.URL, "--chain.id", "1")
			<-other.ended
			if other.err == nil || !strings.Contains(other.log.String(), "not chain 1") {
				t.Errorf("on another chain it ends so: %v\n%s", other.err, other.log.String())
			}
		})
	}
}

// launch starts a command of channeld and doesn't wait until it is ready.
func (v *victim) launch(args ...string) *process {
	v.Helper()
	p := &process{cmd: exec.Command("channeld", append([]string{"--dir", v.dir}, args...)...)} //nolint:gosec // this very binary
	v.must(p.launch())
	v.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may be dead
		<-p.ended
	})
	return p
}

// waits asks a daemon for its status until it says that it waits for an endpoint.
func (v *victim) waits(p *process, endpoint string) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		says, code := v.channeld("status")
		if strings.Contains(says, "nobody watches your channels") {
			if !strings.Contains(says, endpoint) || strings.Contains(says, "went away") || code == 0 {
				v.Errorf("it says, with code %d: %s", code, says)
			}
			return
		}
		select {
		case <-tick.C:
		case <-p.ended:
			v.Fatalf("it ended: %v\n%s", p.err, p.log.String())
		case <-ctx.Done():
			v.Fatalf("it does not say that it waits: %s", says)
		}
	}
}
