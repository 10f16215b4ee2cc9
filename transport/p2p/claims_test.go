package p2p

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/ante-games/ante/transport/transporttest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
)

// Where an account lives is what somebody says. Who says that it lives at the peer of another
// neither cuts the session with that one nor holds up a dial of it for long, and fills no memory.

// pairOf connects two hosts of a bubble, the first of which keeps the other one's account.
func pairOf(t *testing.T, l *link) (a, b *Host, seen *transporttest.Recorder) {
	seen = transporttest.NewRecorder(make(chan struct{}, 1))
	a, b = l.start(l.config(0, seen)), l.start(l.config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
	must(t, a.Keep(address(1), b.Addresses()...))
	must(t, b.Keep(address(0)))
	must(t, a.Connect(t.Context(), address(1)))
	return a, b, seen
}

// nowhere returns addresses of so many peers at which nobody answers.
func nowhere(t *testing.T, n int) (at []string) {
	for i := range n {
		_, public, err := crypto.GenerateEd25519Key(rand.Reader)
		must(t, err)
		id, err := peer.IDFromPublicKey(public)
		must(t, err)
		at = append(at, fmt.Sprintf("/ip4/1.2.3.%d/udp/4001/quic-v1/p2p/%s", i+1, id))
	}
	return at
}

func TestClaims_CutNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		a, b, seen := pairOf(t, l)
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		for i := range 200 {
			must(t, a.Keep(common.Address{9, byte(i)}, b.Addresses()...))
		}
		for range 300 {
			time.Sleep(time.Second)
			if !seen.Up(address(1)) {
				t.Fatal("those who claim to live at a peer cut the session with it")
			}
		}
	})
}

func TestClaims_HoldUpNoDial(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		a, b := l.start(l.config(0, transporttest.NewRecorder(make(chan struct{}, 1)))), l.start(l.config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		must(t, a.Keep(address(7), append(nowhere(t, 15), "/ip4/1.2.3.200/udp/4001/quic-v1/p2p/"+b.host.ID().String())...))
		time.Sleep(time.Second)
		from := time.Now()
		_, err := a.Dial(t.Context(), b.Addresses()[0])
		if took := time.Since(from); err != nil || took > 2*a.cfg.Limits.Dial {
			t.Errorf("it took %v: %v", took, err)
		}
	})
}

func TestClaims_OfAConnectedPeer(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		a, b, _ := pairOf(t, l)
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		a.mu.Lock()
		other := a.accounts.at(address(7))
		other.learn(peer.AddrInfo{ID: b.host.ID(), Addrs: b.host.Addrs()})
		a.mu.Unlock()
		other.dialling <- struct{}{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for range 20 { // the order of a map decides which account is found there
			from := time.Now()
			if account, err := a.Dial(ctx, b.Addresses()[0]); err != nil || account != address(1) || time.Since(from) > 0 {
				t.Fatalf("%s after %v: %v", account, time.Since(from), err)
			}
		}
		<-other.dialling
	})
}

func TestClaims_Bounded(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		a := l.start(l.config(0, transporttest.NewRecorder(make(chan struct{}, 1))))
		defer func() { must(t, a.Close()) }()
		for range 10 {
			must(t, a.Keep(address(7), nowhere(t, maxAddresses)...))
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if n := len(a.accounts[address(7)].infos()); n > maxAddresses {
			t.Errorf("an account is at %d peers", n)
		}
	})
}

// TestClaims_ReplaceNothing: an account that moved is reached at its new address, however much was
// said of it before; and where it was reached stays known, whatever is said of it afterwards.
func TestClaims_ReplaceNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, l *link) {
		a, b := l.start(l.config(0, transporttest.NewRecorder(make(chan struct{}, 1)))), l.start(l.config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
		defer func() { must(t, a.Close()); must(t, b.Close()) }()
		must(t, b.Keep(address(0)))
		must(t, a.Keep(address(1), nowhere(t, maxAddresses)...))
		must(t, a.Keep(address(1), b.Addresses()...))
		must(t, a.Connect(t.Context(), address(1)))
		for range 2 {
			must(t, a.Keep(address(1), nowhere(t, maxAddresses)...))
		}
		if at := a.Peers()[0].Addresses; at[0] != b.Addresses()[0] {
			t.Errorf("it is looked for at %v first, and was reached at %v", at[0], b.Addresses()[0])
		}
	})
}
