package p2p

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/transport/websocket"
	"github.com/multiformats/go-multiaddr"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
)

const relayPlayer = 30

// detour is two players of whom one is reached through a relay.
type detour struct {
	*testing.T
	wake              chan struct{}
	relay, alice, bob *Host
	atAlice, atBob    *transporttest.Recorder
}

func newDetour(t *testing.T, l Limits, relays ...string) *detour {
	t.Helper()
	d := &detour{T: t, wake: make(chan struct{}, 1)}
	d.relay = start(t, relayConfig(relayPlayer, l))
	d.atAlice, d.atBob = transporttest.NewRecorder(d.wake), transporttest.NewRecorder(d.wake)
	cfg := config(0, d.atAlice)
	cfg.Relays = slices.Concat(relays, d.relay.Addresses()[:1])
	d.alice = start(t, cfg)
	d.bob = start(t, config(1, d.atBob))
	return d
}

func relayConfig(i int, l Limits) Config {
	cfg := config(i, transporttest.NewRecorder(make(chan struct{}, 1)))
	cfg.Relay, cfg.Limits = true, l
	cfg.Listen = []string{"/ip4/127.0.0.1/tcp/0"}
	return cfg
}

func (d *detour) await(what string, cond func() bool) {
	d.Helper()
	late, look := time.After(patience), time.NewTicker(10*time.Millisecond)
	defer look.Stop()
	for !cond() {
		select {
		case <-d.wake:
		case <-look.C: // not all that is waited for is told to a handler
		case <-late:
			d.Fatalf("not in %s: %s", patience, what)
		}
	}
}

// through waits until alice gives out addresses at a relay, and returns one.
func (d *detour) through(relay *Host) (address string) {
	d.Helper()
	d.await("a place at the relay", func() bool {
		list := d.alice.Addresses()
		at := slices.IndexFunc(list, func(a string) bool { return strings.Contains(a, relay.host.ID().String()+"/p2p-circuit/p2p/") })
		if at >= 0 {
			address = list[at]
		}
		return at >= 0
	})
	return address
}

func known(h *Host, i int) transport.Peer {
	list := h.Peers()
	at := slices.IndexFunc(list, func(p transport.Peer) bool { return p.Account == address(i) })
	if at < 0 {
		return transport.Peer{}
	}
	return list[at]
}

// Who can't be dialled is reached through a relay, both ways, and both sides are told. Once there
// is a direct connection what they say goes there, and nothing is left at the relay.
func TestThroughARelay(t *testing.T) {
	d := newDetour(t, Limits{})
	must(t, d.bob.Keep(address(0), d.through(d.relay)))
	d.await("both are connected", func() bool { return d.atAlice.Up(address(1)) && d.atBob.Up(address(0)) })
	must(t, d.bob.Send(address(0), move(1)))
	must(t, d.alice.Send(address(1), move(2)))
	d.await("both have heard", func() bool { return len(d.atAlice.Turns(address(1))) == 1 && len(d.atBob.Turns(address(0))) == 1 })
	for _, p := range []transport.Peer{known(d.bob, 0), known(d.alice, 1)} {
		if !p.Connected || !p.Relayed {
			t.Errorf("%+v", p)
		}
	}
	d.await("the round trip is measured", func() bool { return known(d.bob, 0).RoundTrip > 0 && known(d.alice, 1).RoundTrip > 0 })

	ctx := network.WithForceDirectDial(t.Context(), "as a punched hole would")
	d.alice.gate.seek(d.bob.host.ID())
	must(t, d.alice.host.Connect(ctx, peer.AddrInfo{ID: d.bob.host.ID(), Addrs: d.bob.host.Network().ListenAddresses()}))
	d.await("both go the direct way", func() bool { return !known(d.bob, 0).Relayed && !known(d.alice, 1).Relayed })
	// in the moment of the change there is no stream: who sends is told so, and sends again
	d.await("bob sends", func() bool { return d.bob.Send(address(0), move(3)) == nil })
	d.await("alice has heard", func() bool { return slices.Contains(d.atAlice.Turns(address(1)), 3) })
	d.await("the relay has nothing to do", func() bool {
		return !slices.ContainsFunc(d.bob.host.Network().Conns(), func(c network.Conn) bool { return relayed(c.RemoteMultiaddr()) })
	})
	// who hears first of the old stream's end is told that the other went, and came back
	d.await("both are told that the other is here", func() bool { return d.atAlice.Up(address(1)) && d.atBob.Up(address(0)) })
}

// relayWatcher is a handler that is told what has become of the places at relays.
type relayWatcher struct {
	*transporttest.Recorder
	wake chan struct{}

	mu   sync.Mutex
	said []error
}

func (o *relayWatcher) Relayed(err error) {
	o.mu.Lock()
	o.said = append(o.said, err)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *relayWatcher) heard() []error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.said)
}

// The relay that passes on what two say ends: they find each other at another one that alice named,
// though bob was told of the first only. When that ends, too, alice is told that nobody passes on
// anything, and when one is back, that it is over.
func TestARelayEnds(t *testing.T) {
	t.Parallel() // libp2p tells addresses every five seconds
	d := &detour{T: t, wake: make(chan struct{}, 1)}
	d.atAlice, d.atBob = transporttest.NewRecorder(d.wake), transporttest.NewRecorder(d.wake)
	first, second := start(t, relayConfig(relayPlayer, Limits{})), start(t, relayConfig(relayPlayer+1, Limits{}))
	told := &relayWatcher{Recorder: d.atAlice, wake: d.wake}
	cfg := config(0, told)
	// bob has no transport for that: he needs a relay
	cfg.Listen, cfg.options = []string{"/ip4/127.0.0.1/tcp/0/ws"}, []libp2p.Option{libp2p.Transport(websocket.New)}
	cfg.Relays, cfg.MayRelay = first.Addresses()[:1], second.Addresses()[:1]
	cfg.Limits = Limits{Dial: time.Second, RetryMin: time.Millisecond, RetryMax: 50 * time.Millisecond}
	d.alice = start(t, cfg)
	bobs := config(1, d.atBob)
	bobs.Limits = cfg.Limits
	d.bob = start(t, bobs)
	d.through(second)
	must(t, d.bob.Keep(address(0), d.through(first)))
	d.await("both are connected", func() bool { return d.atAlice.Up(address(1)) && d.atBob.Up(address(0)) })
	d.await("bob has heard of the other relay", func() bool {
		return slices.ContainsFunc(d.bob.host.Peerstore().Addrs(d.alice.host.ID()), func(a multiaddr.Multiaddr) bool { return relayOf(a) == second.host.ID() })
	})
	must(t, first.Close())
	d.await("they go by the other relay", func() bool {
		return known(d.bob, 0).Connected && slices.ContainsFunc(d.bob.host.Network().ConnsToPeer(d.alice.host.ID()), func(c network.Conn) bool {
			return relayOf(c.RemoteMultiaddr()) == second.host.ID()
		})
	})
	d.await("bob's word is heard", func() bool {
		_ = d.bob.Send(address(0), move(1)) // in the moment of the change there may be no stream
		return slices.Contains(d.atAlice.Turns(address(1)), 1)
	})
	if said := told.heard(); len(said) != 0 {
		t.Errorf("with a relay left, alice is told: %v", said)
	}
	at := second.Addresses()[0]
	must(t, second.Close())
	d.await("alice is told", func() bool { return len(told.heard()) == 1 })
	back := relayConfig(relayPlayer+1, Limits{})
	back.Listen = []string{strings.SplitN(at, "/p2p/", 2)[0]}
	start(t, back)
	d.await("alice is told that it is over", func() bool { return len(told.heard()) == 2 })
	if said := told.heard(); !errors.Is(said[0], transport.ErrNoRelay) || said[1] != nil {
		t.Errorf("alice is told: %v", said)
	}
}

// Who is a lobby or a tower may relay: that it doesn't is no alarm, unless it once did.
func TestNoRelayWasNamed(t *testing.T) {
	d := &detour{T: t, wake: make(chan struct{}, 1)}
	d.atAlice = transporttest.NewRecorder(d.wake)
	for _, named := range []bool{false, true} {
		tower := start(t, config(relayPlayer, transporttest.NewRecorder(make(chan struct{}, 1))))
		told := &relayWatcher{Recorder: d.atAlice, wake: d.wake}
		cfg := config(0, told)
		if cfg.MayRelay = tower.Addresses()[:1]; named {
			cfg.Relays, cfg.MayRelay = cfg.MayRelay, nil
		}
		d.alice = start(t, cfg)
		d.await("the place is refused", func() bool {
			r := d.alice.relays
			r.mu.Lock()
			defer r.mu.Unlock()
			return len(r.missed) == 1
		})
		infos, err := d.alice.parseAddresses(tower.Addresses()[:1])
		must(t, err)
		if _, err := d.alice.reserveOnce(infos[0]); !errors.Is(err, errNotRelay) {
			t.Errorf("a place at what is no relay: %v", err)
		}
		d.alice.tellRelays()
		if got := len(told.heard()); (got == 1) != named || got > 1 {
			t.Errorf("named %v: alice is told %v", named, told.heard())
		}
		must(t, d.alice.Close())
		must(t, tower.Close())
	}
}
