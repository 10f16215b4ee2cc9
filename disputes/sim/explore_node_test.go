package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"google.golang.org/protobuf/proto"
)

// node is one state of an exploration: a history that waits for its next step, and messages that
// wait to be delivered.
type node struct {
	*history
	pens  pens
	links [][]letter // from*seats+to
	moods []mood
	left  allowances
	forks []*protocol.Support // what seats that cheat signed besides what their machines did
	trail common.Hash         // over everything that the Arena ever said, and when
	tally map[string]int      // of what the Arena does
	last  bool                // everybody is on the way out
	went  map[[16]byte]bool   // states from which the way out was gone before
}

// letter is a message under way.
type letter struct {
	msg message.Message
	raw []byte
}

// mood is what an honest seat's user wants, and what its process went through.
type mood struct {
	asks, exits bool
	held        int  // blocks for which a transaction of its was held back
	fresh       bool // its process has not looked at the chain since it crashed
}

// allowances are what is left of steps that could be taken for ever.
type allowances struct {
	losses, crashes, ticks, offers, forks, shows, posts, proposals, closes int
}

// What an exploration's channel is like. Amounts are small and different, so that nothing is paid
// by mistake.
const (
	deposit = 100
	stake   = 10
	// blocks for which the adversary can hold honest transactions back: less than margin
	mostHeld  = 2
	mostMoves = 3 // after which only moves that end the match are tried, in each epoch
)

func (x *explorer) newNode(g *ground) *node {
	h := &history{
		world: newWorld(g), config: &Config{Game: g.game, Seats: x.Seats, Matches: 1},
		positions: map[spot][]common.Hash{}, states: map[common.Hash][]byte{},
	}
	n := &node{history: h, pens: x.pens, links: make([][]letter, x.Seats*x.Seats), moods: make([]mood, x.Seats), tally: x.OnChain,
		left: allowances{losses: 1, crashes: 1, ticks: 1, offers: 1, forks: 2, shows: 1, posts: 2, proposals: 1, closes: 1}}
	h.began = h.chain.Block()
	h.leave, h.world.tell = 1<<40, h.told
	h.terms = protocol.Terms{Window: window, OpenBy: 1 << 40, Salt: common.Hash{31: 1}}
	for i := range x.Seats {
		h.terms.Players = append(h.terms.Players, keys[0][i].Address())
		h.terms.Signers = append(h.terms.Signers, keys[1][i].Address())
		h.terms.Deposits = append(h.terms.Deposits, *uint256.NewInt(deposit + uint64(i)))
	}
	h.id = h.terms.ID(h.domain)
	h.gang = &gang{history: h, albums: map[common.Hash]*album{}, ledgers: []*protocol.SignedLedger{{Ledger: protocol.FirstLedger(h.id, &h.terms)}}}
	want := channel.ProposeMatch{Rules: h.rules, Params: x.Params}
	for i := range x.Seats {
		want.Seats = append(want.Seats, uint8(i))
		want.Stakes = append(want.Stakes, *uint256.NewInt(stake + uint64(i)))
	}
	for i := range x.Seats {
		s := &seat{
			history: h, index: i, honest: x.Hostile>>i&1 == 0, player: keys[0][i], store: map[string][]byte{},
			waiting: disputes.Owed{}, orders: map[string]*order{}, claims: map[common.Hash]*claim{},
		}
		s.cfg = channel.Config{
			Domain: h.domain, Terms: h.terms, Seat: i, Signer: x.pens.of(i), Rules: h,
			Policy: channel.Policy{Approve: func(*protocol.MatchTerms) bool { return true }},
		}
		s.wants = []channel.ProposeMatch{want}
		h.seats = append(h.seats, s)
		if !s.honest {
			h.gang.members = append(h.gang.members, s)
		}
		n.connect(s)
	}
	n.watch()
	h.establish()
	h.chain.Mine(confirmed)
	n.settle()
	n.everybody()
	n.quiet()
	return n
}

// watch follows the chain's transactions.
func (n *node) watch() {
	n.chain.OnTransaction = func(r *types.Receipt) {
		n.audit(r)
		if len(r.Logs) == 0 {
			return
		}
		d := sha256.New()
		d.Write(n.trail[:])
		number(d, r.BlockNumber.Uint64())
		for _, log := range r.Logs {
			for _, topic := range log.Topics {
				d.Write(topic[:])
			}
			d.Write(log.Data)
		}
		d.Sum(n.trail[:0])
	}
}

// connect has a seat's messages wait for delivery. Those of seats that cheat reach each other at
// once: see pump.
func (n *node) connect(s *seat) {
	s.hooks.mail = func(to int, msg message.Message) { n.send(s.index, to, msg) }
	if !s.honest {
		s.hooks.chooses = func(_ *channel.MatchView, t games.Table, _ func() (*games.Decision, error)) (*games.Decision, error) {
			return winner{}.Bot(t)
		}
	}
}

// send puts a message on its link, unless the same one waits there already: messages are
// idempotent.
func (n *node) send(from, to int, msg message.Message) {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(message.Envelope(n.id, msg))
	if err != nil {
		n.fail("seat %d says what can't be encoded: %v", from, err)
		return
	}
	at := from*len(n.seats) + to
	if slices.ContainsFunc(n.links[at], func(l letter) bool { return bytes.Equal(l.raw, raw) }) {
		return
	}
	n.links[at] = append(slices.Clip(n.links[at]), letter{msg, raw})
}

// clone returns a node in the same state that goes on by itself. What is never modified is shared,
// and so is what anybody in any schedule came to know of positions, which only grows.
func (n *node) clone() *node {
	c := *n
	h := *n.history
	c.history = &h
	h.world = n.world.clone()
	h.world.tell = h.told
	h.view = n.view.Clone()
	h.diary, h.verdict.Lost = slices.Clip(h.diary), slices.Clip(h.verdict.Lost)
	g := *n.gang
	g.history, g.members, g.ledgers, g.albums = &h, nil, slices.Clip(g.ledgers), map[common.Hash]*album{}
	for id, a := range n.gang.albums {
		b := *a
		b.supports, b.draws = slices.Clip(b.supports), slices.Clip(b.draws)
		g.albums[id] = &b
	}
	h.gang = &g
	h.seats = make([]*seat, len(n.seats))
	for i, s := range n.seats {
		h.seats[i] = s.clone(&h)
		if !s.honest {
			g.members = append(g.members, h.seats[i])
		}
		c.connect(h.seats[i])
	}
	h.pool = make([]*tx, len(n.pool))
	for i, t := range n.pool {
		moved := *t
		moved.from = h.seats[t.from.index]
		h.pool[i] = &moved
	}
	c.links, c.moods, c.forks = slices.Clone(n.links), slices.Clone(n.moods), slices.Clip(n.forks)
	c.watch()
	return &c
}

func (w *world) clone() *world {
	c := *w
	c.chain = w.chain.Copy()
	c.auditor = w.auditor.CloneOf(&c)
	c.sent, c.log, c.hashes, c.storage = slices.Clip(w.sent), slices.Clone(w.log), maps.Clone(w.hashes), maps.Clone(w.storage)
	return &c
}

func (s *seat) clone(h *history) *seat {
	c := *s
	c.history = h
	c.store, c.orders, c.claims = maps.Clone(s.store), map[string]*order{}, map[common.Hash]*claim{}
	c.inbox, c.known, c.todo, c.waiting = slices.Clip(s.inbox), slices.Clip(s.known), nil, maps.Clone(s.waiting)
	for id, o := range s.orders {
		again := *o
		c.orders[id] = &again
	}
	for id, old := range s.claims {
		again := *old
		again.line, again.best, again.proofs = slices.Clone(old.line), maps.Clone(old.best), maps.Clone(old.proofs)
		c.claims[id] = &again
	}
	p := s.cfg.Signer.(*pen).clone()
	c.cfg.Signer, c.cfg.Rules = p, h
	c.machine, c.watcher = s.machine.Clone(p), s.watcher.Clone(p, &c)
	return &c
}

// fingerprint names the state: what every seat keeps and its process remembers, what waits, what
// the chain said and when, and what a referee and the adversary know.
func (n *node) fingerprint() (key [16]byte) {
	d := sha256.New()
	d.Write(n.trail[:])
	number(d, n.chain.Block(), uint64(len(n.pool)))
	fmt.Fprintf(d, "%v %v", n.left, n.moods)
	for _, t := range n.pool {
		fmt.Fprint(d, t.from.index, t.id)
	}
	for _, l := range n.links {
		number(d, uint64(len(l)))
		for _, m := range l {
			text(d, m.raw)
		}
	}
	for _, s := range n.seats {
		n.print(d, s)
	}
	if n.last { // seats that cheat do nothing any more
		copy(key[:], d.Sum(nil))
		return key
	}
	for _, id := range sortedIDs(n.gang.albums) {
		for _, s := range n.gang.albums[id].supports {
			number(d, uint64(s.Turn), uint64(len(s.Moves)), uint64(len(s.Signatures)))
			for _, m := range s.Moves {
				text(d, m)
			}
		}
	}
	number(d, uint64(len(n.gang.ledgers)), uint64(len(n.forks)))
	copy(key[:], d.Sum(nil))
	return key
}

func (n *node) print(d hash.Hash, s *seat) {
	for _, e := range s.machine.Records() {
		text(d, []byte(e.Key))
		text(d, e.Value)
	}
	signed := s.cfg.Signer.(*pen).sum
	d.Write(signed[:])
	number(d, uint64(len(s.inbox)), s.wake)
	for _, id := range slices.Sorted(maps.Keys(s.orders)) {
		fmt.Fprint(d, id, s.orders[id].err != nil)
	}
	for _, id := range sortedIDs(s.claims) {
		c := s.claims[id]
		fmt.Fprint(d, c.started, c.agreed, c.best, c.draw, c.proofs, len(c.line))
		for _, p := range c.line {
			number(d, uint64(p.turn))
			text(d, p.state)
		}
	}
}

func number(d hash.Hash, list ...uint64) {
	var b [8]byte
	for _, v := range list {
		binary.BigEndian.PutUint64(b[:], v)
		d.Write(b[:])
	}
}

func text(d hash.Hash, b []byte) {
	number(d, uint64(len(b)))
	d.Write(b)
}
