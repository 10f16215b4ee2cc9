package node_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// gate keeps the bids that nodes send while it is shut.
type gate struct {
	mu   sync.Mutex
	shut bool
	kept []func() error
}

func (g *gate) guard(_ int, c *node.Config) {
	c.Policy.AnyStake = true
	dev.Wrap(c, func(net node.Network) node.Network { return gated{net, g} })
}

type gated struct {
	node.Network
	*gate
}

func (g gated) Send(to common.Address, env *antev1.Envelope) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut && env.GetBid() != nil {
		g.kept = append(g.kept, func() error { return g.Network.Send(to, env) })
		return nil
	}
	return g.Network.Send(to, env)
}

// cross has what is said meanwhile arrive when all of it is said.
func (g *gate) cross(t *testing.T, say func()) {
	t.Helper()
	g.mu.Lock()
	g.shut = true
	g.mu.Unlock()
	say()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = false
	for _, send := range g.kept {
		must(t, send())
	}
	g.kept = nil
}

// haggle is a negotiation about an invite of alice's for 100 to 200, in which bob bids 50.
type haggle struct {
	*meeting
	gate       gate
	alice, bob *player
	id         common.Hash
}

func newHaggle(t *testing.T) *haggle {
	t.Helper()
	h := new(haggle)
	h.meeting = meet(t, 2, h.gate.guard)
	h.alice, h.bob = h.players[0], h.players[1]
	h.begin(t)
	return h
}

func (h *haggle) begin(t *testing.T) {
	t.Helper()
	r := duel(uint256.NewInt(100))
	r.Most, r.Deposit = *uint256.NewInt(200), *uint256.NewInt(1000)
	var err error
	h.id, err = h.alice.Invite(h.ctx, r)
	must(t, err)
	_, err = h.bob.Join(h.ctx, h.find(t, h.bob, 1)[0], uint256.NewInt(50))
	must(t, err)
	h.said(t, h.alice, "b50")
}

// bids has one of the two bid.
func (h *haggle) bids(t *testing.T, p *player, stake uint64, agrees uint32) {
	t.Helper()
	other := h.alice
	if p == h.alice {
		other = h.bob
	}
	must(t, p.Bid(h.ctx, h.id, other.Account(), uint256.NewInt(stake), agrees))
}

// said waits until one of the two knows such bids, in any order: a for alice's, b for bob's, and !
// if it agrees to one.
func (h *haggle) said(t *testing.T, p *player, want string) {
	t.Helper()
	words := strings.Fields(want)
	slices.Sort(words)
	h.wait(t, p, func() bool {
		list := h.state(t, p, h.id, node.InviteOpen).Negotiations
		if len(list) == 0 {
			return false
		}
		var got []string
		for _, x := range list[0].Bids {
			word := "a" + x.Stake.Dec()
			if x.By == h.bob.Account() {
				word = "b" + x.Stake.Dec()
			}
			if x.Agrees != 0 {
				word += "!"
			}
			got = append(got, word)
		}
		slices.Sort(got)
		return slices.Equal(got, words)
	})
}

// play waits until both play for a stake.
func (h *haggle) play(t *testing.T, stake uint64) {
	t.Helper()
	for _, p := range h.players {
		if i := h.state(t, p, h.id, node.InvitePlayed); !i.Stake.Eq(uint256.NewInt(stake)) {
			t.Errorf("they play for %s", i.Stake.Dec())
		}
	}
}

// told waits until a player is told of a bid in such words.
func (h *haggle) told(t *testing.T, p *player, words string) {
	t.Helper()
	for e, err := range p.Events(h.ctx, 0) {
		must(t, err)
		if e.Kind == node.InviteBid && strings.Contains(e.Text, words) {
			return
		}
	}
}

// TestBidsCross: what two say at once, over real connections, leaves them either without an
// agreement, of which both know, or with the same.
func TestBidsCross(t *testing.T) {
	t.Parallel()
	h := newHaggle(t)

	// Bob replaces the bid to which alice agrees.
	h.gate.cross(t, func() { h.bids(t, h.alice, 50, 1); h.bids(t, h.bob, 60, 0) })
	for _, p := range h.players {
		h.said(t, p, "b50 a50! b60")
	}
	h.told(t, h.alice, "60 wei each for toy, in place of the 50 wei that you agreed to")
	h.told(t, h.bob, "50 wei each for toy, and agreed to a bid of yours that you have replaced")
	h.bids(t, h.alice, 60, 2)
	h.play(t, 60)

	// Alice replaces the bid to which bob agrees.
	h.begin(t)
	h.bids(t, h.alice, 90, 0)
	h.said(t, h.bob, "b50 a90")
	h.gate.cross(t, func() { h.bids(t, h.alice, 80, 0); h.bids(t, h.bob, 90, 1) })
	for _, p := range h.players {
		h.said(t, p, "b50 a90 a80 b90!")
	}
	h.bids(t, h.bob, 80, 2)
	h.play(t, 80)

	// Each agrees to the other's bid, and so replaces its own.
	h.begin(t)
	h.bids(t, h.alice, 90, 0)
	h.said(t, h.bob, "b50 a90")
	h.gate.cross(t, func() { h.bids(t, h.alice, 50, 1); h.bids(t, h.bob, 90, 1) })
	for _, p := range h.players {
		h.said(t, p, "b50 a90 a50! b90!")
	}
	h.bids(t, h.bob, 70, 0)
	h.said(t, h.alice, "b50 a90 a50! b90! b70")
	h.bids(t, h.alice, 70, 3)
	h.play(t, 70)

	// Both bid the same.
	h.begin(t)
	h.gate.cross(t, func() { h.bids(t, h.alice, 75, 0); h.bids(t, h.bob, 75, 0) })
	h.play(t, 75)
}

// TestAttack_ReplacedBid: a peer's node that agrees to a bid after it was replaced, and goes on as
// if it had been in time, gets neither a channel nor a match for it; nor does one that claims an
// agreement for another stake.
func TestAttack_ReplacedBid(t *testing.T) {
	t.Parallel()
	h := newHaggle(t)
	mallory := join(t, secretive)
	must(t, dev.Connect(h.ctx, mallory.Node, h.alice.Node))
	says := func(to *player, m message.Bid) {
		m.InviteID = h.id
		must(t, mallory.Network().Send(to.Account(), message.Envelope(common.Hash{}, m)))
	}
	known := func(n int) {
		h.wait(t, h.alice, func() bool {
			i := h.state(t, h.alice, h.id, node.InviteOpen)
			return len(i.Negotiations) == 2 && len(i.Negotiations[1].Bids) == n
		})
	}
	says(h.alice, message.Bid{Number: 1, Stake: *uint256.NewInt(50)})
	known(1)
	must(t, h.alice.Bid(h.ctx, h.id, mallory.Account(), uint256.NewInt(90), 0))
	must(t, h.alice.Bid(h.ctx, h.id, mallory.Account(), uint256.NewInt(400), 0))
	says(h.alice, message.Bid{Number: 2, Stake: *uint256.NewInt(90), Agrees: 1}) // in the older bid's words
	says(h.alice, message.Bid{Number: 3, Stake: *uint256.NewInt(90), Agrees: 2}) // in the newer's, for the older stake
	known(5)
	offer, err := mallory.Offer(h.ctx, node.OpenRequest{Peers: []common.Address{h.alice.Account()}, Deposits: []uint256.Int{*uint256.NewInt(1000), *uint256.NewInt(1000)}, Window: 20})
	must(t, err)
	var got node.Offer
	h.wait(t, h.alice, func() bool {
		list, err := h.alice.Offers()
		must(t, err)
		at := slices.IndexFunc(list, func(o node.Offer) bool { return o.ID == offer })
		if at >= 0 {
			got = list[at]
		}
		return at >= 0
	})
	if got.State != node.OfferOpen {
		t.Errorf("the channel of no agreement is %s", got.State)
	}
	h.bids(t, h.alice, 50, 1) // bob, all the while, is not disturbed
	h.play(t, 50)
}

// TestAttack_ForgedClose: an inviting player's node that says that the stake is fixed, where it is
// not or at another, is not believed.
func TestAttack_ForgedClose(t *testing.T) {
	t.Parallel()
	h := newHaggle(t)
	says := func(m message.Bid) {
		m.InviteID = h.id
		must(t, h.alice.Network().Send(h.bob.Account(), message.Envelope(common.Hash{}, m)))
	}
	h.bids(t, h.bob, 60, 0)
	h.said(t, h.alice, "b50 b60")
	says(message.Bid{Number: 1, Stake: *uint256.NewInt(50), Agrees: 1}) // to what bob replaced
	h.said(t, h.bob, "b50 b60 a50!")
	says(message.Bid{Number: 2, Stake: *uint256.NewInt(90), Agrees: 2}) // for another stake
	h.said(t, h.bob, "b50 b60 a50! a90!")
	h.bids(t, h.bob, 90, 2)
	says(message.Bid{Number: 3, Stake: *uint256.NewInt(190), Agrees: 3}) // to what bob agreed to, for another stake
	h.said(t, h.bob, "b50 b60 a50! a90! b90! a190!")
}
