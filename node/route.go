package node

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// handler takes what arrives from the network. Calls for one account come one after the other.
type handler struct{ node *Node }

// wait lets nothing through before the node is composed, and reports whether it ever is.
func (h handler) wait() bool {
	select {
	case <-h.node.ready:
		return true
	case <-h.node.run.Done():
		return false
	}
}

// Befriended implements transport.Befriender: who has an open channel with the player, or answers
// for it, is dialled again however many others are gone.
func (h handler) Befriended(account common.Address) bool {
	return h.node.friend(account) || slices.Contains(h.node.channels.towers.all(), account)
}

// Receive routes a message to the session of its channel. A peer speaks only for the seat whose
// player it proved to be.
func (h handler) Receive(from common.Address, env *antev1.Envelope) {
	if !h.wait() {
		return
	}
	if err := h.route(from, env); err != nil {
		level := slog.LevelWarn
		if errors.Is(err, channel.ErrNotOpen) || !h.node.allows(h.node.budgets.log, from) { // who saw the opening first sends again
			level = slog.LevelDebug
		}
		h.node.config.Log.Log(h.node.run, level, "message refused", "peer", from, "error", err)
	}
}

func (h handler) route(from common.Address, env *antev1.Envelope) error {
	id, m, err := message.FromEnvelope(env)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case message.OpenOffer:
		return h.node.receiveOffer(h.node.run, from, m)
	case message.OpenReply:
		return h.node.receiveReply(h.node.run, from, m)
	case message.PostInvite:
		return h.node.receivePost(from, m)
	case message.WithdrawInvite:
		h.node.board.Withdraw(from, m.InviteID)
		return nil
	case message.RefuseInvite:
		return h.node.receiveRefusal(from, m)
	case message.ListInvites:
		return h.node.receiveQuery(from, m)
	case message.InvitePage:
		return h.node.receivePage(from, m)
	case message.Bid:
		return h.node.receiveBid(from, m)
	case message.EndBids:
		return h.node.receiveEnd(from, m)
	case message.Nickname:
		return h.node.receiveNickname(from, m)
	case message.RoundQuery:
		return h.node.receiveRoundQuery(from)
	case message.RoundEnd:
		h.node.receiveRoundEnd(from)
		return nil
	case message.RoundJoin:
		return h.node.receiveJoin(from, m)
	case message.RoundNotice:
		return h.node.receiveNotice(from, m)
	}
	s, err := h.node.session(id)
	if errors.Is(err, ErrEnded) {
		return h.node.late(from, id, m)
	}
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case message.TowerReceipt:
		return s.receiveReceipt(from, m)
	case message.TowerEvidence:
		return s.receiveShown(from, m)
	}
	seat, err := s.seatOf(from)
	if err != nil {
		return err
	}
	if m, ok := m.(message.ResultSignature); ok {
		if err := h.node.charge(h.node.budgets.signatures, from, 1); err != nil {
			return err
		}
		return s.takeResult(seat, m)
	}
	switch m.(type) {
	case message.Note, message.AgreementSignature:
		// a seat may say as many of them about a position as it likes
		if err := h.node.charge(h.node.budgets.stored, from, 1+(proto.Size(env)+1023)/1024); err != nil {
			return err
		}
	}
	return s.step(channel.Received{From: seat, Message: m})
}

// Connected repeats to an account what it may have missed.
func (h handler) Connected(account common.Address) {
	if !h.wait() {
		return
	}
	h.node.presence.connected(account)
	h.node.board.Return(account)
	h.node.sayNickname(account)
	h.node.askTower(account)
	repeated := func(what string, err error) {
		if err != nil {
			h.node.config.Log.Warn(what+" not repeated", "peer", account, "error", err)
		}
	}
	// bids first: what follows from them is expected then
	repeated("invites", errors.Join(h.node.resendBids(account), h.node.postAll(account)))
	repeated("offers", h.node.resendOffers(account))
	repeated("rounds", h.node.resendRounds(account))
	shared := false
	for _, s := range h.node.allSessions() {
		seat, err := s.seatOf(account)
		if err != nil {
			continue
		}
		shared = true
		if err := s.step(channel.Connected{Seat: seat}); err != nil && !errors.Is(err, ErrEnded) { // it may have ended since
			h.node.config.Log.Warn("not synced", "peer", account, "channel", s.id, "error", err)
		}
	}
	repeated("results", h.node.askResults(account))
	if shared {
		h.node.rememberPeer(account)
	}
}

// Disconnected notes that an account is away. What was not delivered is repeated when it connects
// again.
func (h handler) Disconnected(account common.Address, _ error) {
	if !h.wait() {
		return
	}
	h.node.presence.disconnected(account, h.node.config.Now(), h.node.friend(account))
	h.node.log.wake()
	h.node.board.Leave(account)
}
