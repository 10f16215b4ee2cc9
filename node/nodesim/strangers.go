package nodesim

import (
	"context"
	"crypto/ecdsa"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// flood has two strangers send the seat all that a node reads of strangers, for as long as the Arena gives for an answer.
func flood(ctx context.Context, s *seat, r *rand.Rand) {
	from := 1 + r.Uint64N(soon)
	for i := range 2 {
		who := &stranger{key: keyOf(300 + uint64(10*s.index+i)), victim: s} //nolint:gosec // small
		s.at(from, func() { who.come(ctx) })
		for block := from + 1; block < from+leastTime+2; block++ {
			s.at(block, who.burst)
		}
	}
}

// stranger is an account without money, which floods a seat. It hears nothing.
type stranger struct {
	key    *ecdsa.PrivateKey
	victim *seat
	place  node.Network
	sent   uint64
}

func (w *stranger) Connected(common.Address)                 {}
func (w *stranger) Receive(common.Address, *antev1.Envelope) {}
func (w *stranger) Disconnected(common.Address, error)       {}
func (w *stranger) account() common.Address                  { return crypto.PubkeyToAddress(w.key.PublicKey) }

// come connects the stranger to the seat.
func (w *stranger) come(ctx context.Context) {
	s := w.victim
	w.place = s.web.join(w.account(), w)
	if err := w.place.Keep(s.account(), "/memory/"+s.account().Hex()); err != nil {
		s.fail("a stranger doesn't come: %v", err)
	}
	context.AfterFunc(ctx, func() { _ = w.place.Close() }) // at the end of the history
	s.note("a stranger floods seat %d", s.index)
}

// burst sends some dozen messages at once. What the seat doesn't take is nobody's loss.
func (w *stranger) burst() {
	for range 4 {
		w.sent++
		for _, m := range w.junk() {
			w.say(common.Hash{}, m)
		}
		if n := w.victim.running(); n != nil {
			for _, c := range n.Channels() { // in which it has no seat
				w.say(c.ID, channel.Sync{Version: w.sent})
			}
		}
	}
}

func (w *stranger) say(channelID common.Hash, m channel.Message) {
	_ = w.place.Send(w.victim.account(), channel.Envelope(channelID, m))
}

// junk is a message of each kind that nobody asked it for. Signatures in them are forged, so that the chain alone could say more.
func (w *stranger) junk() []channel.Message {
	s := w.victim
	var salt common.Hash
	binary.BigEndian.PutUint64(salt[:], w.sent)
	forged := slices.Concat(salt[:], make([]byte, 33))
	amount := *uint256.NewInt(1e17)
	terms := channel.Terms{
		Players: []common.Address{w.account(), s.account()}, Signers: []common.Address{{1}, {2}}, Deposits: []uint256.Int{amount, amount},
		Window: window, OpenBy: s.world.head() + window, Salt: salt,
	}
	deputy := &channel.SignedDeputy{Deputy: channel.Deputy{Player: w.account(), Key: w.account(), Expiry: 1 << 40}, Signature: forged}
	invite := channel.SignedInvite{Deputy: deputy, Signature: [65]byte(forged), Invite: channel.Invite{
		Player: w.account(), Rules: s.rules["toy"], Least: amount, Most: amount, Window: window,
		Expiry: uint64(s.now().Unix()) + 1000, Salt: salt, Guests: []common.Address{s.account()}, //nolint:gosec // a time after 1970
	}}
	return []channel.Message{
		channel.OpenOffer{Terms: terms}, channel.OpenReply{OfferID: salt, Terms: terms, Signatures: [][]byte{nil, forged}},
		channel.PostInvite{Invite: invite}, channel.InvitePage{Query: w.sent, Invites: []channel.SignedInvite{invite}},
		channel.ListInvites{Query: w.sent}, channel.Bid{InviteID: salt, Round: 1, Stake: amount}, channel.EndBids{InviteID: salt},
		channel.RoundQuery{}, channel.RoundJoin{RoundID: salt, Entry: channel.Registration{Player: w.account(), Stake: amount, Deputy: deputy}},
		channel.TowerAsk{Show: true},
	}
}
