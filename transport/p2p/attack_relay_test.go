package p2p

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libprotocol "github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/client"
	pb "github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/pb"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/proto"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/util"
	"github.com/multiformats/go-multiaddr"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
	"github.com/ante-games/ante/transport/wire"
)

// newCrook is a mallory who can use relays, and says that it speaks our protocol if it shall.
func newCrook(t *testing.T, i int, claims bool) *mallory {
	t.Helper()
	h, err := libp2p.New(libp2p.ListenAddrStrings(Loopback(0)...), libp2p.DisableMetrics(), libp2p.EnableRelay(),
		libp2p.ForceReachabilityPrivate(), libp2p.ResourceManager(&network.NullResourceManager{}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	if claims {
		// reset at once, the stream could end before the relay has heard that it is spoken
		h.SetStreamHandler(protocolID(domain), func(s network.Stream) {
			_, _ = io.Copy(io.Discard, s)
			_ = s.Reset()
		})
	}
	return &mallory{t, h, player(i)}
}

func (m *mallory) reserve(at *Host) error {
	ctx, cancel := context.WithTimeout(m.t.Context(), patience)
	defer cancel()
	if err := m.host.Connect(ctx, m.at(at)); err != nil {
		return err
	}
	_, err := client.Reserve(ctx, m.host, m.at(at))
	return err
}

// through returns where a peer is reached through a relay.
func through(relay *Host, p peer.ID) peer.AddrInfo {
	at := direct(relay).Addrs[0]
	circuit := multiaddr.StringCast("/p2p/" + relay.host.ID().String() + "/p2p-circuit")
	return peer.AddrInfo{ID: p, Addrs: []multiaddr.Multiaddr{at.Encapsulate(circuit)}}
}

func (m *mallory) come(via *Host, to peer.ID) error {
	ctx, cancel := context.WithTimeout(network.WithAllowLimitedConn(m.t.Context(), "mallory's"), patience)
	defer cancel()
	return m.host.Connect(ctx, through(via, to))
}

// status returns what a relay says in refusal.
func status(err error) pb.Status {
	var refused client.ReservationError
	if errors.As(err, &refused) {
		return refused.Status
	}
	return pb.Status_OK
}

// A relay serves nodes of its chain and Arena only. Those who claim to be get no more places and
// connections than strangers may have together, and those whom it keeps come in nevertheless.
func TestAttack_RelayAbuse(t *testing.T) {
	d := newDetour(t, Limits{Reservations: 2, Circuits: 1})
	alice := d.through(d.relay)
	must(t, d.relay.Keep(address(1)))
	outsider := newCrook(t, malloryPlayer, false)
	if got := status(outsider.reserve(d.relay)); got != pb.Status_PERMISSION_DENIED {
		t.Errorf("a place for whoever speaks another protocol: %s", got)
	}
	if err := outsider.come(d.relay, d.alice.host.ID()); err == nil {
		t.Error("a connection for whoever speaks another protocol")
	}
	for i, want := range []pb.Status{pb.Status_OK, pb.Status_PERMISSION_DENIED, pb.Status_PERMISSION_DENIED} {
		if got := status(newCrook(t, malloryPlayer+1+i, true).reserve(d.relay)); got != want {
			t.Errorf("place %d of a stranger: %s, want %s", i+2, got, want)
		}
	}
	for i, in := range []bool{true, true, false, false} {
		if err := newCrook(t, malloryPlayer+10+i, true).come(d.relay, d.alice.host.ID()); (err == nil) != in {
			t.Errorf("connection %d of a stranger: %v", i+1, err)
		}
	}

	// bob, whom the relay keeps, has a place and connections of his own
	_, err := d.bob.Dial(t.Context(), d.relay.Addresses()[0])
	must(t, err)
	d.await("the relay knows bob", func() bool { return known(d.relay, 1).Connected })
	bob := d.bob
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := client.Reserve(ctx, bob.host, direct(d.relay)); err != nil {
		t.Errorf("a place for whom the relay keeps: %v", err)
	}
	if _, err := bob.Dial(ctx, alice); err != nil {
		t.Errorf("a connection for whom the relay keeps: %v", err)
	}
}

// Strangers come through a relay, and open nothing on their connections. Those whom the victim
// keeps come by the same relay all the same, and so does another stranger.
func TestAttack_RelayedStrangers_Idle(t *testing.T) {
	d := newDetour(t, Limits{Circuits: 600})
	at := d.through(d.relay)
	must(t, d.alice.Keep(address(1)))
	came := 0
	for i := range 2 * circuitsPerPeer {
		// the relay denies it to one whose protocol it doesn't hear of in time
		if err := newCrook(t, malloryPlayer+i, true).come(d.relay, d.alice.host.ID()); err == nil {
			came++
		}
	}
	if came < circuitsPerPeer {
		t.Fatalf("%d strangers came", came)
	}
	for _, h := range []*Host{start(t, config(malloryPlayer+50, transporttest.NewRecorder(make(chan struct{}, 1)))), d.bob} {
		if _, err := h.Dial(t.Context(), at); err != nil {
			t.Errorf("%s: %v", h.account(), err)
		}
	}
}

// A newcomer's handshake goes on while others come through the same relay and open nothing: these
// make room first, though they came later.
func TestRelayedHandshakes(t *testing.T) {
	d := newDetour(t, Limits{Circuits: 600})
	cfg := config(relayPlayer+1, transporttest.NewRecorder(d.wake))
	cfg.Relays, cfg.Limits.Handshake = d.relay.Addresses()[:1], time.Hour
	d.alice = start(t, cfg)
	d.through(d.relay)
	conns := func(m *mallory) int { return len(d.alice.host.Network().ConnsToPeer(m.host.ID())) }
	came := func(i int) *mallory {
		m := newCrook(t, malloryPlayer+i, true)
		d.comes(m)
		return m
	}
	newcomer := came(0)
	newcomer.shakes(d.alice)
	first := came(1)
	for i := range circuitsPerPeer/2 - 1 {
		came(2 + i)
	}
	if conns(first) == 0 {
		t.Fatal("there was room")
	}
	came(circuitsPerPeer)
	d.await("one makes room", func() bool { return conns(newcomer) == 0 || conns(first) == 0 })
	if conns(newcomer) == 0 {
		t.Error("it is who shakes hands")
	}
}

// comes has mallory connect to alice through the relay, which denies it to one whose protocol it
// doesn't hear of in time.
func (d *detour) comes(m *mallory) {
	d.Helper()
	d.await("it comes", func() bool { return m.come(d.relay, d.alice.host.ID()) == nil })
}

// shakes begins a handshake over a connection through a relay.
func (m *mallory) shakes(with *Host) {
	m.t.Helper()
	s, err := m.host.NewStream(network.WithAllowLimitedConn(m.t.Context(), "mallory's"), with.host.ID(), with.protocol)
	must(m.t, err)
	must(m.t, s.SetDeadline(time.Now().Add(patience)))
	must(m.t, send(s, &antev1.Handshake{Challenge: make([]byte, 32)}))
	must(m.t, receive(wire.NewReader(s, nil), new(antev1.Handshake)))
}

// Strangers have all the sessions that they may have through a relay, and others of them shake
// hands through it. Whom the victim keeps comes by the same relay all the same: it is better that a
// stranger's handshake is cut off.
func TestAttack_RelayedStrangers_Shaking(t *testing.T) {
	d := newDetour(t, Limits{Circuits: 600})
	at := d.through(d.relay)
	must(t, d.alice.Keep(address(1)))
	for i := range circuitsPerPeer / 2 {
		_, err := start(t, config(malloryPlayer+i, transporttest.NewRecorder(make(chan struct{}, 1)))).Dial(t.Context(), at)
		must(t, err)
		m := newCrook(t, malloryPlayer+circuitsPerPeer+i, true)
		d.comes(m)
		m.shakes(d.alice)
	}
	if _, err := d.bob.Dial(t.Context(), at); err != nil {
		t.Error(err)
	}
}

// What passes through a relay is bounded, in bytes too.
func TestAttack_RelayAbuse_Bytes(t *testing.T) {
	relay := start(t, relayConfig(relayPlayer, Limits{CircuitBytes: 64 << 10}))
	from, to := newCrook(t, malloryPlayer, true), newCrook(t, malloryPlayer+1, true)
	to.host.SetStreamHandler("/hoard", func(s network.Stream) { _, _ = io.Copy(io.Discard, s) })
	must(t, to.reserve(relay))
	must(t, from.come(relay, to.host.ID()))
	s, err := from.host.NewStream(network.WithAllowLimitedConn(t.Context(), "mallory's"), to.host.ID(), "/hoard")
	must(t, err)
	must(t, s.SetDeadline(time.Now().Add(patience)))
	for sent := 0; err == nil; {
		var n int
		n, err = s.Write(make([]byte, 1<<10))
		if sent += n; sent > 8<<20 {
			t.Fatal("8 MiB passed, of 64 KiB")
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// Strangers who come through a relay share what its address may have, whatever they claim about
// themselves: others still find room, and so do those whom the victim keeps, by the same relay.
func TestAttack_RelayedStrangers(t *testing.T) {
	d := newDetour(t, Limits{Circuits: 600})
	at := d.through(d.relay)
	must(t, d.alice.Keep(address(1)))
	came := 0
	for i := range circuitsPerPeer {
		cfg := config(malloryPlayer+i, transporttest.NewRecorder(make(chan struct{}, 1)))
		_, err := start(t, cfg).Dial(t.Context(), at)
		if err == nil {
			came++
		} else if !errors.Is(err, transport.ErrNoRoom) {
			t.Errorf("stranger %d: %v", i, err)
		}
	}
	if want := circuitsPerPeer / 2; came != want {
		t.Errorf("%d strangers came through one relay, want %d", came, want)
	}
	_, err := start(t, config(malloryPlayer+50, transporttest.NewRecorder(make(chan struct{}, 1)))).Dial(t.Context(), fullAddresses(direct(d.alice))[0])
	if err != nil {
		t.Errorf("a stranger who dials: %v", err)
	}
	if _, err := d.bob.Dial(t.Context(), at); err != nil {
		t.Errorf("whom alice keeps: %v", err)
	}
}

// direct returns where a host is reached through no relay.
func direct(h *Host) peer.AddrInfo {
	return peer.AddrInfo{ID: h.host.ID(), Addrs: slices.DeleteFunc(h.host.Network().ListenAddresses(), relayed)}
}

// A peer that nobody asked brings the victim connections of others, as a relay would. They aren't
// taken.
func TestAttack_UninvitedRelay(t *testing.T) {
	tb := newTable(t, Limits{}).meet()
	m := newCrook(t, malloryPlayer, true)
	must(t, m.host.Connect(t.Context(), m.at(tb.victim)))
	s, err := m.host.NewStream(t.Context(), tb.victim.host.ID(), proto.ProtoIDv2Stop)
	must(t, err)
	must(t, util.NewDelimitedWriter(s).WriteMsg(&pb.StopMessage{Type: pb.StopMessage_CONNECT.Enum(), Peer: &pb.Peer{Id: []byte(newCrook(t, malloryPlayer+1, true).host.ID())}}))
	answer := util.NewDelimitedReader(s, 4096)
	defer answer.Close()
	var said pb.StopMessage
	if err := answer.ReadMsg(&said); err == nil && said.GetStatus() == pb.Status_OK {
		_, err = io.ReadFull(s, make([]byte, 1)) // the victim's first word, were it to talk
		if err == nil {
			t.Error("the victim talks to whom a peer brings that it never asked for that")
		}
	}
	tb.talk()
}

// pretend makes mallory a relay that grants places, and does what it likes with connections.
func (m *mallory) pretend(with func(s network.Stream, to peer.ID)) *mallory {
	m.host.SetStreamHandler(hopProtocol, func(s network.Stream) {
		in := util.NewDelimitedReader(s, 4096)
		var asked pb.HopMessage
		if err := in.ReadMsg(&asked); err != nil {
			return
		}
		expire, seconds := uint64(time.Now().Add(time.Hour).Unix()), uint32(3600)
		granted := pb.HopMessage{Type: pb.HopMessage_STATUS.Enum(), Status: pb.Status_OK.Enum(), Limit: &pb.Limit{Duration: &seconds}}
		if asked.GetType() == pb.HopMessage_RESERVE {
			granted.Reservation = &pb.Reservation{Expire: &expire}
		}
		if err := util.NewDelimitedWriter(s).WriteMsg(&granted); err == nil && asked.GetType() == pb.HopMessage_CONNECT {
			with(s, peer.ID(asked.GetPeer().GetId()))
		}
	})
	return m
}

func (m *mallory) address() string {
	return m.host.Addrs()[0].String() + "/p2p/" + m.host.ID().String()
}

// pass passes on what a connection to a peer says, up to some bytes.
func (m *mallory) pass(s network.Stream, to peer.ID, most int64) {
	other, err := m.host.NewStream(m.t.Context(), to, proto.ProtoIDv2Stop)
	if err != nil {
		return
	}
	_ = util.NewDelimitedWriter(other).WriteMsg(&pb.StopMessage{Type: pb.StopMessage_CONNECT.Enum(), Peer: &pb.Peer{Id: []byte(s.Conn().RemotePeer())}})
	var said pb.StopMessage
	_ = util.NewDelimitedReader(other, 4096).ReadMsg(&said)
	go func() { _, _ = io.Copy(s, other) }()
	_, _ = io.CopyN(other, s, most)
	_, _ = io.Copy(io.Discard, s)
}

// A relay lets peers connect, and then swallows what they say. Who knows of another one gets there;
// who does not is told.
func TestAttack_RelayDrops(t *testing.T) {
	bad := newCrook(t, malloryPlayer, true)
	bad.pretend(func(s network.Stream, to peer.ID) { bad.pass(s, to, 500) })
	d := newDetour(t, Limits{}, bad.address())
	good := d.through(d.relay)
	circuit := bad.address() + "/p2p-circuit/p2p/" + d.alice.host.ID().String()
	d.await("a place at the bad relay", func() bool { return slices.Contains(d.alice.Addresses(), circuit) })

	short := Limits{Dial: time.Second, RetryMin: time.Millisecond, RetryMax: time.Millisecond}
	cfg := config(2, transporttest.NewRecorder(make(chan struct{}, 1)))
	cfg.Limits = short
	lost := start(t, cfg)
	must(t, lost.Keep(address(0), circuit))
	cfg = config(3, transporttest.NewRecorder(d.wake))
	cfg.Limits = short
	lucky := start(t, cfg)
	must(t, lucky.Keep(address(0), circuit, good))
	d.await("the way round the bad relay", func() bool { return known(lucky, 0).Connected })
	d.await("who knows no other is told", func() bool {
		return errors.Is(known(lost, 0).Err, transport.ErrUnreachable) && !known(lost, 0).Connected
	})
	if !known(lucky, 0).Relayed {
		t.Error("it went another way than by the good relay")
	}
}

// A relay passes what is meant for alice to an accomplice. Bob notices.
func TestAttack_RelayLies(t *testing.T) {
	accomplice := start(t, config(3, transporttest.NewRecorder(make(chan struct{}, 1))))
	bad := newCrook(t, malloryPlayer, true)
	bad.pretend(func(s network.Stream, _ peer.ID) { bad.pass(s, accomplice.host.ID(), 1<<20) })
	accomplice.relays.known[bad.host.ID()] = make(chan struct{}, 1)
	must(t, bad.host.Connect(t.Context(), bad.at(accomplice)))
	bob := start(t, config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
	for _, tc := range []struct {
		at string
		ok bool
	}{{accomplice.host.ID().String(), true}, {identity(0).PeerID().String(), false}} {
		_, err := bob.Dial(t.Context(), bad.address()+"/p2p-circuit/p2p/"+tc.at)
		if tc.ok != (err == nil) || err != nil && !errors.Is(err, transport.ErrUnreachable) {
			t.Errorf("dialling %s: %v", tc.at, err)
		}
	}
}

// A node that libp2p has not noted as one, because it said so late or not at all, is asked, and
// served. Whoever isn't one is asked in vain.
func TestRelayAsksWhomItDoesNotKnow(t *testing.T) {
	relay := start(t, relayConfig(relayPlayer, Limits{}))
	for i, speaks := range []bool{true, false} {
		m := newCrook(t, malloryPlayer+i, false)
		if speaks { // without telling those who are connected
			m.host.Mux().AddHandler(protocolID(domain), func(_ libprotocol.ID, s io.ReadWriteCloser) error { return s.Close() })
		}
		if got := status(m.reserve(relay)); (got == pb.Status_OK) != speaks {
			t.Errorf("a place for a node: %t: %s", speaks, got)
		}
	}
}

// Strangers ask for places and are gone when the relay grants them. The places are free again.
func TestAttack_RelayAbuse_Gone(t *testing.T) {
	relay := start(t, relayConfig(relayPlayer, Limits{Reservations: 1}))
	gone := newCrook(t, malloryPlayer, true)
	must(t, gone.reserve(relay))
	id, at := gone.host.ID(), gone.host.Addrs()[0]
	left, once := make(chan struct{}), new(sync.Once)
	relay.host.Network().Notify(&network.NotifyBundle{DisconnectedF: func(network.Network, network.Conn) { once.Do(func() { close(left) }) }})
	must(t, gone.host.Close())
	select {
	case <-left:
	case <-time.After(patience):
		t.Fatal("the relay doesn't notice who is gone")
	}
	relay.passing.parted(id)
	if relay.passing.AllowReserve(id, at) || relay.passing.AllowConnect(id, at, id) || len(relay.passing.sources) > 0 {
		t.Error("something is granted to who is gone")
	}
	if err := newCrook(t, malloryPlayer+1, true).reserve(relay); err != nil {
		t.Errorf("a place for the next: %v", err)
	}
}

// A relay may say that it gives any time. It is asked again, neither all the time nor after years,
// in which it could give the place to somebody else.
func TestRenewal(t *testing.T) {
	h := &Host{cfg: Config{}.withDefaults()}
	const year = 365 * 24 * time.Hour
	for given, want := range map[time.Duration]time.Duration{
		-time.Hour: 45 * time.Second, time.Second: 45 * time.Second, 20 * time.Minute: 15 * time.Minute,
		year: reservationTime * 3 / 4, 150 * year: reservationTime * 3 / 4, math.MaxInt64: reservationTime * 3 / 4, math.MinInt64: 45 * time.Second,
	} {
		if got := h.renewal(given); got != want {
			t.Errorf("a place for %s is asked for again after %s, want %s", given, got, want)
		}
	}
}
