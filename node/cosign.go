package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Once a match is paid out, its seats sign its Result for the score board and send each other the
// signatures. The match determines the Result, so a message carries the signature alone. A lost
// signature is sent again when the peers connect. Without a seat's signature the board takes the
// result only if the Arena paid the match.

// standing returns how the match was for each of its seats: 1 won, 0 drawn, -1 lost.
func (r *Result) standing() []int {
	list := make([]int, len(r.Terms.Seats))
	for i := range list {
		switch {
		case r.Free != nil:
			list[i] = r.Free[i]
		case i < len(r.Payouts):
			list[i] = r.Payouts[i].Cmp(&r.Terms.Stakes[i])
		}
	}
	return list
}

// result returns what the seats sign.
func (r *Result) result() protocol.Result { return protocol.NewResult(&r.Terms, r.standing()) }

// signed returns the result with its signatures, and whether they are all there.
func (r *Result) signed() (protocol.SignedResult, bool) {
	whole := r.Paid && len(r.Signatures) == len(r.Terms.Seats) && !slices.Contains(r.Signatures, protocol.Signature{})
	return protocol.SignedResult{Result: r.result(), Signatures: r.Signatures}, whole
}

// cosign adds this node's signature to a result of its own that is known, and final. If the result
// is another than before, the others have to sign it anew. One that can't be signed has no
// signatures: the channel goes on.
func (s history) cosign(r *Result) {
	if !r.Paid || r.Seat < 0 || r.Payouts == nil {
		return
	}
	result := r.result()
	digest := result.Digest(s.node.domain)
	if r.Signatures != nil && r.Signatures[r.Seat].Verify(digest, s.terms.Signers[s.seat]) == nil {
		return
	}
	r.Signatures = nil
	own, err := s.signer.Sign(digest)
	if err != nil {
		s.node.Warn("results "+s.id.Hex(), fmt.Sprintf("the result of match %s is not signed for the score board: %v", r.Match, err))
		return
	}
	r.Signatures = make([]protocol.Signature, len(r.Terms.Seats))
	r.Signatures[r.Seat] = own
}

// freely says who won a match without stakes, as if it had equal ones.
func (s history) freely(r *Result) {
	if slices.ContainsFunc(r.Terms.Stakes, func(v uint256.Int) bool { return !v.IsZero() }) {
		return
	}
	m, ok := s.machine.Match(r.Match)
	game, err := s.node.drive.Game(r.Terms.Rules)
	if !ok || err != nil {
		return
	}
	stakes := make([]uint256.Int, len(r.Terms.Stakes))
	for i := range stakes {
		stakes[i].SetUint64(1000)
	}
	if o, err := game.Rules.Outcome(m.State, stakes); err == nil {
		r.Free = make([]int, len(stakes))
		for i := range stakes {
			r.Free[i] = o.Payouts[i].Cmp(&stakes[i])
		}
	}
}

// sendResults sends the other seats this node's signatures of the matches that have just been paid
// out.
func (s *member) sendResults(events []channel.Event) {
	for _, e := range events {
		if released, ok := e.(channel.MatchReleased); ok {
			if r, err := s.node.Result(released.MatchID); err == nil {
				for i, seat := range r.Terms.Seats {
					if i != r.Seat {
						s.sendResult(&r, int(seat), false)
					}
				}
			}
		}
	}
}

func (s *member) sendResult(r *Result, seat int, reply bool) {
	if r.Signatures == nil {
		return
	}
	m := message.ResultSignature{MatchID: r.Match, Signature: r.Signatures[r.Seat], Reply: reply}
	if err := s.node.net.Send(s.terms.Players[seat], message.Envelope(s.id, m)); err != nil {
		s.node.config.Log.Debug("result not sent; it will be when the peer connects", "match", r.Match, "seat", seat, "error", err)
	}
}

func (s *channelState) takeResult(from int, m message.ResultSignature) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil // the other sends it again when it connects
	}
	return s.receiveResult(from, m)
}

// receiveResult keeps another seat's signature of a result, and answers with this node's. Before
// this node knows how the match ended it keeps nothing: it asks the other when it does. The caller
// sees that a live channel changes no result meanwhile.
func (s *member) receiveResult(from int, m message.ResultSignature) error {
	s.node.results.Lock()
	defer s.node.results.Unlock()
	r, err := s.node.Result(m.MatchID)
	switch {
	case errors.Is(err, ErrUnknownMatch):
		return nil
	case err != nil || !r.Paid || r.Channel != s.id || r.Signatures == nil:
		return err
	}
	i := slices.Index(r.Terms.Seats, uint8(from))
	if i < 0 {
		return fmt.Errorf("%w: seat %d of the channel doesn't play %s", channel.ErrPeer, from, m.MatchID)
	}
	result := r.result()
	if err := m.Signature.Verify(result.Digest(s.node.domain), s.terms.Signers[from]); err != nil {
		return fmt.Errorf("%w: the result of %s is signed otherwise: %w", channel.ErrPeer, m.MatchID, err)
	}
	// the first is kept: a key can sign in many ways, and each would be published
	if r.Signatures[i] == (protocol.Signature{}) {
		r.Signatures[i] = m.Signature
		value, err := json.Marshal(r)
		if err == nil {
			changes := map[string][]byte{s.node.results.key(r.Match): value, lackKey(s.terms.Players[from], r.Match): nil}
			s.addWin(changes, &r)
			err = s.node.commit(changes, nil)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrStore, err)
		}
	}
	if !m.Reply {
		s.sendResult(&r, from, true)
	}
	return nil
}

// askedOnConnecting caps the results that are asked for when a peer connects: the rest follows the
// next time.
const askedOnConnecting = 32

// lacking returns matches whose results lack the signature of an account, not more than are asked
// for at once.
func (n *channels) lacking(account common.Address) (list []common.Hash, err error) {
	prefix := lackPrefix + account.Hex() + "/"
	err = n.config.Store.Scan(prefix, "", func(key string, _ []byte) error {
		if len(list) == askedOnConnecting {
			return store.ErrStop
		}
		list = append(list, common.HexToHash(strings.TrimPrefix(key, prefix)))
		return nil
	})
	return list, err
}

// askResults repeats to a peer the signatures of results that lack its own.
func (n *channels) askResults(account common.Address) error {
	list, err := n.lacking(account)
	if err != nil {
		return err
	}
	for _, id := range list {
		r, err := n.Result(id)
		if err != nil {
			continue
		}
		s, err := n.member(r.Channel)
		if err != nil {
			continue
		}
		seat := slices.Index(s.terms.Players, account)
		if at := slices.Index(r.Terms.Seats, uint8(seat)); at >= 0 && r.Signatures != nil && r.Signatures[at] == (protocol.Signature{}) {
			s.sendResult(&r, seat, false)
		}
	}
	return nil
}
