package p2p

import (
	"bytes"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/proto"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/wire"
)

// A peer that opens streams without end gets a few; the rest are refused at once. Over TCP it may
// lose its connection for it, because each stream takes memory before it is looked at.
func TestAttack_StreamFlood(t *testing.T) {
	for name, listen := range map[string]string{"tcp": "/ip4/127.0.0.1/tcp/0", "quic": "/ip4/127.0.0.1/udp/0/quic-v1"} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, Limits{Handshake: time.Hour, Handshakes: 1000}, listen).meet()
			m := newMallory(t, malloryPlayer)
			m.enter(tb.victim)
			const flood = 200
			verdicts := make(chan error, flood)
			for range flood {
				s, err := m.tryOpen(tb.victim)
				if err != nil {
					verdicts <- err
					continue
				}
				_, _ = s.Write([]byte{34}) // one that is refused may be closed already
				// whom the victim waits for, it greets
				go func() { verdicts <- receive(wire.NewReader(s, nil), new(antev1.Handshake)) }()
			}
			waited := 0
			for range flood {
				if <-verdicts == nil {
					waited++
				}
			}
			if name == "quic" && (waited == 0 || waited > streamsPerPeer) {
				t.Errorf("%d of %d streams were waited for, want 1 to %d", waited, flood, streamsPerPeer)
			}
			held := 0
			for _, c := range tb.victim.host.Network().ConnsToPeer(m.host.ID()) {
				held += len(c.GetStreams())
			}
			if held > streamsPerPeer {
				t.Errorf("the victim holds %d streams, at most %d", held, streamsPerPeer)
			}
			tb.talk()
		})
	}
}

// A peer has as many streams at once as it may, whatever it does with them, and no more memory for
// them.
func TestAttack_StreamFlood_Limit(t *testing.T) {
	resources, err := Limits{}.withDefaults().resourceManager()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resources.Close() }()
	open, memory := 0, 0
	for range 10 * streamsPerPeer {
		s, err := resources.OpenStream("mallory", network.DirInbound)
		if err != nil {
			break
		}
		defer s.Done()
		open++
		// a TCP stream's first window
		if s.ReserveMemory(256<<10, network.ReservationPriorityAlways) == nil {
			memory += 256 << 10
		}
	}
	if open != streamsPerPeer || memory > memoryPerPeer {
		t.Errorf("%d streams and %d bytes, want %d and at most %d", open, memory, streamsPerPeer, memoryPerPeer)
	}
}

// Who connects again and again is announced a few times, then now and then: a handler may have a
// lot to repeat to whoever connects.
func TestAttack_StreamFlood_Reconnects(t *testing.T) {
	for name, share := range map[string]budget.Share{"a stranger": arrivalLimit.Account, "a kept account": arrivalLimit.Friend} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, Limits{}).meet()
			m := newMallory(t, malloryPlayer)
			if name == "a kept account" {
				tb.must(tb.victim.Keep(m.Address()))
			}
			began := time.Now()
			for range 200 {
				s := m.open(tb.victim)
				err := m.shake(s, wire.NewReader(s, nil), m.proof)
				reset, is := errors.AsType[*network.StreamError](err)
				if is && reset.ErrorCode == codeNoRoom {
					break // it has had its handshakes
				}
				// a handshake that the victim finishes late takes the place of the one after it
				if err != nil && (!is || reset.ErrorCode != codeReplaced) {
					t.Fatal(err)
				}
			}
			tb.talk()
			if ups, _ := tb.seen.Count(m.Address()); ups == 0 || ups > share.Burst+int(time.Since(began)/share.Every)+1 {
				t.Errorf("announced %d times in %s", ups, time.Since(began))
			}
		})
	}
}

// Messages that come faster than they are handled are not stored up: the sender waits, and nobody
// else does.
func TestAttack_QueueFlood(t *testing.T) {
	tb := newTable(t, Limits{}, "/ip4/127.0.0.1/tcp/0").meet()
	m := newMallory(t, malloryPlayer)
	release := make(chan struct{})
	tb.seen.OnReceive(func(from common.Address, _ *antev1.Envelope) {
		if from == m.Address() {
			<-release
		}
	})
	s := m.enter(tb.victim)
	defer close(release)
	large := move(1)
	large.GetMove().Move = make([]byte, 64<<10)
	frame, err := wire.FrameEnvelope(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetWriteDeadline(time.Now().Add(2 * time.Second)); err != nil {
		t.Fatal(err)
	}
	taken := 0
	for err == nil && taken < 1<<30 {
		var n int
		n, err = s.Write(frame)
		taken += n
	}
	var held net.Error
	if !errors.As(err, &held) || !held.Timeout() {
		t.Fatalf("%d bytes taken, then %v; want the writer held up", taken, err)
	}
	if taken > 2*memoryPerPeer {
		t.Errorf("%d bytes taken from a peer whose messages aren't handled", taken)
	}
	tb.talk()
}

// What waits to be written to a peer that doesn't read is bounded in bytes too.
func TestAttack_QueueFlood_Unread(t *testing.T) {
	tb := newTable(t, Limits{QueueMessages: 1 << 20, QueueBytes: 1 << 20}, "/ip4/127.0.0.1/tcp/0").meet()
	m := newMallory(t, malloryPlayer)
	m.enter(tb.victim)
	tb.await("mallory is connected", func() bool { return tb.seen.Up(m.Address()) })
	large := move(1)
	large.GetMove().Move = make([]byte, 64<<10)
	var err error
	taken := 0
	for ; err == nil && taken < 1<<30; taken += 64 << 10 {
		err = tb.victim.Send(m.Address(), large)
	}
	if !errors.Is(err, transport.ErrQueueFull) {
		t.Errorf("after %d bytes: %v, want ErrQueueFull", taken, err)
	}
	if taken > 16<<20 {
		t.Errorf("%d bytes were taken for a peer that reads nothing", taken)
	}
	tb.talk()
}

// Above its rate a peer's messages wait; if it keeps on, it is cut off.
func TestAttack_QueueFlood_Rate(t *testing.T) {
	const rate = 100 // far below what the slowest machine handles
	tb := newTable(t, Limits{MessagesPerSecond: rate, Flood: 500 * time.Millisecond}).meet()
	m := newMallory(t, malloryPlayer)
	s := m.enter(tb.victim)
	frame, err := wire.FrameEnvelope(move(1))
	if err != nil {
		t.Fatal(err)
	}
	many := bytes.Repeat(frame, 64)
	began := time.Now()
	go func() {
		for err := error(nil); err == nil; {
			_, err = s.Write(many)
		}
	}()
	if code := m.fate(s); code != codeMisbehaved {
		t.Errorf("reset with %#x, want %#x", code, codeMisbehaved)
	}
	tb.awaitGone(m, transport.ErrMisbehaved)
	if n, most := len(tb.seen.Turns(m.Address())), int((2+time.Since(began).Seconds())*rate)+1; n > most {
		t.Errorf("%d messages handled, at most %d", n, most)
	}
	tb.talk()
}

// What a stranger sends above the strangers' budget waits and isn't handled; a friend's messages
// don't wait for it.
func TestAttack_QueueFlood_Stranger(t *testing.T) {
	const burst = 1 + wire.MaxMessage/unit
	tb := newTable(t, Limits{Reading: 20}).meet() // one a second from each
	m := newMallory(t, malloryPlayer)
	s := m.enter(tb.victim)
	frame, err := wire.FrameEnvelope(move(1))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, err := s.Write(bytes.Repeat(frame, 4*burst)); err != nil {
		t.Fatal(err)
	}
	tb.await("a burst is handled", func() bool { return len(tb.seen.Turns(m.Address())) >= burst })
	tb.talk()
	if n, most := len(tb.seen.Turns(m.Address())), burst+int(time.Since(began).Seconds())+1; n > most {
		t.Errorf("%d messages handled, at most %d", n, most)
	}
}

// Accounts are free, so many come at once. They get the strangers' places, not the friend's.
func TestAttack_Sybil(t *testing.T) {
	tb := newTable(t, Limits{Strangers: 3})
	in, out := 0, 0
	for i := range 8 {
		m := newMallory(t, malloryPlayer+i)
		s := m.open(tb.victim)
		err := m.shake(s, wire.NewReader(s, nil), m.proof)
		var reset *network.StreamError
		switch {
		case err == nil:
			in++
			tb.await("let in", func() bool { return tb.seen.Up(m.Address()) })
		case errors.As(err, &reset) && reset.ErrorCode == codeNoRoom:
			out++
		default:
			t.Error(err)
		}
	}
	if in != 3 || out != 5 {
		t.Errorf("%d let in, %d refused; want 3 and 5", in, out)
	}
	if n := tb.signed.Load(); n != 3 {
		t.Errorf("the victim signed %d proofs for 3 strangers", n)
	}
	tb.meet().talk()
}

// Handshakes that are never finished take the strangers' places too, and not the friend's.
func TestAttack_Sybil_Handshakes(t *testing.T) {
	tb := newTable(t, Limits{Handshakes: 2, Handshake: time.Minute})
	for i := range 2 {
		m := newMallory(t, malloryPlayer+i)
		s := m.open(tb.victim)
		if err := send(s, &antev1.Handshake{Challenge: make([]byte, 32)}); err != nil {
			t.Fatal(err)
		}
		if err := receive(wire.NewReader(s, nil), new(antev1.Handshake)); err != nil {
			t.Fatal(err) // so the victim has begun with it
		}
	}
	m := newMallory(t, malloryPlayer+2)
	s := m.open(tb.victim)
	if _, err := s.Write([]byte{34}); err != nil {
		t.Fatal(err)
	}
	if code := m.fate(s); code != codeNoRoom {
		t.Errorf("a third: reset with %#x, want %#x", code, codeNoRoom)
	}
	// the friend dials, so that it is the victim's room that counts
	tb.must(tb.victim.Keep(player(friendPlayer).Address(), tb.friend.Addresses()...))
	tb.must(tb.friend.Keep(player(victimPlayer).Address(), tb.victim.Addresses()...))
	tb.must(tb.friend.Connect(t.Context(), player(victimPlayer).Address()))
	tb.await("the friend is connected", func() bool {
		return tb.seen.Up(player(friendPlayer).Address()) && tb.heard.Up(player(victimPlayer).Address())
	})
	tb.talk()
}

// Strangers open streams and say nothing on them, or what takes long to answer: they would have all
// memory for streams. They get some places, and whom the victim keeps has its own.
func TestAttack_HalfOpen_Streams(t *testing.T) {
	tb := newTable(t, Limits{}, "/ip4/127.0.0.1/tcp/0").meet()
	for i := range 32 {
		m := newMallory(t, malloryPlayer+i)
		tb.must(m.host.Connect(t.Context(), m.at(tb.victim)))
		for n := range 12 {
			if n%2 == 0 {
				_, err := m.host.Network().ConnsToPeer(tb.victim.host.ID())[0].NewStream(t.Context())
				tb.must(err)
				continue
			}
			if s, err := m.host.NewStream(t.Context(), tb.victim.host.ID(), proto.ProtoIDv2Stop); err == nil {
				_, _ = s.Write([]byte{0x80}) // a length that goes on, unless it was refused
			}
		}
		// the victim takes streams in order: once it has heard of this one, it knows the others
		if s, err := m.tryOpen(tb.victim); err == nil {
			_ = receive(wire.NewReader(s, nil), new(antev1.Handshake))
		}
	}
	held := 0
	for _, c := range tb.victim.host.Network().Conns() {
		for _, s := range c.GetStreams() {
			if s.Protocol() == "" || s.Protocol() == proto.ProtoIDv2Stop {
				held++
			}
		}
	}
	if most := streamLimit.Total.Burst; held == 0 || held > most {
		t.Errorf("strangers hold %d streams, of %d", held, most)
	}
	tb.victim.mu.Lock()
	friend := tb.victim.accounts[player(friendPlayer).Address()].sessions[0].stream.Conn().RemotePeer()
	tb.victim.mu.Unlock()
	scope, err := tb.victim.host.Network().ResourceManager().OpenStream(friend, network.DirInbound)
	tb.must(err)
	scope.Done()
	tb.talk()
}

// A stranger proves its account again and again, on one connection. What the victim checks and
// signs for that is bounded.
func TestAttack_Sybil_Proofs(t *testing.T) {
	tb := newTable(t, Limits{Strangers: 1})
	m := newMallory(t, malloryPlayer)
	for begun := time.Now(); ; {
		s, err := m.tryOpen(tb.victim)
		if err == nil {
			err = m.shake(s, wire.NewReader(s, nil), m.proof)
		}
		if err != nil {
			break
		}
		if most := proofLimit.Account.Burst + int(time.Since(begun)/proofLimit.Account.Every); int(tb.signed.Load()) > most {
			t.Fatalf("the victim has signed %d proofs", tb.signed.Load())
		}
	}
	tb.meet().talk()
}
