package nodesim

import (
	"context"
	"math/rand/v2"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// scene is what the users of a history do.
type scene struct {
	name        string
	weight      int // how often it is drawn
	least, most int // seats
	loyal       int // so many of the first seats never cheat
	ploys       []way
	set         func(h *history) error // says who knows whom, and what the nodes may do alone
	use         func(ctx context.Context, s *seat, n *node.Node, blocks uint64)
	judge       func(h *history) // what must hold besides
}

func scenes() []*scene {
	return []*scene{
		{name: "channel", weight: 4, least: 2, most: 2, set: setChannel, use: useChannel, judge: func(*history) {}},
		{
			name: "house", weight: 1, least: 2, most: 3, loyal: 1, ploys: []way{{"free roller", freeRoll}},
			set: setHouse, use: useHouse, judge: judgeHouse,
		},
		{
			name: "invites", weight: 1, least: 2, most: 3, ploys: []way{{"asking again", askAgain}},
			set: setInvites, use: useInvites, judge: judgeInvites,
		},
	}
}

func sceneOf(name string) *scene {
	for _, s := range scenes() {
		if s.name == name {
			return s
		}
	}
	return nil
}

func drawScene(r *rand.Rand) *scene {
	var all []*scene
	for _, s := range scenes() {
		for range s.weight {
			all = append(all, s)
		}
	}
	return all[r.IntN(len(all))]
}

// plan is what a seat's user wants to play.
type plan struct {
	game    string
	params  string
	matches int
	stakes  []uint256.Int // by seat; one: of each
	leave   uint64        // blocks after which the user wants to leave
}

// small are the parameters of mastermind with which it takes a dozen moves.
const small = `{"pegs":2,"colours":3,"rounds":2,"guesses":3}`

// setChannel has two players meet who open a channel, and play one to six matches.
func setChannel(h *history) error {
	r := chance(h.Seed, "plan")
	p := plan{game: "toy", matches: 1 + r.IntN(6), leave: soon}
	if r.IntN(2) == 0 {
		p.game, p.params = "mastermind", small
	}
	p.stakes = []uint256.Int{*uint256.NewInt(1e17 + r.Uint64N(1e17))}
	for i, s := range h.seats {
		s.plan, s.peers = p, []*seat{h.seats[1-i]}
	}
	return nil
}

// useChannel is what a player of two does at a block.
func useChannel(ctx context.Context, s *seat, n *node.Node, blocks uint64) {
	if s.index == 0 && len(n.Channels()) == 0 && s.offer == (common.Hash{}) {
		s.propose(ctx, n, *uint256.NewInt(1e18), 4*window)
	}
	s.playAll(ctx, n, blocks, s.index == 0)
}

// propose offers a channel to the seat's first peer in which the two deposit as much.
func (s *seat) propose(ctx context.Context, n *node.Node, deposits uint256.Int, openBy uint64) {
	offer, err := n.Offer(ctx, node.OpenRequest{
		Peers: []common.Address{s.peers[0].account()}, Deposits: []uint256.Int{deposits, deposits},
		Window: window, OpenBy: s.world.head() + openBy,
	})
	if err == nil {
		s.offer = offer
	}
	s.try("offer a channel", err)
}

// playAll plays on in all channels of the seat, and leaves them when all is played or it is time.
func (s *seat) playAll(ctx context.Context, n *node.Node, blocks uint64, asks bool) {
	list := n.Channels()
	for i := range list {
		switch c := &list[i]; c.Status {
		case node.ChannelOpen:
			s.playOn(ctx, n, c, blocks, asks)
		case node.ChannelClosing:
			if blocks > s.plan.leave+2*window {
				s.try("leave", n.Exit(ctx, c.ID))
			}
		}
	}
}
