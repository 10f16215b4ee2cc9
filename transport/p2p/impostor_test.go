package p2p

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/libp2p/go-libp2p/core/network"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// Every proof but the honest one is refused, told why, and leaves no trace with the handler.
func TestAttack_Impostor(t *testing.T) {
	tb := newTable(t, Limits{}).meet()
	now := time.Now()
	binding := func(m *mallory, c common.Hash) protocol.PeerBinding {
		return protocol.PeerBinding{PeerID: []byte(m.host.ID()), Challenge: c, Expiry: uint64(now.Add(proofLife).Unix())}
	}
	otherChain, otherArena := domain, domain
	otherChain.ChainID++
	otherArena.Arena[0]++
	friend := player(friendPlayer).Address()
	old := common.Hash{1}
	signed := tb.signed.Load()

	for name, tc := range map[string]struct {
		forge func(m *mallory, c common.Hash) *antev1.HandshakeProof
		code  network.StreamErrorCode
	}{
		"another's account": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			p := m.proof(c)
			p.Account = friend[:]
			return p
		}, codeHandshake},
		"another's peer id": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			b := binding(m, c)
			b.PeerID = []byte(tb.friend.host.ID())
			return m.forged(b, domain)
		}, codeHandshake},
		"another challenge": {func(m *mallory, _ common.Hash) *antev1.HandshakeProof { return m.forged(binding(m, old), domain) }, codeHandshake},
		"another chain":     {func(m *mallory, c common.Hash) *antev1.HandshakeProof { return m.forged(binding(m, c), otherChain) }, codeHandshake},
		"another Arena":     {func(m *mallory, c common.Hash) *antev1.HandshakeProof { return m.forged(binding(m, c), otherArena) }, codeHandshake},
		"expired": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			b := binding(m, c)
			b.Expiry = uint64(now.Unix()) - 1
			return m.forged(b, domain)
		}, codeExpired},
		"good for ever": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			b := binding(m, c)
			b.Expiry = 1 << 62
			return m.forged(b, domain)
		}, codeExpired},
		"expiry changed": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			p := m.proof(c)
			p.Expiry++
			return p
		}, codeHandshake},
		"high s": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			p := m.proof(c)
			s := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(p.Signature[32:64]))
			s.FillBytes(p.Signature[32:64])
			p.Signature[64] = 27 + 28 - p.Signature[64]
			return p
		}, codeHandshake},
		"short signature": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			p := m.proof(c)
			p.Signature = p.Signature[:64]
			return p
		}, codeHandshake},
		"short account": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			p := m.proof(c)
			p.Account = p.Account[1:]
			return p
		}, codeHandshake},
		"nothing": {func(*mallory, common.Hash) *antev1.HandshakeProof { return new(antev1.HandshakeProof) }, codeHandshake},
		"the victim's own": {func(m *mallory, c common.Hash) *antev1.HandshakeProof {
			m.signer = player(victimPlayer)
			return m.proof(c)
		}, codeHandshake},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMallory(t, malloryPlayer)
			s := m.open(tb.victim)
			err := m.shake(s, wire.NewReader(s, nil), func(c common.Hash) *antev1.HandshakeProof { return tc.forge(m, c) })
			var reset *network.StreamError
			if !errors.As(err, &reset) || reset.ErrorCode != tc.code {
				t.Errorf("got %v, want the stream reset with %#x", err, tc.code)
			}
			if ups, _ := tb.seen.Count(m.Address()); ups > 0 {
				t.Error("the handler was told")
			}
		})
	}
	tb.talk()
	if n := tb.signed.Load() - signed; n > 0 {
		t.Errorf("the victim signed %d proofs for impostors", n)
	}

	// The same without a lie is let in: it is the lie that was refused.
	m := newMallory(t, malloryPlayer)
	m.enter(tb.victim)
	tb.await("mallory is connected under her own name", func() bool { return tb.seen.Up(m.Address()) })
}

// A proof seen once is worth nothing on the next stream.
func TestAttack_Impostor_Replay(t *testing.T) {
	tb := newTable(t, Limits{})
	m := newMallory(t, malloryPlayer)
	var first *antev1.HandshakeProof
	s := m.open(tb.victim)
	if err := m.shake(s, wire.NewReader(s, nil), func(c common.Hash) *antev1.HandshakeProof {
		first = m.proof(c)
		return first
	}); err != nil {
		t.Fatal(err)
	}
	s = m.open(tb.victim)
	if err := m.shake(s, wire.NewReader(s, nil), func(common.Hash) *antev1.HandshakeProof { return first }); err == nil {
		t.Error("a proof was good twice")
	}
	if ups, _ := tb.seen.Count(m.Address()); ups > 1 {
		t.Errorf("%d times connected", ups)
	}
}

// What an impostor says is passed on to nobody: the friend's proof, made for mallory's challenge,
// doesn't help her, because it names the friend's peer.
func TestAttack_Impostor_Relay(t *testing.T) {
	tb := newTable(t, Limits{})
	m := newMallory(t, malloryPlayer)
	s := m.open(tb.victim)
	err := m.shake(s, wire.NewReader(s, nil), func(c common.Hash) *antev1.HandshakeProof {
		// mallory listens, the friend dials her, and signs whatever challenge she gives: the
		// victim's
		got := make(chan *antev1.HandshakeProof, 1)
		m.host.SetStreamHandler(tb.friend.protocol, func(s network.Stream) {
			in := wire.NewReader(s, nil)
			proof := new(antev1.HandshakeProof)
			if err := errors.Join(send(s, &antev1.Handshake{Challenge: c[:]}), receive(in, new(antev1.Handshake)), receive(in, proof)); err != nil {
				t.Error(err)
			}
			got <- proof
			_ = s.Reset()
		})
		if _, err := tb.friend.Dial(t.Context(), fullAddresses(*m.info())[0]); err == nil {
			t.Error("the friend took mallory's silence for a proof")
		}
		return <-got
	})
	var reset *network.StreamError
	if !errors.As(err, &reset) || reset.ErrorCode != codeHandshake {
		t.Errorf("got %v, want refusal", err)
	}
	if ups, _ := tb.seen.Count(player(friendPlayer).Address()); ups > 0 {
		t.Error("mallory passed for the friend")
	}
}

// Who dials is as careful as who listens.
func TestDialRefuses(t *testing.T) {
	tb := newTable(t, Limits{})
	t.Run("impostor", func(t *testing.T) {
		m := newMallory(t, malloryPlayer)
		friend := player(friendPlayer).Address()
		m.host.SetStreamHandler(tb.victim.protocol, func(s network.Stream) {
			in := wire.NewReader(s, nil)
			var theirs antev1.Handshake
			if err := errors.Join(send(s, &antev1.Handshake{Challenge: make([]byte, 32)}), receive(in, &theirs)); err != nil {
				t.Error(err)
				return
			}
			p := m.proof(common.Hash(theirs.Challenge))
			p.Account = friend[:]
			if err := errors.Join(receive(in, new(antev1.HandshakeProof)), send(s, p)); err != nil {
				t.Error(err)
			}
		})
		if _, err := tb.victim.Dial(t.Context(), fullAddresses(*m.info())[0]); !errors.Is(err, transport.ErrHandshake) {
			t.Errorf("got %v, want ErrHandshake", err)
		}
	})
	t.Run("wrong account", func(t *testing.T) {
		stranger := player(3).Address()
		tb.must(tb.victim.Keep(stranger, tb.friend.Addresses()...))
		defer tb.victim.Forget(stranger)
		var wrong *transport.WrongAccountError
		if err := tb.victim.Connect(t.Context(), stranger); !errors.As(err, &wrong) || wrong.Got != player(friendPlayer).Address() || wrong.Want != stranger {
			t.Errorf("got %v, want WrongAccountError", err)
		}
	})
	t.Run("another chain", func(t *testing.T) {
		cfg := config(3, tb.heard)
		cfg.Domain.ChainID = 1
		other := start(t, cfg)
		if _, err := tb.victim.Dial(t.Context(), other.Addresses()[0]); !errors.Is(err, transport.ErrOtherNetwork) {
			t.Errorf("got %v, want ErrOtherNetwork", err)
		}
	})
	t.Run("clock", func(t *testing.T) {
		cfg := config(3, tb.heard)
		cfg.Now = func() time.Time { return time.Now().Add(-25 * time.Hour) }
		late := start(t, cfg)
		_, err := tb.victim.Dial(t.Context(), late.Addresses()[0])
		if !errors.Is(err, errExpired) {
			t.Errorf("got %v, want one that blames the clock", err)
		}
	})
	t.Run("by account", func(t *testing.T) {
		got, err := tb.victim.Dial(t.Context(), tb.friend.Addresses()[0])
		if err != nil || got != player(friendPlayer).Address() {
			t.Errorf("got %s and %v", got, err)
		}
		again, err := tb.victim.Dial(t.Context(), tb.friend.Addresses()[0])
		if err != nil || again != got {
			t.Errorf("again: got %s and %v", again, err)
		}
		tb.await("the friend is connected", func() bool { return tb.seen.Up(got) })
		if ups, _ := tb.seen.Count(got); ups != 1 {
			t.Errorf("connected %d times", ups)
		}
	})
}
