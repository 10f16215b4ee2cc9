package p2p

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/transporttest"
	"github.com/ante-games/ante/transport/wire"
)

// What a stream failed with becomes an error of the transport, and where the other side said why,
// its reason.
func TestFailuresAreExplained(t *testing.T) {
	remote := func(code network.StreamErrorCode) error {
		return fmt.Errorf("read: %w", &network.StreamError{ErrorCode: code, Remote: true})
	}
	for i, c := range []struct {
		err, want error
		hearsay   bool
	}{
		{transport.ErrMisbehaved, transport.ErrMisbehaved, false}, {transport.ErrHandshake, transport.ErrHandshake, false}, {transport.ErrNoRoom, transport.ErrNoRoom, false},
		{remote(codeNoRoom), transport.ErrNoRoom, true}, {remote(codeIdle), transport.ErrIdle, true}, {remote(codeMisbehaved), transport.ErrMisbehaved, true},
		{&network.StreamError{ErrorCode: codeNoRoom}, transport.ErrNotConnected, false}, {wire.ErrTooLarge, transport.ErrMisbehaved, false},
		{wire.ErrMalformed, transport.ErrMisbehaved, false}, {os.ErrDeadlineExceeded, transport.ErrSlow, false}, {io.EOF, transport.ErrClosed, true},
		{errors.New("other"), transport.ErrNotConnected, false},
	} {
		var said *hearsay
		got := explain(c.err)
		if !errors.Is(got, c.want) || errors.As(got, &said) != c.hearsay {
			t.Errorf("%d: %v becomes %v", i, c.err, got)
		}
		if errors.As(got, &said) && (punishable(got, true) || punishable(got, false)) {
			t.Errorf("%d: %v punishes", i, got)
		}
	}
	for i, c := range []struct {
		err             error
		dialled, banned bool
	}{
		{transport.ErrMisbehaved, true, true}, {transport.ErrMisbehaved, false, true}, {transport.ErrHandshake, false, true},
		{transport.ErrHandshake, true, false}, {errExpired, false, false}, {errUnchecked, false, false},
		{transport.ErrSlow, false, false},
	} {
		if punishable(c.err, c.dialled) != c.banned {
			t.Errorf("%d: %v, dialled %t", i, c.err, c.dialled)
		}
	}
}

// Sixteen addresses are taken at once, and each says where the peer is.
func TestAddressesAreJudged(t *testing.T) {
	h := start(t, config(0, transporttest.NewRecorder(make(chan struct{}, 1))))
	id := identity(1).PeerID()
	var list []string
	for i := range maxAddresses {
		list = append(list, fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", 4000+i, id))
	}
	if infos, err := h.parseAddresses(list); err != nil || len(infos) != 1 || len(infos[0].Addrs) != maxAddresses {
		t.Errorf("%v, %v", infos, err)
	}
	for name, list := range map[string][]string{"too many": append(list, list[0]), "nowhere": {"/p2p/" + id.String()}} {
		if _, err := h.parseAddresses(list); !errors.Is(err, transport.ErrAddress) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Friends are those whom the handler names; a handler that knows no friends has none.
func TestFriends(t *testing.T) {
	h := &Host{cfg: Config{Handler: seats{friend: only(address(1))}}}
	if !h.befriended(address(1)) || h.befriended(address(2)) || (&Host{}).befriended(address(1)) {
		t.Error("who is a friend")
	}
}

// Nothing is sent on a session that is over, and its user is told why it is.
func TestNothingIsSentAfterTheEnd(t *testing.T) {
	s := over(false)
	s.limits, s.out, s.why = &Limits{QueueBytes: 100}, make(chan []byte, 1), transport.ErrIdle
	if err := s.send([]byte{1}); !errors.Is(err, transport.ErrNotConnected) || !errors.Is(err, transport.ErrIdle) || len(s.out) != 0 {
		t.Errorf("%v, %d queued", err, len(s.out))
	}
}

// A peer that is connected and then kept is spared when there are too many connections, until it is
// forgotten.
func TestKeptPeersAreSpared(t *testing.T) {
	wake := make(chan struct{}, 1)
	seen := transporttest.NewRecorder(wake)
	tb := &table{t: t, wake: wake}
	a, b := start(t, config(0, seen)), start(t, config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
	_, err := b.Dial(t.Context(), a.Addresses()[0])
	must(t, err)
	tb.await("connected", func() bool { return seen.Up(address(1)) })
	spared := func() bool { return a.host.ConnManager().IsProtected(b.host.ID(), protectTag+address(1).Hex()) }
	if spared() {
		t.Error("a stranger is spared")
	}
	must(t, a.Keep(address(1)))
	if !spared() {
		t.Error("a kept peer is not spared")
	}
	a.Forget(address(1))
	if spared() {
		t.Error("a forgotten peer is spared")
	}
}

// Of a kept account the peer is spared that proved it last: it may come as any number of them.
func TestKeptPeersAreSparedOneEach(t *testing.T) {
	tb := newTable(t, Limits{})
	first, second := newMallory(t, malloryPlayer), newMallory(t, malloryPlayer)
	tb.must(tb.victim.Keep(first.Address()))
	spared := func(m *mallory) bool {
		return tb.victim.host.ConnManager().IsProtected(m.host.ID(), protectTag+m.Address().Hex())
	}
	for _, m := range []*mallory{first, second} {
		m.enter(tb.victim)
		tb.await("it is spared", func() bool { return spared(m) })
	}
	if spared(first) {
		t.Error("the peer before is spared, too")
	}
}

// envoy is a handler whose node speaks for another account.
type envoy struct {
	transport.Handler
	deputy *protocol.SignedDeputy
}

func (e envoy) Deputy() *protocol.SignedDeputy                           { return e.deputy }
func (e envoy) Wallet(string, common.Address, common.Hash, []byte) error { return nil }

// A host proves the account that its key was appointed by, or its key's own.
func TestHostsProveTheirAccount(t *testing.T) {
	d := &protocol.SignedDeputy{}
	d.Player = common.Address{7}
	for want, h := range map[common.Address]transport.Handler{{7}: envoy{deputy: d}, address(1): envoy{}} {
		if got := (&Host{cfg: Config{Handler: h, Signer: player(1)}}).account(); got != want {
			t.Errorf("proves %s, want %s", got, want)
		}
	}
	if got := (&Host{cfg: Config{Signer: player(2)}}).account(); got != address(2) {
		t.Errorf("proves %s", got)
	}
}

// No challenge is drawn twice.
func TestChallengesDiffer(t *testing.T) {
	if one, two := newChallenge(), newChallenge(); one == two || one == (common.Hash{}) {
		t.Errorf("%s and %s", one, two)
	}
}

// What the local network tells of a kept account is learned, of others not; strangers are not
// dialled where there is no room.
func TestFindings(t *testing.T) {
	dialled := func(h *Host) int {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.accounts[address(1)].infos())
	}
	other := start(t, config(1, transporttest.NewRecorder(make(chan struct{}, 1))))
	info := peer.AddrInfo{ID: other.host.ID(), Addrs: other.host.Addrs()}
	for kept, want := range map[bool]int{true: 1, false: 0} {
		seen := transporttest.NewRecorder(make(chan struct{}, 1))
		h := start(t, config(0, seen))
		h.mu.Lock()
		h.cfg.Limits.Strangers = 0 // no room for anybody
		a := h.accounts.at(address(1))
		a.kept, a.last = kept, info.ID
		changed := a.changed
		h.mu.Unlock()
		finder{h, make(chan struct{}, 1)}.HandlePeerFound(info)
		if n := dialled(h); n != want {
			t.Errorf("kept %t: %d places are known", kept, n)
		}
		select {
		case <-changed:
			if !kept {
				t.Error("a change of one that isn't kept")
			}
		default:
			if kept {
				t.Error("nobody hears of it")
			}
		}
		if len(h.host.Network().Conns()) > 0 {
			t.Errorf("kept %t: it is dialled", kept)
		}
		h.mu.Lock()
		a.kept = false // it has no keeper to end
		h.mu.Unlock()
	}
}
