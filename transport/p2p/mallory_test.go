package p2p

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libp2pquic "github.com/libp2p/go-libp2p/p2p/transport/quic"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	"github.com/multiformats/go-multiaddr"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
	"github.com/ante-games/ante/transport/wire"
)

// patience is how long a test waits for what must come. It is no measure of anything.
const patience = 5 * time.Minute

// mallory is a peer with a libp2p host and an account of its own, and no manners.
type mallory struct {
	t    *testing.T
	host host.Host
	signer
}

func newMallory(t *testing.T, i int) *mallory {
	t.Helper()
	h, err := libp2p.New(libp2p.ListenAddrStrings(Loopback(0)...), libp2p.DisableMetrics(), libp2p.DisableRelay(),
		libp2p.Transport(tcp.NewTCPTransport), libp2p.Transport(libp2pquic.NewTransport),
		libp2p.ResourceManager(&network.NullResourceManager{}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return &mallory{t, h, player(i)}
}

// open opens a stream to a victim, and proves nothing.
func (m *mallory) open(victim *Host) network.Stream {
	m.t.Helper()
	s, err := m.tryOpen(victim)
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

func (m *mallory) tryOpen(victim *Host) (network.Stream, error) {
	ctx, cancel := context.WithTimeout(m.t.Context(), patience)
	defer cancel()
	if err := m.host.Connect(ctx, m.at(victim)); err != nil {
		return nil, err
	}
	s, err := m.host.NewStream(ctx, victim.host.ID(), victim.protocol)
	if err != nil {
		return nil, err
	}
	return s, s.SetDeadline(time.Now().Add(patience))
}

func (m *mallory) at(victim *Host) peer.AddrInfo {
	return peer.AddrInfo{ID: victim.host.ID(), Addrs: append([]multiaddr.Multiaddr(nil), victim.host.Addrs()...)}
}

// shake does the diallers' part of the handshake up to the proof, which forge makes of the victim's
// challenge.
func (m *mallory) shake(s network.Stream, in *wire.Reader, forge func(challenge common.Hash) *antev1.HandshakeProof) error {
	if err := send(s, &antev1.Handshake{Challenge: make([]byte, 32)}); err != nil {
		return err
	}
	var theirs antev1.Handshake
	if err := receive(in, &theirs); err != nil {
		return err
	}
	if err := send(s, forge(common.Hash(theirs.Challenge))); err != nil {
		return err
	}
	return receive(in, new(antev1.HandshakeProof))
}

// proof is an honest proof, for a challenge.
func (m *mallory) proof(challenge common.Hash) *antev1.HandshakeProof {
	return m.forged(protocol.PeerBinding{PeerID: []byte(m.host.ID()), Challenge: challenge, Expiry: uint64(time.Now().Add(proofLife).Unix())}, domain)
}

func (m *mallory) forged(b protocol.PeerBinding, d protocol.Domain) *antev1.HandshakeProof {
	m.t.Helper()
	signature, err := m.Sign(b.Digest(d))
	if err != nil {
		m.t.Fatal(err)
	}
	account := m.Address()
	return &antev1.HandshakeProof{Account: account[:], Expiry: b.Expiry, Signature: signature[:]}
}

// enter opens a stream and proves mallory's own account.
func (m *mallory) enter(victim *Host) network.Stream {
	m.t.Helper()
	s := m.open(victim)
	if err := m.shake(s, wire.NewReader(s, nil), m.proof); err != nil {
		m.t.Fatal(err)
	}
	return s
}

// fate reads until the victim ends the stream, and returns the code it gave.
func (m *mallory) fate(s network.Stream) network.StreamErrorCode {
	m.t.Helper()
	b := make([]byte, 4096)
	for {
		_, err := s.Read(b)
		var reset *network.StreamError
		switch {
		case err == nil:
		case errors.As(err, &reset) && reset.Remote:
			return reset.ErrorCode
		default:
			m.t.Fatalf("the victim did not reset the stream: %v", err)
		}
	}
}

// table is a victim with a kept friend, who keep talking whatever mallory does.
type table struct {
	t              *testing.T
	wake           chan struct{}
	victim, friend *Host
	seen, heard    *transporttest.Recorder // by the victim, by the friend
	turn           uint64
	signed         atomic.Int64 // proofs that the victim signed
}

// counting is a signer that counts.
type counting struct {
	signer
	n *atomic.Int64
}

func (c counting) Sign(digest common.Hash) (protocol.Signature, error) {
	c.n.Add(1)
	return c.signer.Sign(digest)
}

const victimPlayer, friendPlayer, malloryPlayer = 0, 1, 2

func newTable(t *testing.T, limits Limits, listen ...string) *table {
	t.Helper()
	return newTableWith(t, func(c *Config) { c.Limits, c.Listen = limits, listen })
}

func newTableWith(t *testing.T, change func(*Config)) *table {
	t.Helper()
	tb := &table{t: t, wake: make(chan struct{}, 1)}
	tb.seen, tb.heard = transporttest.NewRecorder(tb.wake), transporttest.NewRecorder(tb.wake)
	cfg := config(victimPlayer, tb.seen)
	change(&cfg)
	cfg.Signer = counting{player(victimPlayer), &tb.signed}
	tb.victim = start(t, cfg)
	tb.friend = start(t, config(friendPlayer, tb.heard))
	return tb
}

func (tb *table) meet() *table {
	tb.t.Helper()
	tb.must(tb.victim.Keep(tb.friend.cfg.Signer.Address(), tb.friend.Addresses()...))
	// who dials is settled, so that one stream is all there is
	tb.must(tb.friend.Keep(tb.victim.cfg.Signer.Address()))
	err := tb.victim.Connect(tb.t.Context(), tb.friend.cfg.Signer.Address())
	// the limit may be short, and the machine busy
	for begun := time.Now(); errors.Is(err, transport.ErrSlow) && time.Since(begun) < patience; {
		err = tb.victim.Connect(tb.t.Context(), tb.friend.cfg.Signer.Address())
	}
	tb.must(err)
	tb.await("the friend is connected", func() bool {
		return tb.seen.Up(player(friendPlayer).Address()) && tb.heard.Up(player(victimPlayer).Address())
	})
	return tb
}

func (tb *table) must(err error) {
	tb.t.Helper()
	if err != nil {
		tb.t.Fatal(err)
	}
}

func (tb *table) await(what string, cond func() bool) {
	tb.t.Helper()
	late := time.After(patience)
	for !cond() {
		select {
		case <-tb.wake:
		case <-late:
			tb.t.Fatalf("not in %s: %s", patience, what)
		}
	}
}

// talk shows that victim and friend still hear each other, on the connection that they had.
func (tb *table) talk() {
	tb.t.Helper()
	tb.turn++
	tb.must(tb.victim.Send(player(friendPlayer).Address(), move(tb.turn)))
	tb.must(tb.friend.Send(player(victimPlayer).Address(), move(tb.turn)))
	tb.await("victim and friend hear each other", func() bool {
		return len(tb.seen.Turns(player(friendPlayer).Address())) == int(tb.turn) && len(tb.heard.Turns(player(victimPlayer).Address())) == int(tb.turn)
	})
	if _, downs := tb.seen.Count(player(friendPlayer).Address()); downs > 0 {
		tb.t.Error("the friend was disconnected")
	}
}

func (tb *table) awaitGone(m *mallory, why error) {
	tb.t.Helper()
	tb.await("mallory is cut off", func() bool { return tb.seen.Why(m.Address()) != nil })
	if got := tb.seen.Why(m.Address()); !errors.Is(got, why) {
		tb.t.Errorf("cut off for %v, want %v", got, why)
	}
}

func move(turn uint64) *antev1.Envelope {
	return &antev1.Envelope{Body: &antev1.Envelope_Move{Move: &antev1.Move{
		MatchId: make([]byte, 32), Turn: turn, Move: make([]byte, 185), Signature: make([]byte, 65),
	}}}
}

func (m *mallory) info() *peer.AddrInfo {
	return &peer.AddrInfo{ID: m.host.ID(), Addrs: m.host.Addrs()}
}
