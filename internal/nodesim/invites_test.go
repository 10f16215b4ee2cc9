package nodesim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// setInvites has players meet by invites alone: their nodes ask before they open a channel or play
// a match, and the users never say yes. Each invites the others once or twice, and joins some of
// theirs.
func setInvites(h *history) error {
	for _, s := range h.seats {
		s.asks, s.plan = true, plan{game: "toy", leave: soon + window}
		for _, o := range h.seats {
			if o != s {
				s.peers = append(s.peers, o)
			}
		}
	}
	for _, s := range h.seats {
		r := chance(h.Seed, fmt.Sprint("plan ", s.index))
		for range 1 + r.IntN(2) {
			stake := *uint256.NewInt(1e17 + r.Uint64N(1e17)) // tells the agreements apart
			s.at(2+r.Uint64N(soon/2), func() { s.invite(stake) })
		}
		for range 1 + r.IntN(3) {
			from := s.peers[r.IntN(len(s.peers))]
			s.at(3+r.Uint64N(soon), func() { s.joinOne(from, r) })
		}
	}
	return nil
}

// halfEther is what each deposits in a channel for an invite.
var halfEther = uint256.NewInt(5e17)

// agreed notes that the user is willing to play one match for a stake, and so to deposit in one
// channel for it.
func (s *seat) agreed(stake uint256.Int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agreements[stake]++
}

// invite shows an invite to the others. What fails half-way may stand nevertheless, so it counts.
func (s *seat) invite(stake uint256.Int) {
	n := s.running()
	if n == nil {
		return
	}
	r := node.InviteRequest{Game: s.plan.game, Least: stake, Deposit: *halfEther, Window: window, Life: time.Hour}
	for _, o := range s.peers {
		r.Guests = append(r.Guests, o.account())
	}
	s.agreed(stake)
	ctx, cancel := context.WithTimeout(context.Background(), blockTime)
	defer cancel()
	id, err := n.Invite(ctx, r)
	s.note("seat %d invites for %s: %x", s.index, stake.Dec(), id[:4])
	s.try("invite", err)
}

// openInvites are the invites of another seat that it may still join, as its user passed them on.
func (s *seat) openInvites(from *seat) []node.Invite {
	host := from.running()
	if host == nil {
		return nil
	}
	list, err := host.Invites()
	if err != nil {
		return nil
	}
	list = slices.DeleteFunc(list, func(i node.Invite) bool { return !i.Mine || i.State != node.InviteOpen })
	slices.SortFunc(list, func(a, b node.Invite) int { return a.Least.Cmp(&b.Least) })
	return list
}

// joinOne joins any invite of another seat.
func (s *seat) joinOne(from *seat, r *rand.Rand) {
	n, list := s.running(), s.openInvites(from)
	if n == nil || len(list) == 0 {
		return
	}
	i := list[r.IntN(len(list))]
	s.agreed(i.Least)
	ctx, cancel := context.WithTimeout(context.Background(), blockTime)
	defer cancel()
	_, err := n.Join(ctx, i.SignedInvite, &i.Least)
	s.note("seat %d joins invite %x", s.index, i.ID[:4])
	s.try("join", err)
}

// useInvites closes channels when the users have had enough.
func useInvites(ctx context.Context, s *seat, n *node.Node, blocks uint64) {
	if blocks < s.plan.leave {
		return
	}
	s.playAll(ctx, n, blocks, false)
}

// askAgain has a seat propose the matches of the others' invites over and over, before it joins one
// and after.
func askAgain(ctx context.Context, s *seat, r *rand.Rand) {
	for range 6 {
		s.at(4+r.Uint64N(soon+window/2), func() {
			n, from := s.running(), s.peers[r.IntN(len(s.peers))]
			if n == nil {
				return
			}
			_, err := n.Offer(ctx, node.OpenRequest{
				Peers: []common.Address{from.account()}, Deposits: []uint256.Int{*halfEther, *halfEther}, Window: window,
			})
			s.try("offer another channel", err)
			for _, i := range s.openInvites(from) {
				s.proposeAll(n, i.Least, 1+r.IntN(4))
			}
			s.joinOne(from, r)
		})
	}
}

// proposeAll proposes so many matches for a stake in each channel.
func (s *seat) proposeAll(n *node.Node, stake uint256.Int, times int) {
	for _, c := range n.Channels() {
		for range times {
			if c.Status == node.ChannelOpen {
				s.try("ask again", n.Propose(c.ID, node.MatchRequest{Game: s.plan.game, Stakes: []uint256.Int{stake}}))
			}
		}
	}
}

// judgeInvites checks that no honest seat's money was locked in a match, or in a channel, that its
// user did not agree to.
func judgeInvites(h *history) {
	for _, s := range h.seats {
		if !s.honest {
			continue
		}
		played, channels, agreed := map[uint256.Int]int{}, map[common.Hash]bool{}, 0
		for _, c := range s.claims {
			channels[c.in] = true
			if c.locked {
				played[c.terms.Stakes[c.seat]]++
			}
		}
		for stake, times := range played {
			if times > s.agreements[stake] {
				h.lose("seat %d plays %d matches for %s, and its user agreed to %d", s.index, times, stake.Dec(), s.agreements[stake])
			}
		}
		for _, times := range s.agreements {
			agreed += times
		}
		if len(channels) > agreed {
			h.lose("seat %d is in %d channels, and its user agreed to %d", s.index, len(channels), agreed)
		}
	}
}
