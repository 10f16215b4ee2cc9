package p2p

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// running is a session that goes on, over one that has ended.
func running(dialled bool) *session { return &session{dialled: dialled, ended: make(chan struct{})} }

func over(dialled bool) *session {
	s := running(dialled)
	close(s.ended)
	return s
}

// Of the accounts, those that are connected and not kept are counted, and their sessions that
// dialled us, and go on, hold places: those of friends, or of strangers.
func TestStrangersAreCounted(t *testing.T) {
	in, out, gone := running(false), running(true), over(false)
	h := &Host{cfg: Config{Handler: seats{friend: only(address(5))}}, accounts: accounts{}}
	friendly := running(false)
	for i, a := range []*account{
		{kept: true, sessions: []*session{running(false)}}, {kept: true}, {}, {sessions: []*session{in}}, {sessions: []*session{out, gone}},
		{sessions: []*session{friendly}},
	} {
		a.address = address(i)
		h.accounts[a.address] = a
	}
	if n := h.accounts.strangers(); n != 3 {
		t.Errorf("%d are not kept, want 3", n)
	}
	for friends, want := range map[bool]*session{false: in, true: friendly} {
		if held := h.guests(friends); len(held) != 1 || held[want] != struct{}{} {
			t.Errorf("friends %t: %d sessions hold places, want one", friends, len(held))
		}
	}
}

// An account is forgotten once it is neither kept nor connected, and only if it is the one that is
// known.
func TestAccountsAreForgotten(t *testing.T) {
	all := accounts{}
	for name, c := range map[string]struct {
		change func(*account)
		stays  bool
	}{
		"kept":      {func(a *account) { a.kept = true }, true},
		"connected": {func(a *account) { a.sessions = []*session{running(false)} }, true},
		"another":   {func(a *account) { all[a.address] = &account{} }, true},
		"neither":   {func(*account) {}, false},
	} {
		clear(all)
		a := all.at(address(1))
		c.change(a)
		all.drop(a)
		if stays := all[address(1)] != nil; stays != c.stays {
			t.Errorf("%s: it is known: %t", name, stays)
		}
	}
}

// Why an account isn't connected is what happened last, or that nobody knows where it is, or that
// it is still tried.
func TestReasons(t *testing.T) {
	for want, a := range map[string]*account{
		"closed":     {err: errors.New("closed"), locations: []location{{}}},
		"no address": {},
		"trying":     {locations: []location{{}}},
	} {
		if got := a.reason().Error(); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An account's addresses are remembered once each, the sixteen newest.
func TestAddressesAreBounded(t *testing.T) {
	at := func(i int) multiaddr.Multiaddr {
		return multiaddr.StringCast(fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", 4000+i))
	}
	a := &account{}
	a.learn(peer.AddrInfo{ID: "p", Addrs: []multiaddr.Multiaddr{at(0), at(1), at(0)}})
	a.learn(peer.AddrInfo{ID: "p", Addrs: []multiaddr.Multiaddr{at(1), at(2)}})
	if infos := a.infos(); len(infos) != 1 || len(infos[0].Addrs) != 3 {
		t.Errorf("%v", infos)
	}
	var many []multiaddr.Multiaddr
	for i := range maxAddresses {
		many = append(many, at(i))
	}
	a.learn(peer.AddrInfo{ID: "q", Addrs: many})
	if infos := a.infos(); len(infos) != 1 || infos[0].ID != "q" || len(infos[0].Addrs) != maxAddresses {
		t.Errorf("%v are remembered, want the %d newest", infos, maxAddresses)
	}
}

// A proof holds until it expires, and none may expire later than two lives from now.
func TestProofsExpire(t *testing.T) {
	const now, most = 1_000_000, uint64(2 * proofLife / time.Second)
	for expiry, want := range map[uint64]error{now: errExpired, now + 1: nil, now + most: nil, now + most + 1: errExpired} {
		binding := protocol.PeerBinding{PeerID: []byte("p"), Expiry: expiry}
		signature, err := player(1).Sign(binding.Digest(domain))
		must(t, err)
		account := address(1)
		proof := &antev1.HandshakeProof{Account: account[:], Expiry: expiry, Signature: signature[:]}
		if _, err := verify(proof, "p", binding.Challenge, protocol.Authority{Domain: domain, Now: now}); !errors.Is(err, want) {
			t.Errorf("expiry in %d seconds: %v", expiry-now, err)
		}
	}
}

// A ban lasts as long as it should, is forgotten afterwards, and the one that ends first makes room
// for one too many.
func TestBansEnd(t *testing.T) {
	tb := newTable(t, Limits{Ban: time.Hour})
	h := tb.victim
	now := time.Now()
	h.mu.Lock()
	h.banned["over"], h.banned["long"] = now.Add(-time.Hour), now.Add(time.Hour)
	if h.isBanned("over") || !h.isBanned("long") || h.isBanned("never") {
		t.Error("who is banned")
	}
	h.mu.Unlock()
	h.sweepAt(now.Add(time.Hour - 1))
	if len(h.banned) != 1 {
		t.Errorf("%d bans are remembered, want one", len(h.banned))
	}
	h.sweepAt(now.Add(time.Hour))
	if len(h.banned) != 0 {
		t.Error("a ban that is over is remembered")
	}
	for i := range maxBanned {
		h.banned[peer.ID(fmt.Sprint(i))] = now.Add(time.Duration(i%7+1) * time.Hour)
	}
	h.banned["first"] = now.Add(time.Minute)
	delete(h.banned, "0")
	h.ban("newest")
	if len(h.banned) != maxBanned || h.banned["first"] != (time.Time{}) || !h.isBanned("newest") {
		t.Errorf("%d bans are remembered, the first to end until %s", len(h.banned), h.banned["first"])
	}
}

// A session that is over, or whose host is closed, isn't begun.
func TestBeginRefuses(t *testing.T) {
	s := over(false)
	s.why = transport.ErrIdle
	if _, err := (&Host{}).begin(s); !errors.Is(err, transport.ErrIdle) {
		t.Errorf("one that is over: %v", err)
	}
	if _, err := (&Host{closed: true}).begin(running(false)); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("of a host that is closed: %v", err)
	}
}

// Pauses double up to the longest one, and differ from that by a quarter at most, as is drawn.
func TestPausesGrow(t *testing.T) {
	for drawn, want := range map[int]time.Duration{128: 8 * time.Second, 0: 6 * time.Second, 192: 9 * time.Second} {
		if got := varied(8*time.Second, drawn); got != want {
			t.Errorf("drawn %d: %s, want %s", drawn, got, want)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		h := &Host{cfg: Config{Limits: Limits{RetryMax: 10 * time.Second}}}
		waited := map[time.Duration]bool{}
		for range 20 {
			began, pause := time.Now(), 8*time.Second
			if !h.pause(t.Context(), nil, &pause) || pause != 10*time.Second {
				t.Errorf("%s next", pause)
			}
			wait := time.Since(began)
			if waited[wait] = true; wait < 6*time.Second || wait >= 10*time.Second {
				t.Errorf("%s in place of eight seconds", wait)
			}
		}
		if len(waited) == 1 {
			t.Error("all pauses are the same")
		}
		pause := 3 * time.Second
		h.pause(t.Context(), nil, &pause)
		if pause != 6*time.Second {
			t.Errorf("after three seconds %s", pause)
		}
	})
}

// Who sends above its rate, pauses until half its burst is back, and does so again, is never cut
// off; who doesn't pause is.
func TestPaceForgives(t *testing.T) {
	for pause, cut := range map[time.Duration]bool{time.Second: false, time.Second / 2: true} {
		for size, limits := range map[int]Limits{1: {MessagesPerSecond: 100}, wire.MaxMessage / 100: {BytesPerSecond: wire.MaxMessage}} {
			synctest.Test(t, func(t *testing.T) {
				limits.Flood = time.Second
				limits = limits.withDefaults()
				s := newSession(&limits, nil, false)
				var err error
				for range 20 {
					for range 150 {
						if err == nil {
							err = s.pace(size)
						}
					}
					time.Sleep(pause + time.Second/100)
				}
				if errors.Is(err, transport.ErrMisbehaved) != cut {
					t.Errorf("pauses of %s, messages of %d bytes: %v", pause, size, err)
				}
			})
		}
	}
}

// An account's share of what is read fits the largest message, whatever the limit.
func TestReadingFitsTheLargest(t *testing.T) {
	l := Limits{Reading: 1}.reading()
	for _, burst := range []int{l.Account.Burst, l.Group.Burst, l.Total.Burst, l.Friend.Burst} {
		if want := 1 + wire.MaxMessage/unit; burst != want {
			t.Errorf("a burst of %d, want %d", burst, want)
		}
	}
}

// Numbers are written with their thousands apart, sizes in the largest unit that they are whole in,
// times without what is zero.
func TestLimitsAreReadable(t *testing.T) {
	for got, want := range map[string]string{
		number(7): "7", number(123): "123", number(1234): "1,234", number(123456): "123,456", number(1234567): "1,234,567",
		size(5): "5 bytes", size(1 << 10): "1 KiB", size(1<<10 + 1): "1,025 bytes", size(3 << 20): "3 MiB", size(3<<20 + 1<<10): "3073 KiB",
		span(time.Minute): "1m", span(time.Hour): "1h", span(90 * time.Second): "1m30s", span(500 * time.Millisecond): "500ms",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Who has no identity has no name.
func TestNoIdentity(t *testing.T) {
	if id := (Identity{}); id.PeerID() != "" {
		t.Errorf("%q", id.PeerID())
	}
}

// The proof that an account gave last is shown for a while, and that of nobody never.
func TestRivalsAreRecent(t *testing.T) {
	recent, old := &antev1.Rival{Expiry: 1}, &antev1.Rival{Expiry: 2}
	h := &Host{accounts: accounts{
		address(1): {proof: recent, proved: time.Now()}, address(2): {proof: old, proved: time.Now().Add(-rivalFor - time.Minute)}, address(3): {},
	}}
	for i, want := range []*antev1.Rival{1: recent, 2: nil, 3: nil, 4: nil} {
		if got := h.rival(address(i)); got != want {
			t.Errorf("of account %d: %v", i, got)
		}
	}
}

// Peers are listed by account, with the addresses at which they are dialled.
func TestPeersAreSorted(t *testing.T) {
	h := &Host{accounts: accounts{}}
	for i := range 5 {
		h.accounts.at(address(i)).kept = i%2 == 0
	}
	list := h.Peers()
	if !slices.IsSortedFunc(list, func(x, y transport.Peer) int { return x.Account.Cmp(y.Account) }) || len(list) != 5 {
		t.Errorf("%v", list)
	}
}
