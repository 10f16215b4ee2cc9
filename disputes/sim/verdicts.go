package sim

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// verdicts are the invariants that hold at the end of every history.
func (h *history) verdicts() {
	if h.fault != nil {
		h.lose("%v", h.fault)
	}
	if err := h.auditor.Empty(); err != nil && !slices.ContainsFunc(h.seats, (*seat).forgetful) {
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

func (h *history) convictions(e onchain.Event) {
	r, ok := e.(onchain.Recorded)
	if !ok || r.Guilty == 0 {
		return
	}
	for _, s := range h.seats {
		if c := s.claims[r.MatchID]; s.honest && c != nil && r.Guilty&(1<<c.seat) != 0 {
			h.lose("honest seat %d was convicted of %q in match %s", s.index, bytes.TrimRight(r.Reason[:], "\x00"), r.MatchID)
		}
	}
}

// forgetful reports whether an honest seat's store was restored: it signs nothing, so that a match
// may wait for it for ever.
func (s *seat) forgetful() bool { return s.honest && s.machine.Restored() }

// paid checks that a seat has all that is due to it, from the chain for each match that the chain
// paid, and in sum.
func (s *seat) paid() {
	if s.machine.Restored() {
		return // it may have forgotten what it could have answered
	}
	for _, id := range sortedIDs(s.claims) {
		c := s.claims[id]
		k, err := s.course(id, &c.terms)
		if err != nil {
			s.fail("what the chain tells of match %s: %v", id, err)
			return
		}
		if k == nil || k.paid == nil {
			continue
		}
		s.punctual(id, c, k)
		s.just(id, c, k)
		if worth, err := s.worth(id, c, k); err == nil && k.paid[c.seat].Lt(&worth) {
			s.lose("the chain paid honest seat %d %s of the %s that match %s owes it, at turn %s", s.index, k.paid[c.seat].Dec(), worth.Dec(), id,
				c.last().turn)
		}
	}
	s.owed("ends")
}

// owed checks that a seat has all that is due to it in sum.
func (s *seat) owed(when string) {
	due := s.terms.Deposits[s.index]
	var detail []string
	for _, id := range sortedIDs(s.claims) {
		c := s.claims[id]
		stake := c.terms.Stakes[c.seat]
		k, err := s.course(id, &c.terms)
		if err != nil {
			s.fail("what the chain tells of match %s: %v", id, err)
			return
		}
		worth, err := s.worth(id, c, k)
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
		s.lose("honest seat %d %s with %s of the %s that are due to it (deposit %s; %v)", s.index, when, got.Dec(), due.Dec(),
			s.terms.Deposits[s.index].Dec(), detail)
	}
}

// stirs checks that somebody does something as long as an honest seat waits for what is due to it:
// who cheats fetches its own at last, and must not be needed for that.
func (h *history) stirs() {
	idle := max(h.log[len(h.log)-1].block, h.leave+window) + mostIdle
	if now := h.chain.Block(); now < idle || now >= idle+window || now >= h.collects() || slices.ContainsFunc(h.seats, (*seat).forgetful) {
		return
	}
	for _, s := range h.seats {
		if s.honest {
			s.owed("waits in vain")
		}
	}
}

// mostIdle is how many blocks may pass between two events on the chain when all patience is used
// up: a window in which a record stands, and one for its mover to answer.
const mostIdle = 2*window + mostAbsent

// punctual checks that the seat answered whenever its clock ran in a match that the chain paid,
// whether it saw that or not.
func (s *seat) punctual(id common.Hash, c *claim, k *course) {
	for _, stood := range k.lapsed {
		if stood.mover == c.seat {
			s.lose("seat %d let its own time run out at turn %s of match %s", s.index, stood.turn, id)
		}
	}
}

// just checks that every seat was convicted in time of whose cheating the seat held the proof.
func (s *seat) just(id common.Hash, c *claim, k *course) {
	for guilty, since := range c.proofs {
		if k.guilty>>guilty&1 == 0 && since+mostAbsent < k.ended {
			s.lose("seat %d has proved since block %d to honest seat %d that it signed two positions in match %s, and is not convicted in block %d",
				guilty, since-s.began, s.index, id, k.ended-s.began)
		}
	}
}

// mostAbsent is how many blocks an honest seat may take to get a transaction in: it may be away, or
// have to wait, or see it undone.
const mostAbsent = margin + confirmed

// signedOnce checks that a seat's key signed one position a turn, whoever saw it.
func (s *seat) signedOnce() {
	key := s.cfg.Signer.(*notary)
	for at, hashes := range s.positions {
		signed := 0
		for _, hash := range hashes {
			if key.signed[protocol.Position{MatchID: at.match, Turn: at.turn, State: hash}.Digest(s.domain)] {
				signed++
			}
		}
		if signed > 1 {
			s.lose("honest seat %d signed %d positions of turn %s of match %s", s.index, signed, at.turn, at.match)
		}
	}
}

// frugal checks that a seat's transactions are bounded by its own moves, the clocks that ran out,
// and a constant. A clock that ran out costs the expiry, and where the match goes on by it, as
// rules may have it, the Demand that starts the next: not before its mover had time to answer, so
// not in one transaction.
func (s *seat) frugal() {
	expired := 0
	for _, e := range s.log {
		if r, ok := e.event.(onchain.Recorded); ok && r.State != nil {
			expired++
			if r.Record.Status == protocol.MatchLive {
				expired++
			}
		}
	}
	most := uint64(s.forced + expired + perChannel + perMatch*len(s.claims))
	if sent := s.bill.Sent - s.bill.Refused; sent > most {
		s.lose("honest seat %d sent %d transactions, with %d moves of its own on the chain in %d matches: at most %d are allowed",
			s.index, sent, s.forced, len(s.claims), most)
	}
}

// What a seat may have to send besides its moves: for its channel (contest or refute, settle twice,
// or close), and for each match (post, demand, expire, convict, and settle).
const (
	perChannel = 4
	perMatch   = 5
)

// notary is a session key that takes down what it signs.
type notary struct {
	*protocol.Key
	signed map[common.Hash]bool
	step   []common.Hash // what was signed for the first time in the step at hand
}

func (n *notary) Sign(digest common.Hash) (protocol.Signature, error) {
	if !n.signed[digest] {
		n.signed[digest], n.step = true, append(n.step, digest)
	}
	return n.Key.Sign(digest)
}

// undo strikes out what was signed in a step that died with the process: it never left it.
func (n *notary) undo() {
	for _, digest := range n.step {
		delete(n.signed, digest)
	}
}
