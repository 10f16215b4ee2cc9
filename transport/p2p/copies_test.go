package p2p

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport/transporttest"
)

// witness counts how often it is told of a copy of its keys.
type witness struct {
	*transporttest.Recorder
	copied atomic.Int64
}

func (w *witness) Copied(common.Address) { w.copied.Add(1) }

func newWitness() *witness {
	return &witness{Recorder: transporttest.NewRecorder(make(chan struct{}, 1))}
}

// Two programs run with one keystore, and each keeps the same peer. Both learn of each other; a
// program that is restarted, and the peer, learn of nothing.
func TestAttack_TwoCopies(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		wp, wa, wb := newWitness(), newWitness(), newWitness()
		peer := l.start(l.config(9, wp))
		defer func() { must(t, peer.Close()) }()
		must(t, peer.Keep(address(1)))
		run := func(w *witness, at int) *Host {
			cfg := l.config(at, w)
			cfg.Identity, cfg.Signer = identity(1), player(1)
			h := l.start(cfg)
			must(t, h.Keep(address(9), peer.Addresses()...))
			return h
		}
		first := run(wa, 1)
		time.Sleep(time.Minute)
		must(t, first.Close())
		first = run(wa, 1)
		time.Sleep(time.Minute)
		if wa.copied.Load() > 0 {
			t.Error("a restarted program took its own earlier proof for a copy's")
		}
		second := run(wb, 2)
		time.Sleep(10 * time.Minute)
		if wa.copied.Load() == 0 || wb.copied.Load() == 0 {
			t.Errorf("told of the copy: %d and %d times", wa.copied.Load(), wb.copied.Load())
		}
		if wp.copied.Load() > 0 {
			t.Error("the peer was told of a copy of its own keys")
		}
		must(t, second.Close())
		must(t, first.Close())
	})
}

// What a peer makes up is no proof of a copy: only the account's own key makes one.
func TestAttack_TwoCopies_Forged(t *testing.T) {
	tb := newTable(t, Limits{})
	w := newWitness()
	tb.victim.cfg.Handler = w
	m := newMallory(t, malloryPlayer)
	tb.victim.signed.since = 0
	own := m.proof(common.Hash{1})
	for _, r := range []*antev1.Rival{
		nil, {},
		{PeerId: []byte(m.host.ID()), Challenge: make([]byte, 32), Expiry: own.Expiry, Signature: own.Signature},
		{PeerId: []byte(m.host.ID()), Challenge: make([]byte, 31), Expiry: own.Expiry, Signature: own.Signature},
		{PeerId: []byte(m.host.ID()), Challenge: make([]byte, 32), Expiry: 1, Signature: own.Signature},
	} {
		tb.victim.examine(m.Address(), r)
	}
	if w.copied.Load() > 0 {
		t.Error("a forged proof counted")
	}
}

// A host remembers a bounded number of its own proofs, and takes none that it has forgotten for
// another's.
func TestSignedIsBounded(t *testing.T) {
	var s signed
	for i := range uint64(2 * maxSigned) {
		s.add(common.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, i)
	}
	if len(s.list) > maxSigned || len(s.order) > maxSigned {
		t.Errorf("%d proofs are remembered", len(s.list))
	}
	for i := range uint64(2 * maxSigned) {
		if s.foreign(common.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, i) {
			t.Fatalf("its own proof %d is taken for another's", i)
		}
	}
	if !s.foreign(common.Hash{0xff, 0xff, 0xff}, 2*maxSigned) {
		t.Error("another's proof is not noticed")
	}
}

// Clocks that differ by hours keep nobody out.
func TestAttack_ClockSkew_Handshake(t *testing.T) {
	tb := newTable(t, Limits{})
	for i, by := range []time.Duration{-23 * time.Hour, 23 * time.Hour} {
		cfg := config(malloryPlayer+i, newWitness())
		cfg.Now = func() time.Time { return time.Now().Add(by) }
		h := start(t, cfg)
		if _, err := h.Dial(t.Context(), tb.victim.Addresses()[0]); err != nil {
			t.Errorf("a clock that is off by %s: %v", by, err)
		}
	}
}
