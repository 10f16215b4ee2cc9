package house_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// deaf hears no answer to its offers, so it never opens a channel.
type deaf struct{ transport.Handler }

func (d deaf) Receive(from common.Address, env *antev1.Envelope) {
	if _, m, err := message.FromEnvelope(env); err == nil {
		if _, reply := m.(message.OpenReply); reply {
			return
		}
	}
	d.Handler.Receive(from, env)
}

// mallory is a stranger to a house who opens no channel that it asks for.
func mallory(t *testing.T, w *dev.World, h *node.Node, account int) *node.Node {
	t.Helper()
	c, err := w.Config(account)
	must(t, err)
	join := c.Network
	c.Network = func(d protocol.Domain, hd transport.Handler) (node.Network, error) { return join(d, deaf{hd}) }
	n, err := node.Start(t.Context(), c)
	must(t, err)
	t.Cleanup(func() { must(t, n.Close()) })
	must(t, dev.Connect(t.Context(), n, h))
	return n
}

// answers are how a house has answered the offers of a player so far.
func answers(h *node.Node, player common.Address) (accepted []node.Offer, declined []string, err error) {
	list, err := h.Offers()
	for _, o := range list {
		switch {
		case o.Terms.Players[0] != player:
		case o.State == node.OfferAccepted:
			accepted = append(accepted, o)
		case o.State == node.OfferDeclined:
			declined = append(declined, o.Reason)
		}
	}
	return accepted, declined, err
}

// A stranger asks a house for one channel after the other and opens none: it holds few places, for
// a short time, and others play.
func TestAttack_FrozenHouse(t *testing.T) {
	var later atomic.Int64 // so that what a stranger may make the house look up is there again
	w, h, _, players := openWith(t, 1, policy, func() time.Time { return time.Now().Add(time.Duration(later.Load())) })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m := mallory(t, w, h, 7)
	must(t, dev.Deposit(ctx, m, uint256.NewInt(1e17)))
	far := request(h, 1e17, 4e17)
	far.OpenBy = h.Head().Clock + 100
	requests := []node.OpenRequest{far}
	for range 4 {
		requests = append(requests, request(h, 1e17, 4e17))
	}
	for i, r := range requests {
		later.Add(int64(2 * time.Minute))
		_, err := m.Offer(ctx, r)
		must(t, err)
		must(t, h.Wait(ctx, func() (bool, error) {
			accepted, declined, err := answers(h, m.Account())
			return len(accepted)+len(declined) > i, err
		}))
	}
	accepted, reasons, err := answers(h, m.Account())
	must(t, err)
	if len(accepted) > 2 || !slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(r, "could be opened for") }) {
		t.Errorf("%d are accepted, the others declined because %q", len(accepted), reasons)
	}
	if slices.ContainsFunc(h.Network().Peers(), func(p transport.Peer) bool { return p.Account == m.Account() && p.Kept }) {
		t.Error("who has opened nothing is a kept peer")
	}
	must(t, evening(ctx, players[0], h, 1))

	later.Add(int64(2 * time.Minute))
	must(t, w.Chain.Mine(25))
	must(t, h.Wait(ctx, func() (bool, error) { return h.Head().Block >= w.Chain.Head(), nil }))
	_, err = m.Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) {
		accepted, _, err := answers(h, m.Account())
		return len(accepted) > 2, err
	}))
}

// behind is how two endpoints are reached, of which the one at localhost shows a chain that has no
// more blocks than this; 0: all.
type behind struct{ atomic.Uint64 }

func (b *behind) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Hostname() != "localhost" {
		return http.DefaultTransport.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if newest := b.Load(); newest != 0 && bytes.Contains(body, []byte("eth_getBlockByNumber")) {
		body = bytes.Replace(body, []byte(`"latest"`), fmt.Appendf(nil, `"0x%x"`, newest), 1)
	}
	r = r.Clone(r.Context())
	r.URL.Host = "127.0.0.1:" + r.URL.Port()
	r.Host, r.Body, r.ContentLength = r.URL.Host, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return http.DefaultTransport.RoundTrip(r)
}

// What a house has promised counts until both of its endpoints say that it is too late: one that
// invents blocks would have it lend the same money again and again.
func TestAttack_LyingRPC_House(t *testing.T) {
	second := new(behind)
	w, h, _, players := openAs(t, 1, strings.Replace(policy, `"2eth"`, `"0.4eth"`, 1), func(c *node.Config) {
		c.Chain.Second, c.Chain.Transport = strings.Replace(c.Chain.URL, "127.0.0.1", "localhost", 1), second
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m := mallory(t, w, h, 7)
	_, err := m.Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	var held []node.Offer
	must(t, h.Wait(ctx, func() (bool, error) { held, _, err = answers(h, m.Account()); return len(held) > 0, err }))
	openBy := held[0].Terms.OpenBy
	second.Store(w.Chain.Head())
	must(t, w.Chain.Mine(int(openBy-w.Chain.Head())+1))
	must(t, h.Wait(ctx, func() (bool, error) { return h.Head().Clock > openBy, nil }))
	id, err := players[0].Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	var offered node.Offer
	must(t, h.Wait(ctx, func() (bool, error) {
		list, err := h.Offers()
		if i := slices.IndexFunc(list, func(o node.Offer) bool { return o.ID == id && o.State != node.OfferOpen }); i >= 0 {
			offered = list[i]
		}
		return offered.ID == id, err
	}))
	if !strings.Contains(offered.Reason, "risks at most") {
		t.Fatalf("it is %s: %q", offered.State, offered.Reason)
	}
	second.Store(0)
	must(t, w.Chain.Mine(1))
	must(t, h.Wait(ctx, func() (bool, error) { return h.Head().Sure > openBy, nil }))
	offer, err := players[0].Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	_, err = players[0].Opened(ctx, offer)
	must(t, err)
}

// Nobody holds a place whose money is not there.
func TestAttack_FrozenHouse_Penniless(t *testing.T) {
	w, h, _, _ := open(t, 0)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m := mallory(t, w, h, 7)
	more, err := m.WalletBalance(ctx)
	must(t, err)
	more.AddUint64(more, 1)
	terms := protocol.Terms{Players: []common.Address{m.Account(), h.Account()}, Signers: []common.Address{{1}, {}},
		Deposits: []uint256.Int{*more, *uint256.NewInt(4e17)}, Window: 20, OpenBy: h.Head().Clock + 20}
	must(t, m.Network().Send(h.Account(), message.Envelope(common.Hash{}, message.OpenOffer{Terms: terms})))
	must(t, h.Wait(ctx, func() (bool, error) {
		accepted, declined, err := answers(h, m.Account())
		if len(accepted) > 0 {
			t.Fatal("the offer is accepted")
		}
		if len(declined) > 0 && !strings.Contains(declined[0], "has to deposit") {
			t.Errorf("declined because %q", declined[0])
		}
		return len(declined) > 0, err
	}))
}

// A house goes through the offers that waited until it saw the chain, while one of them comes again
// and is accepted. It does not take that back: what it has signed for counts, and can still be
// opened.
func TestAttack_FrozenHouse_Twice(t *testing.T) {
	w, h, _, _ := openAs(t, 0, strings.Replace(policy, `"2eth"`, `"0.4eth"`, 1), func(c *node.Config) {
		accept := c.Policy.Accept
		c.Policy.Accept = func(o node.Offer) bool {
			if accept(o) {
				return true
			}
			return accept(o)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m := mallory(t, w, h, 7)
	_, err := m.Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) { accepted, _, err := answers(h, m.Account()); return len(accepted) > 0, err }))
	must(t, dev.Deposit(ctx, m, uint256.NewInt(1e17)))
	_, err = m.Offer(ctx, request(h, 1e17, 4e17)) // is looked at after the first
	must(t, err)
	must(t, h.Wait(ctx, func() (bool, error) {
		accepted, declined, err := answers(h, m.Account())
		return len(accepted)+len(declined) > 1, err
	}))
	accepted, _, err := answers(h, m.Account())
	must(t, err)
	if accepted[0].TakenBack() {
		t.Errorf("it takes back what it has signed: %s", accepted[0].Reason)
	}
}

// The operator takes an acceptance back whose channel is not there: its place and its money are
// free again.
func TestHouse_TakesBack(t *testing.T) {
	w, h, _, players := openWith(t, 1, strings.Replace(policy, `"2eth"`, `"0.4eth"`, 1), time.Now)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m := mallory(t, w, h, 7)
	_, err := m.Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	var held []node.Offer
	must(t, h.Wait(ctx, func() (bool, error) { held, _, err = answers(h, m.Account()); return len(held) > 0, err }))
	if why := declined(t, players[0], request(h, 1e17, 4e17)); !strings.Contains(why, "risks at most") {
		t.Fatalf("declined because %q", why)
	}
	must(t, h.Decline(held[0].ID, "you did not come"))
	offer, err := players[0].Offer(ctx, request(h, 1e17, 4e17))
	must(t, err)
	_, err = players[0].Opened(ctx, offer)
	must(t, err)
	if err := h.Decline(held[0].ID, "again"); err == nil {
		t.Error("it is taken back twice")
	}
}
