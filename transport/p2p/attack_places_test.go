package p2p

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
	"github.com/marcopolo/simnet"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/transporttest"
	"github.com/ante-games/ante/transport/wire"
)

// Three connections open streams and never finish a handshake. Strangers who come after them are
// let in.
func TestAttack_HalfOpen(t *testing.T) {
	tb := newTable(t, Limits{Handshake: time.Hour}, "/ip4/127.0.0.1/tcp/0")
	for i := range 3 {
		m := newMallory(t, malloryPlayer+i)
		for range 12 { // more would cost it the connection
			s := m.open(tb.victim)
			must(t, send(s, &antev1.Handshake{Challenge: make([]byte, 32)}))
			// so the victim has begun with it, or refused it
			_ = receive(wire.NewReader(s, nil), new(antev1.Handshake))
		}
	}
	for i := range 10 {
		m := newMallory(t, malloryPlayer+10+i)
		s := m.open(tb.victim)
		if err := m.shake(s, wire.NewReader(s, nil), m.proof); err != nil {
			t.Errorf("stranger %d: %v", i, err)
		}
	}
	tb.meet().talk()
}

// Players who are gone for good are dialled again, but few at once: the room for those who come
// doesn't shrink with the number of those who came.
func TestAttack_HalfOpen_Gone(t *testing.T) {
	tb := newTable(t, Limits{Dial: 300 * time.Millisecond, RetryMin: 10 * time.Millisecond, RetryMax: 20 * time.Millisecond})
	pit, err := net.Listen("tcp", "127.0.0.1:0")
	tb.must(err)
	const gone = 100
	over := make(chan struct{})
	var open, most atomic.Int64
	go func() {
		defer close(over)
		for i := 0; ; i++ {
			c, err := pit.Accept()
			if err != nil {
				return
			}
			now := open.Add(1)
			if i >= 2*gone { // the first tries are over
				most.Store(max(most.Load(), now))
			}
			if i == 3*gone {
				_ = pit.Close()
			}
			go func() {
				_, _ = io.Copy(io.Discard, c) // and no word
				_ = c.Close()
				open.Add(-1)
			}()
		}
	}()
	for i := range gone {
		at := fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", pit.Addr().(*net.TCPAddr).Port, identity(20+i).PeerID())
		tb.must(tb.victim.Keep(player(20+i).Address(), at))
	}
	<-over
	if most := most.Load(); most > 2*retries { // some are still being closed
		t.Errorf("%d of %d were dialled at once", most, gone)
	}
}

// A friend of the handler that could not be reached is dialled again, however many others are gone.
func TestAttack_HalfOpen_Friend(t *testing.T) {
	friend := player(20).Address()
	tb := newTableWith(t, func(c *Config) {
		c.Limits = Limits{RetryMin: 10 * time.Millisecond, RetryMax: 20 * time.Millisecond}
		c.Handler = seats{c.Handler, only(friend)}
	})
	for range retries { // who are gone
		tb.victim.retrying <- struct{}{}
	}
	door, err := net.Listen("tcp", "127.0.0.1:0")
	tb.must(err)
	t.Cleanup(func() { _ = door.Close() })
	tb.must(door.(*net.TCPListener).SetDeadline(time.Now().Add(patience / 4)))
	tb.must(tb.victim.Keep(friend, fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", door.Addr().(*net.TCPAddr).Port, identity(20).PeerID())))
	for try := range 3 {
		c, err := door.Accept()
		if err != nil {
			t.Fatalf("try %d: %v", try, err)
		}
		_ = c.Close()
	}
}

// One peer proves one account after the other. It gets one place.
func TestAttack_Sybil_OnePeer(t *testing.T) {
	tb := newTable(t, Limits{})
	m := newMallory(t, malloryPlayer)
	m.enter(tb.victim)
	tb.await("mallory is connected", func() bool { return tb.seen.Up(m.Address()) })
	for i := 1; i <= 5; i++ {
		m.signer = player(malloryPlayer + i)
		s := m.open(tb.victim)
		if err := m.shake(s, wire.NewReader(s, nil), m.proof); err == nil {
			t.Errorf("account %d of one peer was let in", i+1)
		}
	}
	tb.meet().talk()
}

// join starts a host whose network address is of a group of its own.
func (l *link) join(i int) *Host {
	l.t.Helper()
	cfg := l.config(i, transporttest.NewRecorder(make(chan struct{}, 1)))
	cfg.Limits.Idle = 24 * time.Hour
	cfg.Listen = []string{fmt.Sprintf("/ip4/%s/udp/4001/quic-v1", simnet.IntToPublicIPv4(i<<8))}
	h := l.start(cfg)
	l.t.Cleanup(func() { must(l.t, h.Close()) })
	return h
}

// dial has such a host dial another one.
func (l *link) dial(i int, to *Host) error {
	l.t.Helper()
	_, err := l.join(i).Dial(l.t.Context(), to.Addresses()[0])
	return err
}

// Strangers hold all places for accounts, and send enough not to lose them. An account that the
// handler has for a friend comes in nevertheless; one that becomes a friend gives its stranger's
// place to another. Neither is ever asked to yield to a stranger.
func TestAttack_Sybil_Seats(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		var shown atomic.Bool
		cfg := l.config(0, seats{r, func(a common.Address) bool { return a == address(3) || a == address(2) && shown.Load() }})
		cfg.Limits.Strangers, cfg.Limits.Idle = 2, time.Hour
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		for i := 1; i <= 3; i++ {
			must(t, l.dial(i, victim))
		}
		if err := l.dial(4, victim); !errors.Is(err, transport.ErrNoRoom) {
			t.Errorf("a third stranger: %v, want ErrNoRoom", err)
		}
		shown.Store(true)
		must(t, l.dial(5, victim))
		time.Sleep(30 * time.Minute) // all are silent for long enough to yield
		for i := 6; i <= 7; i++ {
			must(t, l.dial(i, victim))
			time.Sleep(time.Minute)
		}
		for i, up := range map[int]bool{1: false, 2: true, 3: true, 5: false, 6: true, 7: true} {
			if r.Up(address(i)) != up {
				t.Errorf("account %d is connected: %t", i, !up)
			}
		}
		if _, downs := r.Count(address(3)); downs > 0 {
			t.Errorf("the friend was disconnected: %v", r.Why(address(3)))
		}
	})
}

// Friends are as many as three quarters of the connections that others may have dialled, an eighth
// of them in one address group.
func TestAttack_Sybil_Friends(t *testing.T) {
	l := Limits{Connections: 128, Strangers: 8}.withDefaults()
	p := l.friends()
	if p.Total.Burst != 72 || p.Group.Burst != 9 || p.Account.Burst != 1 || p.rest != l.guests().rest {
		t.Errorf("%+v", p)
	}
}

// Strangers hold all places for handshakes and accounts. Kept accounts come in nevertheless: the
// one whose peer is known, the one whose peer proved it before, and the one that was never seen.
// None of them is ever asked to yield.
func TestAttack_Sybil_Kept(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		cfg := l.config(0, r)
		cfg.Limits.Strangers, cfg.Limits.Idle = 2, time.Hour
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		for i := 1; i <= 2; i++ {
			must(t, l.dial(i, victim))
		}
		late := l.join(3)
		if _, err := late.Dial(t.Context(), victim.Addresses()[0]); !errors.Is(err, transport.ErrNoRoom) {
			t.Errorf("a third stranger: %v, want ErrNoRoom", err)
		}
		must(t, victim.Keep(address(3)))
		must(t, victim.Keep(address(4)))
		_, err := late.Dial(t.Context(), victim.Addresses()[0])
		must(t, err)
		must(t, l.dial(4, victim))
		time.Sleep(30 * time.Minute) // all are silent for long enough to yield
		for i := 5; i <= 8; i++ {
			must(t, l.dial(i, victim))
			time.Sleep(10 * time.Minute)
		}
		for i := 3; i <= 4; i++ {
			if ups, downs := r.Count(address(i)); ups != 1 || downs != 0 {
				t.Errorf("kept account %d: %d times connected, %d times not", i, ups, downs)
			}
		}
		strangers := 0
		for _, i := range []int{1, 2, 5, 6, 7, 8} {
			if r.Up(address(i)) {
				strangers++
			}
		}
		if strangers != 2 {
			t.Errorf("%d strangers are connected, want 2", strangers)
		}
		if !errors.Is(r.Why(address(1)), transport.ErrNoRoom) || !errors.Is(r.Why(address(2)), transport.ErrNoRoom) {
			t.Errorf("the silent strangers left for %v and %v, want ErrNoRoom", r.Why(address(1)), r.Why(address(2)))
		}
	})
}

// The peers that need no place for a handshake are those of kept accounts: where one is dialled,
// and what proved it last.
func TestAttack_HalfOpen_Kept(t *testing.T) {
	h := &Host{accounts: accounts{
		address(1): {address: address(1), kept: true, last: "known"},
		address(2): {address: address(2), kept: true, locations: []location{{peer: "dialled"}}},
		address(3): {address: address(3), last: "stranger"},
	}}
	for p, want := range map[peer.ID]bool{"known": true, "dialled": true, "stranger": false} {
		if h.keeps(p) != want {
			t.Errorf("keeps(%s) is %t", p, !want)
		}
	}
}

// gated is a signer that waits once it is asked.
type gated struct {
	signer
	asked   chan struct{}
	release chan struct{}
}

func (g gated) Sign(digest common.Hash) (protocol.Signature, error) {
	g.asked <- struct{}{}
	<-g.release
	return g.signer.Sign(digest)
}

// Two strangers find room for one during their handshakes. One of them gets it.
func TestAttack_Sybil_AtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		cfg := l.config(0, r)
		cfg.Limits.Strangers = 1
		g := gated{player(0), make(chan struct{}), make(chan struct{})}
		cfg.Signer = g
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		for i := 1; i <= 2; i++ {
			h := l.start(l.config(i, transporttest.NewRecorder(make(chan struct{}, 1))))
			defer func() { must(t, h.Close()) }()
			// one of them succeeds
			go func() { _, _ = h.Dial(t.Context(), victim.Addresses()[0]) }()
		}
		<-g.asked
		<-g.asked
		close(g.release)
		time.Sleep(time.Second)
		if one, two := r.Up(address(1)), r.Up(address(2)); one == two {
			t.Errorf("connected: %t and %t, want one of the two", one, two)
		}
	})
}

// Connections with strangers come to be so many that libp2p closes some. None of them is with a
// friend of the handler's, who became one after it had come.
func TestAttack_Sybil_Trimmed(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		const friends, strangers = 8, 4
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		var shown atomic.Bool
		cfg := l.config(0, seats{r, func(a common.Address) bool {
			return shown.Load() && slices.ContainsFunc([]int{1, 2, 3, 4, 5, 6, 7, 8}, func(i int) bool { return a == address(i) })
		}})
		cfg.Limits.Connections = (friends + strangers) * 4 / 3
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		for i := 1; i <= friends; i++ {
			must(t, l.dial(i, victim))
		}
		shown.Store(true)
		for i := friends + 1; i <= friends+strangers; i++ {
			must(t, l.dial(i, victim))
		}
		time.Sleep(time.Minute)
		for i := 1; i <= friends; i++ {
			if _, downs := r.Count(address(i)); downs > 0 {
				t.Errorf("friend %d was disconnected: %v", i, r.Why(address(i)))
			}
		}
	})
}

// Strangers hold all connections that they may. The host still has connections of its own to dial
// with.
func TestAttack_Sybil_Connections(t *testing.T) {
	const connections = 16
	tb := newTable(t, Limits{Connections: connections, Handshake: time.Minute}, "/ip4/127.0.0.1/tcp/0")
	held := 0
	for i := range connections {
		m := newMallory(t, malloryPlayer+i)
		if err := m.host.Connect(t.Context(), m.at(tb.victim)); err == nil {
			held++
		}
	}
	if held == 0 || held > connections*3/4 {
		t.Errorf("strangers hold %d of %d connections", held, connections)
	}
	tb.meet().talk()
}

// A peer has proved two accounts that are kept. When one is forgotten, libp2p still spares it.
func TestAttack_Sybil_TwoKept(t *testing.T) {
	tb := newTable(t, Limits{}, "/ip4/127.0.0.1/tcp/0")
	m := newMallory(t, malloryPlayer)
	for i := range 2 {
		m.signer = player(malloryPlayer + i)
		tb.must(tb.victim.Keep(m.Address()))
		m.enter(tb.victim)
		tb.await("it is connected", func() bool { return tb.seen.Up(m.Address()) })
	}
	spared := func() bool { return tb.victim.host.ConnManager().IsProtected(m.host.ID(), "") }
	tb.victim.Forget(player(malloryPlayer).Address())
	if !spared() {
		t.Error("the other's connection may be closed")
	}
	tb.victim.Forget(m.Address())
	if spared() {
		t.Error("it is spared for nobody")
	}
}

// A peer holds connections besides the one that its stream uses, a kept one too, or besides the one
// by which it is reached through the victim. It keeps that one.
func TestAttack_Sybil_Spare(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		cfg := l.config(0, r)
		cfg.Relay = true
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		must(t, victim.Keep(address(2)))
		at := peer.AddrInfo{ID: victim.host.ID(), Addrs: victim.host.Addrs()}
		for i := 1; i <= 3; i++ {
			for j := range 4 { // programs with one identity
				cfg := l.config(i, transporttest.NewRecorder(make(chan struct{}, 1)))
				cfg.Limits.Handshake = time.Hour // they don't let go by themselves
				cfg.Listen = []string{fmt.Sprintf("/ip4/%s/udp/%d/quic-v1", simnet.IntToPublicIPv4(i), 4000+j)}
				h := l.start(cfg)
				defer func() { must(t, h.Close()) }()
				must(t, h.host.Connect(t.Context(), at))
				switch {
				case j == 3 && i == 3:
					_, err := client.Reserve(t.Context(), h.host, at)
					must(t, err)
				case j == 3:
					_, err := h.Dial(t.Context(), victim.Addresses()[0])
					must(t, err)
				}
			}
		}
		if n := len(victim.host.Network().Conns()); n != 12 {
			t.Fatalf("%d connections", n)
		}
		time.Sleep(time.Minute)
		for i := 1; i <= 3; i++ {
			n := len(victim.host.Network().ConnsToPeer(identity(i).PeerID()))
			if _, downs := r.Count(address(i)); n != 1 || downs != 0 {
				t.Errorf("account %d: %d connections, disconnected %d times", i, n, downs)
			}
		}
	})
}

// Who yields to a newcomer: whoever holds more than its share, and of those the one that has been
// silent for longest.
func TestAttack_Sybil_Groups(t *testing.T) {
	a, b, c := "192.0.2.0/24", "198.51.100.0/24", "2001:db8:1::/48"
	here := ""
	p := places{budget.Limit{Account: budget.Places(1), Group: budget.Places(2), Total: budget.Places(4)}, time.Minute}
	held := func(list ...holder) []holder {
		for i := range list {
			list[i].session = new(session)
		}
		return list
	}
	for name, tc := range map[string]struct {
		held   []holder
		group  string
		peer   peer.ID
		yields int // -1: nobody, for there is room; -2: nobody, and there is none
	}{
		"empty":                        {nil, a, "p", -1},
		"room":                         {held(holder{nil, a, "p", time.Hour}), b, "q", -1},
		"the peer's second":            {held(holder{nil, a, "p", 0}), a, "p", -2},
		"the peer's second, later":     {held(holder{nil, b, "q", time.Hour}, holder{nil, a, "p", time.Minute}), a, "p", 1},
		"the group's third":            {held(holder{nil, a, "p", 0}, holder{nil, a, "q", time.Second}), a, "r", -2},
		"the group's third, later":     {held(holder{nil, b, "s", time.Hour}, holder{nil, a, "p", time.Minute}, holder{nil, a, "q", 2 * time.Minute}), a, "r", 2},
		"this machine has no group":    {held(holder{nil, here, "p", 0}, holder{nil, here, "q", 0}), here, "r", -1},
		"full, one group holds most":   {held(holder{nil, b, "p", time.Hour}, holder{nil, a, "q", time.Minute}, holder{nil, a, "r", 2 * time.Minute}, holder{nil, here, "s", time.Hour}), c, "t", 2},
		"full, all groups hold one":    {held(holder{nil, b, "p", time.Minute}, holder{nil, a, "q", time.Hour}, holder{nil, c, "r", 0}, holder{nil, here, "s", 0}), "203.0.113.0/24", "t", 1},
		"full, nobody silent for long": {held(holder{nil, b, "p", 0}, holder{nil, a, "q", 0}, holder{nil, c, "r", 0}, holder{nil, here, "s", 0}), "203.0.113.0/24", "t", -2},
	} {
		yields, err := p.room(tc.held, tc.group, tc.peer)
		switch {
		case tc.yields >= 0 && (err != nil || yields != tc.held[tc.yields].session), tc.yields == -1 && (err != nil || yields != nil),
			tc.yields == -2 && (yields != nil || !errors.Is(err, transport.ErrNoRoom)):
			t.Errorf("%s: %p, %v", name, yields, err)
		}
	}
}

// However many misbehave, a bounded number of bans is remembered, and the newest always.
func TestAttack_Sybil_Bans(t *testing.T) {
	h := &Host{cfg: Config{Limits: Limits{}.withDefaults()}, banned: map[peer.ID]time.Time{}}
	for i := range 2 * maxBanned {
		p := peer.ID(fmt.Sprint(i))
		h.ban(p)
		if !h.isBanned(p) {
			t.Fatalf("peer %d is not banned", i)
		}
	}
	if len(h.banned) > maxBanned {
		t.Errorf("%d bans are remembered, at most %d", len(h.banned), maxBanned)
	}
}
