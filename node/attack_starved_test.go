package node_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// behind has a node reach the chain by an endpoint of its own.
func behind(t testing.TB, c *node.Config) *chaintest.Endpoint {
	t.Helper()
	e, err := chaintest.NewEndpoint(c.Chain.URL)
	must(t, err)
	t.Cleanup(e.Close)
	c.Chain.URL = e.URL
	return e
}

// nuisance is somebody without a channel who sends whatever it likes, and hears whether all of that
// was read.
type nuisance struct {
	*player
	read chan struct{}
}

func (n *nuisance) hears(c *node.Config) {
	network := c.Network
	c.Network = func(d protocol.Domain, h transport.Handler) (node.Network, error) { return network(d, listener{h, n}) }
}

type listener struct {
	transport.Handler
	n *nuisance
}

func (l listener) Receive(from common.Address, env *antev1.Envelope) {
	if env.GetRoundEnd() != nil {
		l.n.read <- struct{}{}
	}
	l.Handler.Receive(from, env)
}

// bother joins somebody who is connected to a player and no more.
func bother(ctx context.Context, t testing.TB, victim *player) *nuisance {
	t.Helper()
	n := &nuisance{read: make(chan struct{}, 64)}
	n.player = join(t, n.hears)
	must(t, dev.Connect(ctx, n.Node, victim.Node))
	return n
}

// send sends one message, as soon as there is room for it.
func (n *nuisance) send(ctx context.Context, to *player, m message.Message) error {
	for {
		err := n.Network().Send(to.Account(), message.Envelope(common.Hash{}, m))
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Millisecond) // the queue is full
	}
}

// wait waits until all that was sent is read.
func (n *nuisance) wait(ctx context.Context, t testing.TB, by *player) {
	t.Helper()
	must(t, n.send(ctx, by, message.RoundQuery{}))
	select {
	case <-n.read:
	case <-ctx.Done():
		t.Fatal("not read")
	}
}

// junk is messages of somebody whom nobody asked for anything, each of which names a signature that
// only the chain could say more of.
func (n *nuisance) junk(victim *player, i int) []message.Message {
	salt := common.Hash{byte(i), byte(i >> 8), 7}
	forged := append([]byte{byte(i), byte(i >> 8)}, make([]byte, 64)...)
	terms := protocol.Terms{Players: []common.Address{victim.Account(), n.Account()}, Signers: []common.Address{{1}, {2}}, Deposits: []uint256.Int{*stake, *stake},
		Window: 20, OpenBy: 1 << 40, Salt: salt}
	entry := matchmaking.Registration{Player: n.Account(), Stake: *stake, Deputy: n.deputy(n.Account(), forged)}
	entry.Signature, _ = n.config.Player.Sign(entry.Digest(n.Domain(), salt))
	page := message.InvitePage{Query: uint64(i % 3)}
	for k := range message.MaxPage {
		page.Invites = append(page.Invites, n.invite(common.Address{byte(i), byte(i >> 8), byte(k), 9}, salt, forged, nil))
	}
	return []message.Message{
		message.OpenReply{OfferID: salt, Terms: terms, Signatures: [][]byte{nil, forged}},
		page,
		message.PostInvite{Invite: n.invite(n.Account(), salt, forged, []common.Address{victim.Account()})},
		message.RoundJoin{RoundID: salt, Entry: entry},
		message.Bid{InviteID: salt, Number: 1, Stake: *stake},
	}
}

// deputy is an appointment that nobody made.
func (n *nuisance) deputy(of common.Address, forged []byte) *protocol.SignedDeputy {
	return &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: of, Key: n.config.Player.Address(), Expiry: 1 << 40}, Signature: forged}
}

// invite is an invite in somebody's name.
func (n *nuisance) invite(of common.Address, salt common.Hash, forged []byte, guests []common.Address) matchmaking.SignedInvite {
	invite := matchmaking.SignedInvite{Deputy: n.deputy(of, forged), Invite: matchmaking.Invite{Player: of, Rules: n.config.Rules["toy"], Least: *stake, Most: *stake, Window: 20,
		Expiry: uint64(time.Now().Add(time.Hour).Unix()), Salt: salt, Guests: guests}}
	invite.Signature, _ = n.config.Player.Sign(invite.ID(n.Domain()))
	return invite
}

// questions is how often an endpoint was asked about an account.
func questions(e *chaintest.Endpoint) int {
	asked := e.Asked()
	return asked["eth_call"] + asked["eth_getCode"] + asked["eth_chainId"] + asked["eth_getBalance"]
}

// TestAttack_StarvedRPC_Unasked: what strangers send of what nobody asked them for is refused
// without a question to the chain, and what may be of use makes the node ask no more than the
// strangers' budget allows, however much it is.
func TestAttack_StarvedRPC_Unasked(t *testing.T) {
	t.Parallel()
	tb := emptyTable(t)
	var e *chaintest.Endpoint
	alice := join(t, func(c *node.Config) { e = behind(t, c); c.Lobby = true })
	// an invite may be a contract wallet's, whose account is looked at once
	for kind, most := range []int{0, 0, 1, 0, 0} {
		mallory := bother(tb.ctx, t, alice)
		mallory.wait(tb.ctx, t, alice)
		before := questions(e)
		for i := range 100 {
			must(t, mallory.send(tb.ctx, alice, mallory.junk(alice, i)[kind]))
		}
		mallory.wait(tb.ctx, t, alice)
		if asked := questions(e) - before; asked > most {
			t.Errorf("%T: the chain was asked %d times", mallory.junk(alice, 0)[kind], asked)
		}
	}
}

// TestAttack_StarvedRPC_StaleLedger: an endpoint allows 50 requests a second, strangers send all
// that they can, and an old ledger is posted. Blocks come whether or not the node keeps up. It is
// refuted, and all is paid.
func TestAttack_StarvedRPC_StaleLedger(t *testing.T) {
	t.Parallel()
	var e *chaintest.Endpoint
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			e = behind(t, c)
			c.Lobby = true
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	tb.won(t)
	want := tb.free(t, alice)
	must(t, bob.Close())

	flood, stop := context.WithCancel(tb.ctx)
	var floods sync.WaitGroup
	defer func() { stop(); floods.Wait() }()
	for range 3 {
		mallory := bother(tb.ctx, t, alice)
		floods.Go(func() {
			for i := 0; flood.Err() == nil; i++ {
				for _, m := range mallory.junk(alice, i) {
					_ = mallory.send(flood, alice, m)
				}
			}
		})
	}
	e.Limit(50)
	contestFirst(t, tb, bob)
	passes := time.NewTicker(400 * time.Millisecond) // of which a window has 20
	defer passes.Stop()
	floods.Go(func() {
		for {
			select {
			case <-flood.Done():
				return
			case <-passes.C:
				if world(t).Chain.Mine(1) != nil {
					return
				}
			}
		}
	})
	must(t, alice.Closed(tb.ctx, tb.channel))
	stop()
	floods.Wait()
	e.Limit(0)
	want.Add(want, ether)
	if got := tb.free(t, alice); !got.Eq(want.Add(want, stake)) {
		t.Errorf("alice has %s, want %s", got.Dec(), want.Dec())
	}
	bob.start(t)
}
