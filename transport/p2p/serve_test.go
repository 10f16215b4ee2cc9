package p2p

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
	"github.com/ante-games/ante/transport/wire"
)

// wood is a stream on which nothing comes, and that can't be written to.
type wood struct {
	network.Stream
	deadline func() // called when a deadline for writing is set
	code     network.StreamErrorCode
	written  int
}

func (w *wood) Conn() network.Conn                             { return conn{} }
func (w *wood) SetDeadline(time.Time) error                    { return nil }
func (w *wood) SetWriteDeadline(time.Time) error               { w.deadline(); return nil }
func (w *wood) Write(b []byte) (int, error)                    { w.written += len(b); return 0, os.ErrDeadlineExceeded }
func (w *wood) ResetWithError(c network.StreamErrorCode) error { w.code = c; return nil }

// conn is a connection with somebody on this machine.
type conn struct{ network.Conn }

func (conn) RemotePeer() peer.ID { return "p" }
func (conn) RemoteMultiaddr() multiaddr.Multiaddr {
	return multiaddr.StringCast("/ip4/127.0.0.1/tcp/1")
}

// at is a session with an account, over wood.
func at(account common.Address, dialled bool) *session {
	s := newSession(&Limits{}, new(wood), dialled)
	s.account = account
	return s
}

// A closed host takes no stream, and dials nobody.
func TestClosedHostsDoNothing(t *testing.T) {
	h := start(t, config(0, transporttest.NewRecorder(make(chan struct{}, 1))))
	other := start(t, config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
	must(t, h.Close())
	var stream wood
	h.accept(&stream)
	if stream.code != codeClosed {
		t.Errorf("a stream is reset with %#x", stream.code)
	}
	if _, err := h.Dial(t.Context(), other.Addresses()[0]); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("it dials: %v", err)
	}
}

// A handshake whose session was ended meanwhile says why it was, not what its stream failed with.
func TestHandshakesSayWhyTheyEnd(t *testing.T) {
	h := &Host{cfg: config(0, nil)}
	s := at(address(1), false)
	if err := h.greet(s); !errors.Is(err, transport.ErrSlow) {
		t.Errorf("before its end: %v", err)
	}
	s.end(errYielded)
	if err := h.greet(s); !errors.Is(err, transport.ErrNoRoom) {
		t.Errorf("after its end: %v", err)
	}
}

// Two streams of an account stay if they were dialled from both ends at about the same time; else
// the later one replaces the other.
func TestLaterStreamsReplace(t *testing.T) {
	for name, c := range map[string]struct {
		after          time.Duration
		dialled, stays bool
	}{
		"crossing": {time.Second, true, true}, "late": {time.Second + 1, true, false}, "of one end": {0, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := &Host{cfg: Config{Limits: Limits{Handshake: time.Second}}, accounts: accounts{}}
			old, later := at(address(1), c.dialled), at(address(1), false)
			h.accounts.at(address(1)).sessions = []*session{old}
			time.Sleep(c.after)
			a, err := h.begin(later)
			must(t, err)
			if old.over() == c.stays || len(a.sessions) == 2 != c.stays || a.sessions[len(a.sessions)-1] != later {
				t.Errorf("%s: over: %t, %d streams", name, old.over(), len(a.sessions))
			}
		})
	}
}

// Whom we dialled, keep or are connected with already needs no place; whom we only know does.
func TestWhoNeedsAPlace(t *testing.T) {
	h := &Host{accounts: accounts{
		address(1): {kept: true}, address(2): {sessions: []*session{at(address(2), true)}}, address(3): {},
	}} // without any place
	for name, c := range map[string]struct {
		s    *session
		want error
	}{
		"dialled": {at(address(4), true), nil}, "kept": {at(address(1), false), nil}, "connected": {at(address(2), false), nil},
		"known": {at(address(3), false), transport.ErrNoRoom}, "unknown": {at(address(4), false), transport.ErrNoRoom},
	} {
		if err := h.room(c.s); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A session that ends while it sets a deadline writes nothing any more: the deadline has undone
// what would stop it.
func TestNothingIsWrittenAfterTheEnd(t *testing.T) {
	w := new(wood)
	s := newSession(&Limits{QueueMessages: 1, Message: time.Second}, w, false)
	w.deadline = func() { s.end(transport.ErrIdle) }
	s.out <- []byte{1}
	if s.write(); w.written > 0 {
		t.Errorf("%d bytes are written", w.written)
	}
}

// An account that is no key is asked whether it appointed the key that speaks for it, where the
// host knows how.
func TestWalletsAreAsked(t *testing.T) {
	d := &protocol.SignedDeputy{Signature: []byte("by its owners")}
	d.Player, d.Key, d.Expiry = common.Address{7}, address(1), uint64(time.Now().Add(proofLife).Unix())
	binding := protocol.PeerBinding{PeerID: []byte("p"), Expiry: d.Expiry}
	signature, err := player(1).Sign(binding.Digest(domain))
	must(t, err)
	proof := &antev1.HandshakeProof{Account: d.Player[:], Expiry: d.Expiry, Signature: signature[:], Deputy: encoding.Deputy(d)}
	for knows, h := range map[bool]transport.Handler{true: envoy{}, false: transporttest.NewRecorder(nil)} {
		host := &Host{cfg: config(0, h)}
		host.cfg.Now = time.Now
		if account, err := host.verify(proof, "p", "", binding.Challenge); (err == nil) != knows || knows && account != d.Player {
			t.Errorf("it knows how: %t: %s, %v", knows, account, err)
		}
	}
}

// unanswered is a handler that can't ask the chain about a contract wallet.
type unanswered struct{ transport.Handler }

func (unanswered) Deputy() *protocol.SignedDeputy { return nil }

func (unanswered) Wallet(string, common.Address, common.Hash, []byte) error {
	return errors.New("the chain does not answer")
}

// A peer whose wallet the chain can't be asked about is refused, and not banned: another try may
// come a moment later.
func TestUncheckedProofsBanNobody(t *testing.T) {
	tb := newTableWith(t, func(c *Config) { c.Handler = unanswered{c.Handler} })
	m := newMallory(t, malloryPlayer)
	d := &protocol.SignedDeputy{Signature: []byte("by its owners")}
	d.Player, d.Key, d.Expiry = common.Address{7}, m.Address(), uint64(time.Now().Add(proofLife).Unix())
	s := m.open(tb.victim)
	err := m.shake(s, wire.NewReader(s, nil), func(challenge common.Hash) *antev1.HandshakeProof {
		proof := m.proof(challenge)
		proof.Account, proof.Deputy = d.Player[:], encoding.Deputy(d)
		return proof
	})
	if err == nil {
		t.Fatal("the proof was taken")
	}
	if code := m.fate(s); code != codeHandshake {
		t.Errorf("reset with %#x", code)
	}
	m.enter(tb.victim)
}

// Where the account that is dialled connects by itself meanwhile, dialling it has not failed.
func TestDialledMeanwhile(t *testing.T) {
	for name, dial := range map[string]func(*table, *mallory) error{
		"its account": func(tb *table, m *mallory) error {
			tb.victim.mu.Lock()
			a := tb.victim.accounts.at(m.Address())
			a.learn(*m.info())
			tb.victim.mu.Unlock()
			return tb.victim.reach(tb.t.Context(), a)
		},
		"its address": func(tb *table, m *mallory) error {
			_, err := tb.victim.dialAny(tb.t.Context(), *m.info())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, Limits{})
			m := newMallory(t, malloryPlayer)
			m.host.SetStreamHandler(tb.victim.protocol, func(dialled network.Stream) {
				s, err := m.tryOpen(tb.victim)
				if err == nil {
					err = m.shake(s, wire.NewReader(s, nil), m.proof)
				}
				if err != nil {
					t.Error(err)
				}
				tb.await("mallory is connected", func() bool { return tb.seen.Up(m.Address()) })
				_ = dialled.Reset()
			})
			tb.must(dial(tb, m))
		})
	}
}

// Whoever dials an address waits while the account that is kept there is dialled: of two streams
// the peer would reset the first.
func TestDialsOfOnePeerTakeTurns(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		a, b := l.start(l.config(0, transporttest.NewRecorder(make(chan struct{}, 1)))), l.start(l.config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		a.mu.Lock()
		kept := a.accounts.at(address(1))
		kept.learn(peer.AddrInfo{ID: b.host.ID(), Addrs: b.host.Addrs()})
		a.mu.Unlock()
		kept.dialling <- struct{}{}
		dialled := make(chan error)
		go func() {
			_, err := a.Dial(t.Context(), b.Addresses()[0])
			dialled <- err
		}()
		time.Sleep(time.Second)
		if a.host.Network().Connectedness(b.host.ID()) != network.NotConnected {
			t.Error("two dial it at once")
		}
		<-kept.dialling
		must(t, <-dialled)
	})
}

// A peer that says nothing during a handshake, on a connection from before, is dialled anew.
func TestDialAfterSilence(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		r := transporttest.NewRecorder(make(chan struct{}, 1))
		cfg := l.config(0, r)
		cfg.Limits.Handshake = time.Second
		a, b := l.start(cfg), l.start(l.config(1, r))
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		must(t, a.host.Connect(t.Context(), peer.AddrInfo{ID: b.host.ID(), Addrs: b.host.Addrs()}))
		time.Sleep(time.Second) // they know each other's protocols
		l.cut.Store(true)
		time.AfterFunc(3*time.Second, func() { l.cut.Store(false) })
		if _, err := a.Dial(t.Context(), b.Addresses()[0]); err != nil {
			t.Error(err)
		}
	})
}

// Of an account's peers those after the one that answers are not dialled.
func TestFirstPeerThatAnswers(t *testing.T) {
	tb := newTable(t, Limits{})
	m := newMallory(t, malloryPlayer)
	m.host.SetStreamHandler(tb.victim.protocol, func(s network.Stream) {
		t.Error("another peer is dialled")
		_ = s.Reset()
	})
	tb.victim.mu.Lock()
	a := tb.victim.accounts.at(address(friendPlayer))
	a.learn(*m.info())
	a.learn(peer.AddrInfo{ID: tb.friend.host.ID(), Addrs: tb.friend.host.Addrs()})
	tb.victim.mu.Unlock()
	tb.must(tb.victim.reach(t.Context(), a))
}

// A stranger is let go when it has been silent for longer than it may be.
func TestSilenceIsCounted(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		h := l.start(l.config(0, transporttest.NewRecorder(make(chan struct{}, 1))))
		defer func() { must(t, h.Close()) }()
		s := at(address(1), false)
		h.mu.Lock()
		h.accounts.at(address(1)).sessions = []*session{s}
		h.mu.Unlock()
		time.Sleep(h.cfg.Limits.Idle)
		if h.sweepAt(time.Now()); s.over() {
			t.Error("just as long")
		}
		time.Sleep(time.Nanosecond)
		if h.sweepAt(time.Now()); !s.over() {
			t.Error("longer")
		}
	})
}
