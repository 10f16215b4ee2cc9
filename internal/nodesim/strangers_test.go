package nodesim

import (
	"context"
	"crypto/ecdsa"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// flood has two strangers send the seat all that a node reads of strangers, for as long as the
// Arena gives for an answer.
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
				w.say(c.ID, message.Sync{Version: w.sent})
			}
		}
	}
}

func (w *stranger) say(channelID common.Hash, m message.Message) {
	_ = w.place.Send(w.victim.account(), message.Envelope(channelID, m))
}

// junk is a message of each kind that nobody asked it for. Signatures in them are forged, so that
// the chain alone could say more.
func (w *stranger) junk() []message.Message {
	s := w.victim
	var salt common.Hash
	binary.BigEndian.PutUint64(salt[:], w.sent)
	forged := slices.Concat(salt[:], make([]byte, 33))
	amount := *uint256.NewInt(1e17)
	terms := protocol.Terms{
		Players: []common.Address{w.account(), s.account()}, Signers: []common.Address{{1}, {2}}, Deposits: []uint256.Int{amount, amount},
		Window: window, OpenBy: s.world.head() + window, Salt: salt,
	}
	deputy := &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: w.account(), Key: w.account(), Expiry: 1 << 40}, Signature: forged}
	invite := matchmaking.SignedInvite{Deputy: deputy, Signature: [65]byte(forged), Invite: matchmaking.Invite{
		Player: w.account(), Rules: s.rules["toy"], Least: amount, Most: amount, Window: window,
		Expiry: uint64(s.now().Unix()) + 1000, Salt: salt, Guests: []common.Address{s.account()}, //nolint:gosec // a time after 1970
	}}
	return []message.Message{
		message.OpenOffer{Terms: terms}, message.OpenReply{OfferID: salt, Terms: terms, Signatures: [][]byte{nil, forged}},
		message.PostInvite{Invite: invite}, message.InvitePage{Query: w.sent, Invites: []matchmaking.SignedInvite{invite}},
		message.ListInvites{Query: w.sent}, message.Bid{InviteID: salt, Number: 1, Stake: amount}, message.EndBids{InviteID: salt},
		message.RoundQuery{}, message.RoundJoin{RoundID: salt, Entry: matchmaking.Registration{Player: w.account(), Stake: amount, Deputy: deputy}},
		message.TowerAsk{Show: true},
	}
}
