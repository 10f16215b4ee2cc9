package nodesim

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// twoCopies has a second node of a seat's account run beside the first, on a copy of its store: an
// owner who restored a backup on another machine and forgot the first, or a cheater who wants to
// sign two contents. In some histories one of the two stops.
func twoCopies(ctx context.Context, s *seat, r *rand.Rand) {
	from := r.Uint64N(soon)
	begins, runs := from+r.Uint64N(10), 1+r.Uint64N(3*window)
	var kept *store.Memory
	var said words
	s.at(from, func() { kept, said = copyOf(s.store), s.recalls() })
	s.at(begins, func() {
		if err := s.doubles(ctx, kept, said); err != nil {
			s.fail("seat %d has no copy: %v", s.index, err)
		}
	})
	switch r.IntN(3) {
	case 0:
		s.at(begins+runs, func() {
			if s.note("seat %d stops its copy", s.index); s.copy != nil {
				s.copy.stop()
			}
		})
	case 1:
		if !s.honest { // a cheater may go on with either
			s.at(begins+runs, func() { s.note("seat %d stops its first node", s.index); s.stop() })
		}
	}
}

// doubles starts a copy of the seat's node on a copy of its store.
func (s *seat) doubles(ctx context.Context, kept *store.Memory, said words) error {
	c, err := s.sit(s.index, s.index+len(s.seats))
	if err != nil {
		return err
	}
	c.honest, c.plan, c.peers, c.policy, c.asks, c.tower = s.honest, s.plan, s.peers, s.policy, s.asks, s.tower
	c.store, c.said, c.copy, s.copy = kept, said, s, c
	s.note("a copy of seat %d starts", s.index)
	c.back(ctx)
	return nil
}

// all returns the seats, and the copies of them that were started.
func (h *history) all() (list []*seat) {
	for _, s := range h.seats {
		if list = append(list, s); s.copy != nil {
			list = append(list, s.copy)
		}
	}
	return list
}

func (w *watched) Copied(via common.Address) {
	w.seat.mu.Lock()
	w.seat.met = true
	w.seat.mu.Unlock()
	if h, is := w.Handler.(transport.Witness); is {
		h.Copied(via)
	}
}

// What a node says of copies.
const (
	copiedKeys = "another program signs with the key"
	nothing    = "nothing is signed"
	twoSigned  = "carry this seat's own signature"
)

// warned reports whether one of two nodes of a seat said that there is another. Then its owner may
// have been convicted: both can have signed before they heard of each other.
func (s *seat) warned() bool {
	if s.copy == nil {
		return false
	}
	for _, n := range []*seat{s, s.copy} {
		for text := range n.alarms {
			if strings.Contains(text, copiedKeys) || strings.Contains(text, nothing) || strings.Contains(text, twoSigned) {
				return true
			}
		}
	}
	return false
}

// promised checks what a node promises to an owner who runs two, or has put an old copy back: an
// alarm stands where a peer told it of the other, and where a channel is frozen.
func (s *seat) promised(n *node.Node) {
	if !s.honest {
		return
	}
	stands := func(text string) bool {
		return slices.ContainsFunc(n.Standing(), func(a node.Event) bool { return strings.Contains(a.Text, text) })
	}
	s.mu.Lock()
	met := s.met
	s.mu.Unlock()
	if met && !stands(copiedKeys) {
		s.lose("a peer told node %d of seat %d of another one, and no alarm stands", s.number, s.index)
	}
	for _, c := range n.Channels() {
		s.mu.Lock()
		twice := s.twice[c.ID]
		s.mu.Unlock()
		switch {
		case c.Status == node.ChannelEnded:
			continue
		case !c.Restored && twice:
			s.lose("node %d of seat %d signs on in channel %x, although it heard of what it never signed", s.number, s.index, c.ID[:4])
			continue
		case !c.Restored:
			continue
		}
		if !stands(nothing) {
			s.lose("channel %x of seat %d is frozen, and no alarm stands", c.ID[:4], s.index)
		}
		s.mu.Lock()
		s.frozen[c.ID] = true
		s.mu.Unlock()
	}
}

// hears checks that a node which hears, by a peer's message, of a signature of its own that it did
// not give signs nothing more in that channel.
func (s *seat) hears(id common.Hash, m message.Message) {
	n := s.running()
	if n == nil {
		return
	}
	c, err := n.Channel(id)
	if err != nil || !s.honest || c.Restored || c.Status == node.ChannelEnded || !s.foreign(&c, m) {
		return
	}
	s.note("node %d of seat %d hears of what it never signed", s.number, s.index)
	s.mu.Lock()
	s.twice[id] = true
	s.mu.Unlock()
}

// foreign reports whether a message holds a valid signature of the seat's own of another content
// than what it said of that version or turn, the newest that it said anything of; or, where the
// seat has two nodes, of a ledger that this one said nothing of.
func (s *seat) foreign(c *node.Channel, m message.Message) bool {
	strange := func(of common.Hash, at uint64, what common.Hash) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for w := range s.said {
			if w.of == of && w.at > at {
				return false
			}
		}
		said, is := s.said[word{of, at}]
		return is && said != what || !is && of == c.ID && s.copy != nil
	}
	ledger := func(l *protocol.Ledger, signatures []protocol.Signature) bool {
		if l.ChannelID != c.ID || len(signatures) != c.Terms.Seats() {
			return false
		}
		digest := l.Digest(s.domain)
		return strange(c.ID, l.Version, digest) && signatures[c.Seat].Verify(digest, c.Terms.Signers[c.Seat]) == nil
	}
	position := func(p protocol.Position, seat uint8, sig protocol.Signature) bool {
		s.mu.Lock()
		mine := s.claims[p.MatchID]
		s.mu.Unlock()
		return mine != nil && mine.seat == seat && p.Turn > 0 && strange(p.MatchID, uint64(p.Turn), p.State) &&
			sig.Verify(p.Digest(s.domain), c.Terms.Signers[c.Seat]) == nil
	}
	switch m := m.(type) {
	case message.Propose:
		return ledger(&m.Ledger, m.Signatures)
	case message.Countersign:
		return position(protocol.Position{MatchID: m.MatchID, Turn: m.Turn, State: m.State}, m.Seat, m.Signature)
	case message.SyncReply:
		if m.Ledger != nil && ledger(&m.Ledger.Ledger, m.Ledger.Signatures) {
			return true
		}
		if m.Support == nil {
			return false
		}
		for _, sig := range m.Support.Signatures {
			base := protocol.Position{MatchID: m.MatchID, Turn: m.Support.Turn, State: protocol.StateHash(m.Support.Base)}
			if sig.At == 0 && position(base, sig.Seat, sig.Signature) {
				return true
			}
		}
	}
	return false
}

// words are what a node has signed: one content for each ledger's version, and for each turn of a
// match, as far as its store tells.
type words map[word]common.Hash

type word struct {
	of common.Hash // a channel or a match
	at uint64      // version or turn
}

// recalls returns what the seat's store tells now of what it signed.
func (s *seat) recalls() words {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.said)
}

// says checks what an honest seat's node is about to say: what a store has signed once is all that
// it signs at that turn or version, and in a frozen channel it signs nothing new.
func (s *seat) says(id common.Hash, m message.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sign := func(of common.Hash, at uint64, what common.Hash) {
		before, is := s.said[word{of, at}]
		if s.said[word{of, at}] = what; !s.honest {
			return
		}
		if is && before != what {
			s.lose("node %d of seat %d signs two contents at %d of %x", s.number, s.index, at, of[:4])
		}
		if !is && s.frozen[id] {
			s.lose("node %d of seat %d signs at %d of %x in a frozen channel", s.number, s.index, at, of[:4])
		}
	}
	starts := func(list ...message.Countersign) {
		for _, c := range list {
			if mine := s.claims[c.MatchID]; mine != nil && mine.seat == c.Seat {
				sign(c.MatchID, uint64(c.Turn), c.State)
			}
		}
	}
	switch m := m.(type) {
	case message.Move:
		sign(m.MatchID, uint64(m.Turn), m.State)
		if m.First != nil {
			starts(*m.First)
		}
	case message.Countersign:
		starts(m)
	case message.Approve:
		sign(id, m.Version, m.Digest)
		starts(m.Starts...)
	case message.Propose:
		sign(id, m.Ledger.Version, m.Ledger.Digest(s.domain))
	}
}
