package channel

import (
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// match is what a machine knows of a match. Slices in it are replaced, never modified, but for
// links, which clone first.
type match struct {
	id     common.Hash
	terms  protocol.MatchTerms
	seat   int                    // ours in the match; -1: we don't play
	judge  *protocol.Judge        // nil when we don't play or don't have the rules
	locked *protocol.SignedLedger // the first ledger known to lock it, signed by all

	// links are the newest positions, ascending by one turn: from the one before the newest that
	// every seat signed or signed past (agreed) to the newest. Empty when we don't play.
	links []link
	older []link // those in the store under keys of their own, as they are there
	// mark is the high-water mark: the highest turn that we signed, as mover or countersigner, and
	// which state. Nothing else is ever signed at or below it.
	mark      protocol.Mark
	markState common.Hash
	// consented is the highest turn at which we signed an agreement, and consents are the digests
	// of those that we signed at it.
	consented protocol.Mark
	consents  []common.Hash

	notes  []games.Note // of turn noted, at most one from each seat; not kept
	noted  protocol.Turn
	offers []offer // offered agreements, at most one by each seat, all of the newest turn
	// promised is the highest version of a ledger that we signed and that books the match, or
	// follows one that booked it. Until a ledger of that version or above is fully signed, or the
	// channel is paid out by another for good, others may still complete it, so that nothing is
	// signed off-chain in the match, should it go on: else they could wait and see how.
	promised uint64
	refused  bool          // a seat refused it before it was locked: it is not started
	released bool          // no longer locked in the newest fully signed ledger
	book     bool          // our user wants it booked
	started  bool          // every seat signed turn 0, and the user knows
	notified protocol.Mark // turn whose YourTurn was given
	alarmed  bool          // and whether it was for the chain
	secret   commit.Secrets
	proofs   []protocol.Equivocation // at most one for each seat

	edited bool // in this step: to be written

	records []protocol.Record // what the Arena recorded, oldest first, not final yet
	final   *protocol.Record  // the newest final one
	// how the position of final came about, up to two links, where the Arena's events told
	shown []link
}

// side is our side of a match in a step: what the step does with the match.
type side struct {
	*txn
	*match
}

func (t *txn) side(m *match) side { return side{t, m} }

// link is a position with what is known of it.
type link struct {
	turn  protocol.Turn
	state []byte
	hash  common.Hash
	mover uint8  // who moves on: a seat, games.Nobody or games.Chance
	move  []byte // that led here; nil when unknown
	by    uint8  // who made it; games.Nobody when unknown
	sigs  []protocol.Signature
	all   bool // counts as signed by all: it came by an expiry, or stood on-chain for a window
}

func (l *link) hasSigned(seat int) bool { return l.all || l.sigs[seat] != (protocol.Signature{}) }

// signedBy returns who signed the position itself, as a bit mask for the rules. After an expiry
// that is everybody.
func (l *link) signedBy() (mask uint16) {
	expired := l.turn.Epoch() > 0 && l.turn.Moves() == 0
	for i := range l.sigs {
		if expired || l.sigs[i] != (protocol.Signature{}) {
			mask |= 1 << i
		}
	}
	return mask
}

// made returns how the newest position came about; nil where no seat is known to have moved. A seat
// that did has signed it: nothing else that it moved to is taken.
func (l *link) made() *games.Made {
	if l.by == games.Nobody || l.by == games.Chance {
		return nil
	}
	return &games.Made{Turn: uint64(l.turn), Move: slices.Clone(l.move), Signature: slices.Clone(l.sigs[l.by][:])}
}

func (l *link) signedByAll() bool {
	for i := range l.sigs {
		if !l.hasSigned(i) {
			return false
		}
	}
	return true
}

func (m *match) last() *link { return &m.links[len(m.links)-1] }

// at returns the link of a turn, or nil. There must be links.
func (m *match) at(turn protocol.Turn) *link {
	if turn < m.links[0].turn || turn > m.last().turn {
		return nil
	}
	return &m.links[turn-m.links[0].turn]
}

// put keeps a seat's signature of a turn that is linked.
func (m *match) put(turn protocol.Turn, seat int, sig protocol.Signature) {
	m.edit().links = slices.Clone(m.links)
	l := m.at(turn)
	l.sigs = slices.Clone(l.sigs)
	l.sigs[seat] = sig
}

// push appends a position. Agreements on older turns are dropped.
func (m *match) push(l link) {
	m.edit().links = append(slices.Clip(m.links), l)
	m.offers = nil
}

// agreed returns the index of the newest link that every seat signed or signed past, or -1.
func (m *match) agreed() int {
	low := len(m.links) - 1
	for seat := range m.terms.Seats {
		top := len(m.links) - 1
		for top >= 0 && !m.links[top].hasSigned(seat) {
			top--
		}
		low = min(low, top)
	}
	return low
}

// signedFrom reports whether a seat signed the position at an index or a later one.
func (m *match) signedFrom(seat, index int) bool {
	return slices.ContainsFunc(m.links[index:], func(l link) bool { return l.hasSigned(seat) })
}

// holding returns the index of the link that a record holds, or -1. There must be links.
func (m *match) holding(r *protocol.Record) int {
	if r == nil {
		return -1
	}
	if l := m.at(r.Turn.Turn()); l == nil || !r.Holds(l.turn, l.hash) {
		return -1
	}
	return int(r.Turn.Turn() - m.links[0].turn)
}

// settled returns the index of the newest link that the match continues from, or -1. That is the
// agreed link, or with two seats the finally recorded one: only a position before it can still be
// signed by all, and take the record back to it. With more seats another line can replace a record
// until it has stood for a window; then it counts as signed by all.
func (m *match) settled() int {
	at := m.agreed()
	if len(m.terms.Seats) == 2 && len(m.links) > 0 {
		at = max(at, m.holding(m.final))
	}
	return at
}

// turnTo replaces our line. An agreement counts for its turn, whatever the position: those on the
// newest turn stay.
func (m *match) turnTo(line []link) {
	m.edit().links = line
	m.offers = slices.DeleteFunc(slices.Clone(m.offers), func(o offer) bool { return o.Turn != m.last().turn })
}

// prune deletes links that no support needs. A seat may still sign any link after the agreed one,
// and post that, so those stay; so does the one before the agreed, from which a second move of the
// same seat can be checked. Where only we have yet to sign, which we don't on the chain's clock, a
// final record that evidence starts at counts instead, or the other seat's moves fill the store.
func (m *match) prune() {
	from := m.agreed()
	if at := m.settled(); at > from && m.signedFrom(1-m.seat, at) && m.support().Turn == m.links[at].turn {
		from = at
	}
	if from > 1 {
		m.links = slices.Clone(m.links[from-1:])
	}
}

// support returns the evidence for the newest position: from the agreed link, which makes it valid
// by itself, as long as one call carries what follows; then from the settled one, so that it is
// valid on the final record.
func (m *match) support() protocol.Support {
	if i := m.agreed(); i >= 0 {
		if s := m.supportFrom(i); s.Last() == m.last().turn {
			return s
		}
	}
	return m.supportFrom(max(m.settled(), 0))
}

// onRecord returns the evidence to post: from the recorded position, where we hold it, which is
// shorter and lets the rules know that it is recorded.
func (m *match) onRecord() protocol.Support {
	return m.supportFrom(max(m.agreed(), m.holding(m.recorded()), 0))
}

// full reports whether one call carries no more moves: the next comes after all have signed the
// newest position, or the Arena has recorded it.
func (m *match) full() bool {
	s := m.supportFrom(max(m.settled(), 0))
	return s.Full()
}

// supportFrom returns the evidence from a link to the newest, or as far as one call carries it.
func (m *match) supportFrom(from int) protocol.Support {
	base := &m.links[from]
	s := protocol.Support{Turn: base.turn, Base: base.state}
	for i, l := range m.links[from:] {
		if i > 0 {
			if !s.Fits(len(l.move)) {
				break
			}
			s.Moves = append(s.Moves, l.move)
		}
		for seat, sig := range l.sigs {
			if sig != (protocol.Signature{}) {
				s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(i), Seat: uint8(seat), Signature: sig})
			}
		}
	}
	return s
}

// rank returns how support ranks.
func (m *match) rank() protocol.Rank {
	r := protocol.Rank{Turn: protocol.MarkOf(m.last().turn)}
	if i := m.agreed(); i >= 0 {
		r.Agreed = protocol.MarkOf(m.links[i].turn)
	} else if m.settled() >= 0 {
		r.Agreed = m.final.Rank().Agreed
	}
	return r
}

func (m *match) over() bool { return len(m.links) > 0 && m.last().mover == games.Nobody }

// plays reports whether we play in the match and can follow it.
func (m *match) plays() bool { return m.seat >= 0 && m.judge != nil && len(m.links) > 0 }

// recorded returns the newest record seen, final or not, or nil.
func (m *match) recorded() *protocol.Record {
	if n := len(m.records); n > 0 {
		return &m.records[n-1]
	}
	return m.final
}

// decided reports whether the match is final on-chain. The payouts are in the record.
func (m *match) decided() bool {
	return m.final != nil && (m.final.Status == protocol.MatchFinal || m.final.Status == protocol.MatchPaid)
}

// frozen reports whether the chain, not the peers, takes the match on: a clock runs, an end is
// recorded, or it expired.
func (m *match) frozen() bool {
	r := m.recorded()
	if r == nil {
		return false
	}
	switch r.Status {
	case protocol.MatchUnknown:
		return false
	case protocol.MatchLive, protocol.MatchOver:
		return r.Clock != 0 || len(m.links) > 0 && r.Epoch() > m.last().turn.Epoch()
	default:
		return true
	}
}

// onMove reports whether the Arena waits for us to move on from the newest position that we know.
func (m *match) onMove() bool {
	r, l := m.recorded(), m.last()
	return r != nil && r.Status == protocol.MatchLive && r.Clock != 0 && r.Turn == protocol.MarkOf(l.turn) && r.State == l.hash
}

// again reports whether our clock runs on a position that we made ourselves. It starts at once, so
// that we go on from there before the others have signed it: nobody else signs that turn, so that
// none can fork below what we sign next.
func (m *match) again(l *link) bool {
	r := m.recorded()
	return l != nil && int(l.by) == m.seat && int(l.mover) == m.seat && r.Holds(l.turn, l.hash) && r.Status == protocol.MatchLive && r.Clock != 0
}
