package p2p

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/x/simlibp2p"
	"github.com/marcopolo/simnet"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
)

// link is a simulated network with virtual time, on which real hosts meet over QUIC.
type link struct {
	t   *testing.T
	net *simnet.Simnet
	cut atomic.Bool // packets don't arrive
}

const (
	oneWay = 25 * time.Millisecond
	never  = 1000 * time.Hour
)

// inBubble runs a test in virtual time.
func inBubble(t *testing.T, test func(t *testing.T, l *link)) {
	synctest.Test(t, func(t *testing.T) {
		l := &link{t: t}
		l.net = &simnet.Simnet{LatencyFunc: func(*simnet.Packet) time.Duration {
			if l.cut.Load() {
				return never
			}
			return oneWay
		}}
		l.net.Start()
		defer l.net.Close()
		test(t, l)
	})
}

func (l *link) config(i int, h transport.Handler) Config {
	speed := simnet.LinkSettings{BitsPerSecond: 20 * simlibp2p.OneMbps}
	cfg := config(i, h)
	cfg.Listen = []string{"/ip4/" + simnet.IntToPublicIPv4(i).String() + "/udp/4001/quic-v1"}
	cfg.options = []libp2p.Option{
		simlibp2p.QUICSimnet(l.net, simnet.NodeBiDiLinkSettings{Downlink: speed, Uplink: speed}),
		libp2p.DisableIdentifyAddressDiscovery(), // stalls virtual time
	}
	return cfg
}

func (l *link) start(cfg Config) *Host {
	l.t.Helper()
	h, err := New(cfg)
	if err != nil {
		l.t.Fatal(err)
	}
	return h
}

func address(i int) common.Address { return player(i).Address() }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tries counts the failed attempts that a host logs.
type tries struct{ n atomic.Int64 }

func (*tries) Enabled(context.Context, slog.Level) bool { return true }
func (c *tries) Handle(_ context.Context, r slog.Record) error {
	if r.Message == unreached {
		c.n.Add(1)
	}
	return nil
}
func (c *tries) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c *tries) WithGroup(string) slog.Handler      { return c }

// A kept peer that is away for an hour is dialled about once a minute, and found soon after it is
// back.
func TestReconnect(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		ra, rb := transporttest.NewRecorder(make(chan struct{}, 1)), transporttest.NewRecorder(make(chan struct{}, 1))
		var failed tries
		cfg := l.config(0, ra)
		cfg.Log = slog.New(&failed)
		a, b := l.start(cfg), l.start(l.config(1, rb))
		defer func() { must(t, a.Close()) }()
		must(t, b.Keep(address(0)))
		must(t, a.Keep(address(1), b.Addresses()...))
		must(t, a.Keep(address(1))) // again, which changes nothing
		must(t, a.Connect(t.Context(), address(1)))
		must(t, b.Close())
		time.Sleep(time.Hour)
		if ra.Up(address(1)) {
			t.Error("connected to nobody")
		}
		if n := failed.n.Load(); n < 40 || n > 80 {
			t.Errorf("dialled %d times in an hour", n)
		}
		if err := a.Send(address(1), move(1)); !errors.Is(err, transport.ErrNotConnected) || !errors.Is(err, transport.ErrUnreachable) {
			t.Errorf("got %v, want ErrNotConnected because ErrUnreachable", err)
		}
		b = l.start(l.config(1, rb))
		defer func() { must(t, b.Close()) }()
		must(t, b.Keep(address(0)))
		time.Sleep(2 * time.Minute)
		must(t, a.Send(address(1), move(2)))
		time.Sleep(time.Second)
		if turns := rb.Turns(address(0)); len(turns) != 1 || turns[0] != 2 {
			t.Errorf("received %v", turns)
		}
	})
}

// A peer that vanishes without a word is noticed within a minute, and found again.
func TestVanished(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		ra, rb := transporttest.NewRecorder(make(chan struct{}, 1)), transporttest.NewRecorder(make(chan struct{}, 1))
		a, b := l.start(l.config(0, ra)), l.start(l.config(1, rb))
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		must(t, b.Keep(address(0), a.Addresses()...))
		must(t, a.Keep(address(1), b.Addresses()...))
		time.Sleep(10 * time.Second)
		l.cut.Store(true)
		must(t, a.Send(address(1), move(1)))
		time.Sleep(time.Minute)
		if ra.Up(address(1)) || rb.Up(address(0)) {
			t.Error("not noticed in a minute")
		}
		l.cut.Store(false)
		time.Sleep(2 * time.Minute)
		if !ra.Up(address(1)) || !rb.Up(address(0)) {
			t.Fatal("not found again")
		}
		must(t, a.Send(address(1), move(2)))
		time.Sleep(time.Second)
		if turns := rb.Turns(address(0)); len(turns) != 1 || turns[0] != 2 {
			t.Errorf("received %v", turns)
		}
	})
}

// A peer that was killed and restarted is dialled anew although its old connection isn't known to
// be dead.
func TestDialRestarted(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		ra, rb := transporttest.NewRecorder(make(chan struct{}, 1)), transporttest.NewRecorder(make(chan struct{}, 1))
		a, b := l.start(l.config(0, ra)), l.start(l.config(1, rb))
		defer func() { must(t, a.Close()) }()
		if err := a.host.Connect(t.Context(), peer.AddrInfo{ID: b.host.ID(), Addrs: b.host.Addrs()}); err != nil {
			t.Fatal(err)
		}
		l.cut.Store(true) // so that nobody hears it die
		must(t, b.Close())
		l.cut.Store(false)
		b = l.start(l.config(1, rb))
		defer func() { must(t, b.Close()) }()
		if got, err := a.Dial(t.Context(), b.Addresses()[0]); err != nil || got != address(1) {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

// Two that dial each other at the same moment are connected, and stay so.
func TestBothDial(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		ra, rb := transporttest.NewRecorder(make(chan struct{}, 1)), transporttest.NewRecorder(make(chan struct{}, 1))
		a, b := l.start(l.config(0, ra)), l.start(l.config(1, rb))
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		must(t, b.Keep(address(0), a.Addresses()...))
		must(t, a.Keep(address(1), b.Addresses()...))
		time.Sleep(10 * time.Second)
		for turn := range uint64(100) {
			must(t, a.Send(address(1), move(turn)))
			must(t, b.Send(address(0), move(turn)))
		}
		time.Sleep(time.Hour)
		if n, m := len(ra.Turns(address(1))), len(rb.Turns(address(0))); n != 100 || m != 100 {
			t.Errorf("received %d and %d of 100", n, m)
		}
		for name, r := range map[string]*transporttest.Recorder{"a": ra, "b": rb} {
			if broken := r.Broken(); len(broken) > 0 {
				t.Errorf("%s: %v", name, broken)
			}
		}
		if _, downs := ra.Count(address(1)); downs > 0 {
			t.Errorf("disconnected %d times", downs)
		}
	})
}

// A silent stranger is let go, a kept account isn't.
func TestIdle(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		host := l.start(l.config(0, r))
		defer func() { must(t, host.Close()) }()
		for i := 1; i <= 3; i++ {
			other := l.start(l.config(i, transporttest.NewRecorder(make(chan struct{}, 1))))
			defer func() { must(t, other.Close()) }()
			must(t, other.Keep(address(0)))
			if i == 1 {
				must(t, host.Keep(address(1)))
			}
			if _, err := other.Dial(t.Context(), host.Addresses()[0]); err != nil {
				t.Fatal(err)
			}
			if i == 3 {
				stop := make(chan struct{})
				defer close(stop)
				go func() {
					for tick := time.NewTicker(time.Minute); ; {
						select {
						case <-tick.C:
							// refused once it was let go, which the test would see
							_ = other.Send(address(0), move(1))
						case <-stop:
							return
						}
					}
				}()
			}
		}
		time.Sleep(time.Hour)
		if _, downs := r.Count(address(1)); downs > 0 {
			t.Errorf("a kept account was let go: %v", r.Why(address(1)))
		}
		if !errors.Is(r.Why(address(2)), transport.ErrIdle) {
			t.Errorf("a silent stranger: %v, want ErrIdle", r.Why(address(2)))
		}
		if _, downs := r.Count(address(3)); downs > 0 {
			t.Errorf("a stranger that talks was let go: %v", r.Why(address(3)))
		}
	})
}

// A peer that sends in a hurry, and then no more, is slowed down and not cut off.
func TestPace(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		cfg := l.config(0, r)
		cfg.Limits.MessagesPerSecond = 100
		slow := l.start(cfg)
		defer func() { must(t, slow.Close()) }()
		cfg = l.config(1, transporttest.NewRecorder(make(chan struct{}, 1)))
		cfg.Limits.QueueMessages = 1000
		fast := l.start(cfg)
		defer func() { must(t, fast.Close()) }()
		if _, err := fast.Dial(t.Context(), slow.Addresses()[0]); err != nil {
			t.Fatal(err)
		}
		for turn := range uint64(500) {
			must(t, fast.Send(address(0), move(turn)))
		}
		time.Sleep(time.Second)
		if n := len(r.Turns(address(1))); n < 250 || n > 310 {
			t.Errorf("%d messages handled in the first second, want the burst of 200 and 100", n)
		}
		time.Sleep(5 * time.Second)
		if n := len(r.Turns(address(1))); n != 500 {
			t.Errorf("%d of 500 messages came", n)
		}
		if _, downs := r.Count(address(1)); downs > 0 {
			t.Errorf("cut off: %v", r.Why(address(1)))
		}
	})
}

// Hosts behind one address get their share of connections, however many they are; who holds a
// connection and proves nothing loses it.
func TestAttack_Sybil_OneAddress(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		cfg := l.config(0, transporttest.NewRecorder(make(chan struct{}, 1)))
		cfg.Limits.ConnectionsPerIP = 3
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		var crowd []*Host
		for i := 1; i <= 8; i++ {
			cfg := l.config(i, transporttest.NewRecorder(make(chan struct{}, 1)))
			cfg.Listen = []string{fmt.Sprintf("/ip4/%s/udp/%d/quic-v1", simnet.IntToPublicIPv4(1), 4000+i)}
			h := l.start(cfg)
			defer func() { must(t, h.Close()) }()
			// most are refused
			_ = h.host.Connect(t.Context(), peer.AddrInfo{ID: victim.host.ID(), Addrs: victim.host.Addrs()})
			crowd = append(crowd, h)
		}
		time.Sleep(time.Second)
		if n := len(victim.host.Network().Conns()); n != 3 {
			t.Errorf("%d connections from one address, want 3", n)
		}
		time.Sleep(time.Minute)
		if n := len(victim.host.Network().Conns()); n != 0 {
			t.Errorf("%d connections that proved nothing are still held", n)
		}
		if _, err := crowd[7].Dial(t.Context(), victim.Addresses()[0]); err != nil {
			t.Errorf("an honest one from there, afterwards: %v", err)
		}
	})
}
