package sim

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// verdicts are the invariants that hold at the end of every history.
func (h *history) verdicts() {
	if h.fault != nil {
		h.lose("%v", h.fault)
	}
	if err := h.books.Empty(); err != nil && !slices.ContainsFunc(h.seats, (*seat).forgetful) {
		h.lose("at the end: %v", err)
	}
	for _, n := range h.log {
		h.convictions(n.event)
	}
	for _, s := range h.seats {
		if !s.honest {
			continue
		}
		s.paid()
		s.signedOnce()
		s.frugal()
	}
}

func (h *history) convictions(e channel.ChainEvent) {
	r, ok := e.(channel.Recorded)
	if !ok || r.Guilty == 0 {
		return
	}
	for _, s := range h.seats {
		if c := s.claims[r.MatchID]; s.honest && c != nil && r.Guilty&(1<<c.seat) != 0 {
			h.lose("honest seat %d was convicted of %q in match %s", s.index, bytes.TrimRight(r.Reason[:], "\x00"), r.MatchID)
		}
	}
}

// forgetful reports whether an honest seat's store was restored: it signs nothing, so that a match may wait for it for ever.
func (s *seat) forgetful() bool { return s.honest && s.machine.Restored() }

// paid checks that a seat has all that is due to it.
func (s *seat) paid() {
	if s.machine.Restored() {
		return // it may have forgotten what it could have answered
	}
	due := s.terms.Deposits[s.index]
	var detail []string
	for _, id := range sortedIDs(s.claims) {
		c := s.claims[id]
		stake := c.terms.Stakes[c.seat]
		worth, err := s.worth(id, c)
		if err != nil {
			s.fail("what match %s is worth to seat %d: %v", id, s.index, err)
			continue
		}
		due.Add(&due, &worth)
		due.Sub(&due, &stake)
		detail = append(detail, fmt.Sprintf("match %x: staked %s, due %s at turn %s", id[:4], stake.Dec(), worth.Dec(), c.last().turn))
	}
	got, err := s.Bank(s.player.Address(), common.Address{})
	if err != nil {
		s.fail("%v", err)
		return
	}
	if got.Lt(&due) {
		slices.Sort(detail)
		s.lose("honest seat %d ends with %s of the %s that are due to it (deposit %s; %v)", s.index, got.Dec(), due.Dec(),
			s.terms.Deposits[s.index].Dec(), detail)
	}
}

// signedOnce checks that a seat's key signed one position a turn, whoever saw it.
func (s *seat) signedOnce() {
	key := s.cfg.Signer.(*notary)
	for at, hashes := range s.positions {
		signed := 0
		for _, hash := range hashes {
			if key.signed[channel.Position{MatchID: at.match, Turn: at.turn, State: hash}.Digest(s.domain)] {
				signed++
			}
		}
		if signed > 1 {
			s.lose("honest seat %d signed %d positions of turn %s of match %s", s.index, signed, at.turn, at.match)
		}
	}
}

// frugal checks that a seat's transactions are bounded by its own moves, the clocks that others let run out, and a constant.
func (s *seat) frugal() {
	expired := 0
	for _, e := range s.log {
		if r, ok := e.event.(channel.Recorded); ok && r.State != nil {
			expired++
		}
	}
	most := uint64(s.forced + expired + perChannel + perMatch*len(s.claims))
	if sent := s.bill.Sent - s.bill.Refused; sent > most {
		s.lose("honest seat %d sent %d transactions, with %d moves of its own on the chain in %d matches: at most %d are allowed",
			s.index, sent, s.forced, len(s.claims), most)
	}
}

// What a seat may have to send besides its moves: for its channel (contest or refute, settle twice, or close), and for each
// match (post, demand, expire, convict, and settle).
const (
	perChannel = 4
	perMatch   = 5
)

// notary is a session key that takes down what it signs.
type notary struct {
	*channel.Key
	signed map[common.Hash]bool
}

func (n *notary) Sign(digest common.Hash) (channel.Signature, error) {
	n.signed[digest] = true
	return n.Key.Sign(digest)
}
