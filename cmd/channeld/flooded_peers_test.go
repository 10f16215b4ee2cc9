package main

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// honest is an opponent that plays match after match with a daemon and measures how long its
// answers take.
type honest struct {
	*flooded
	*node.Node
	channel common.Hash

	mu    sync.Mutex
	sent  time.Time // its last move; zero: it is answered
	took  []time.Duration
	again chan struct{} // closed, and made anew, with every answer
}

// honestDeposit is enough for a long run of bad luck.
var honestDeposit = new(uint256.Int).Mul(uint256.NewInt(deposit), uint256.NewInt(40))

func (f *flooded) newHonest(account int) *honest {
	f.Helper()
	h := &honest{flooded: f, again: make(chan struct{})}
	h.Node, _, h.channel = f.opponent(account, honestDeposit, func(c *node.Config) {
		c.Policy.Bot = true
		join := c.Network
		c.Network = func(d protocol.Domain, handler transport.Handler) (node.Network, error) {
			n, err := join(d, replies{handler, h})
			return moves{n, h}, err
		}
	})
	return h
}

// moves notes when a move is sent.
type moves struct {
	node.Network
	h *honest
}

func (m moves) Send(to common.Address, env *antev1.Envelope) error {
	if _, said, err := message.FromEnvelope(env); err == nil {
		if _, ok := said.(message.Move); ok {
			m.h.mu.Lock()
			m.h.sent = time.Now()
			m.h.mu.Unlock()
		}
	}
	return m.Network.Send(to, env)
}

// replies notes when the daemon's next move comes.
type replies struct {
	transport.Handler
	h *honest
}

func (r replies) Receive(from common.Address, env *antev1.Envelope) {
	if _, said, err := message.FromEnvelope(env); err == nil {
		if _, ok := said.(message.Move); ok {
			r.h.answered()
		}
	}
	r.Handler.Receive(from, env)
}

func (h *honest) answered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sent.IsZero() {
		return
	}
	h.took = append(h.took, time.Since(h.sent))
	h.sent = time.Time{}
	close(h.again)
	h.again = make(chan struct{})
}

// play plays in the background until the context ends.
func (h *honest) play(ctx context.Context) {
	h.games.Go(func() {
		for matches := 1; ; matches++ {
			err := h.Propose(h.channel, node.MatchRequest{Game: "mastermind", Params: []byte(params), Stakes: []uint256.Int{*uint256.NewInt(stakes)}})
			if err == nil {
				_, err = h.Finished(ctx, h.channel, matches)
			}
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				h.Errorf("the honest opponent's match %d: %v", matches, err)
				return
			}
		}
	})
}

// answers returns how long the answers took that came since the last call, and waits until there
// are at least so many.
func (h *honest) answers(ctx context.Context, least int) []time.Duration {
	for {
		h.mu.Lock()
		took, again := h.took, h.again
		if len(took) >= least {
			h.took = nil
		}
		h.mu.Unlock()
		if len(took) >= least {
			return took
		}
		select {
		case <-again:
		case <-ctx.Done():
			h.Fatal(ctx.Err())
		}
	}
}

// p90 returns the time in which nine of ten were done.
func p90(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)*9/10]
}

// deaf is a peer that takes no notice of anything.
type deaf struct{}

func (deaf) Connected(common.Address)                 {}
func (deaf) Receive(common.Address, *antev1.Envelope) {}
func (deaf) Disconnected(common.Address, error)       {}

// unlike is how many different messages a stranger has, made beforehand.
const unlike = 500

// flood has strangers send the daemon answers and pages that it didn't ask for, as many as they
// can, until stop is called.
func (f *flooded) flood(ctx context.Context, account int) (stop func()) {
	f.Helper()
	ctx, cancel := context.WithCancel(ctx)
	var strangers sync.WaitGroup
	for i := range floodStrangers {
		host, messages := f.stranger(f.world.Chain.Key(account + i))
		strangers.Go(func() {
			defer host.Close()
			for i := 0; ctx.Err() == nil; {
				err := host.Send(f.account, messages[i%unlike])
				switch {
				case err == nil:
					i++
					f.sent.Add(1)
				case errors.Is(err, transport.ErrQueueFull):
					time.Sleep(time.Millisecond)
				default: // it was thrown out
					if _, err := host.Dial(ctx, f.at); err != nil {
						time.Sleep(time.Millisecond)
					}
				}
			}
		})
	}
	return func() { cancel(); strangers.Wait() }
}

// stranger connects somebody to the daemon, and returns what it has to send.
func (f *flooded) stranger(secret *ecdsa.PrivateKey) (*p2p.Host, []*antev1.Envelope) {
	f.Helper()
	key, domain := protocol.NewKey(secret), f.honest.Domain()
	identity, err := p2p.IdentityFromSeed(crypto.Keccak256(crypto.FromECDSA(secret)))
	f.must(err)
	var messages []*antev1.Envelope
	for i := range unlike {
		messages = append(messages, message.Envelope(common.Hash{}, f.unasked(key, domain, i)))
	}
	host, err := p2p.New(p2p.Config{Identity: identity, Signer: key, Domain: domain, Handler: deaf{}})
	f.must(err)
	_, err = host.Dial(f.ctx, f.at)
	f.must(err)
	return host, messages
}

// unasked is the i-th message of a stranger: an answer to no offer, or invites whose signatures
// only the chain could judge.
func (f *flooded) unasked(key *protocol.Key, domain protocol.Domain, i int) message.Message {
	salt, amount := common.BigToHash(big.NewInt(int64(i))), *uint256.NewInt(stakes)
	forged := slices.Concat(salt.Bytes()[24:], key.Address().Bytes())
	if i%2 == 0 {
		return message.OpenReply{OfferID: salt, Signatures: [][]byte{nil, forged}, Terms: protocol.Terms{
			Players: []common.Address{f.account, key.Address()}, Signers: []common.Address{{1}, {2}}, Deposits: []uint256.Int{amount, amount},
			Window: floodWindow, OpenBy: 1 << 40, Salt: salt,
		}}
	}
	page := message.InvitePage{Query: uint64(i % 3)}
	for k := range byte(message.MaxPage) {
		player := common.Address{byte(i), byte(i >> 8), k, 9}
		invite := matchmaking.SignedInvite{
			Deputy: &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: player, Key: key.Address(), Expiry: 1 << 40}, Signature: forged},
			Invite: matchmaking.Invite{
				Player: player, Rules: f.world.Rules["mastermind"], Least: amount, Most: amount,
				Window: floodWindow, Expiry: uint64(time.Now().Add(time.Hour).Unix()), Salt: salt, //nolint:gosec // after 1970
			},
		}
		var err error
		invite.Signature, err = key.Sign(invite.ID(domain))
		f.must(err)
		page.Invites = append(page.Invites, invite)
	}
	return page
}
