package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
)

// step is something that can happen next, under a name that no other step from the same state has.
type step struct {
	name string
	do   func(n *node)
}

// list collects steps.
type list []step

func (l *list) add(do func(n *node), format string, args ...any) {
	name := fmt.Sprintf(format, args...)
	for slices.ContainsFunc(*l, func(s step) bool { return s.name == name }) {
		name += "'"
	}
	*l = append(*l, step{name, do})
}

// steps lists everything that can happen next, in a fixed order.
func (n *node) steps() []step {
	var l list
	n.deliveries(&l)
	for i := range n.seats {
		n.moves(&l, i)
		n.users(&l, i)
	}
	n.blocks(&l)
	n.cheats(&l)
	return l
}

// deliveries are messages that arrive, or get lost, in the order of their link.
func (n *node) deliveries(l *list) {
	for at, waiting := range n.links {
		if len(waiting) == 0 {
			continue
		}
		from, to := at/len(n.seats), at%len(n.seats)
		l.add(func(n *node) { n.deliver(at) }, "deliver %d>%d", from, to)
		if n.left.losses > 0 {
			l.add(func(n *node) {
				n.left.losses--
				n.links[at] = n.links[at][1:]
			}, "lose %d>%d", from, to)
		}
	}
}

func (n *node) deliver(at int) {
	msg := n.links[at][0].msg
	n.links[at] = n.links[at][1:]
	n.feed(at%len(n.seats), channel.Received{From: at / len(n.seats), Message: msg})
}

// feed gives a seat's machine an input that it may refuse.
func (n *node) feed(seat int, in channel.Input) {
	s := n.seats[seat]
	if err := s.feed(in); err != nil {
		s.refused(err)
		if s.honest && errors.Is(err, channel.ErrPeer) {
			if from, ok := in.(channel.Received); ok && n.seats[from.From].honest {
				n.lose("honest seat %d says what honest seat %d refuses: %v", from.From, seat, err)
			}
		}
	}
	s.todo = nil
}

// alphabet are the moves that are tried for a mover. After some moves only those that end the match
// are.
func (n *node) alphabet(mover uint8, turn protocol.Turn) map[string][]byte {
	seats := uint8(len(n.seats))
	if mover == games.Chance {
		return map[string][]byte{"pass0": toy.Pass(0), "pass1": toy.Pass(1)}
	}
	moves := map[string][]byte{"win": toy.Win(mover)}
	if turn.Moves() < mostMoves {
		moves["again"], moves["pass"] = toy.Pass(mover), toy.Pass((mover+1)%seats)
	}
	if seats > 2 && !n.seats[mover].honest { // all to its like, who may have signed nothing twice
		moves["give"] = toy.Win((mover + 1) % seats)
	}
	if turn.Moves() == 1 {
		moves["chance"] = toy.Pass(games.Chance)
	}
	return moves
}

// moves are the moves that a seat may make by its machine.
func (n *node) moves(l *list, i int) {
	for _, m := range n.seats[i].machine.Matches() {
		if !m.MayMove {
			continue
		}
		moves := n.alphabet(m.Mover, m.Turn)
		for _, name := range slices.Sorted(maps.Keys(moves)) {
			l.add(func(n *node) {
				n.feed(i, channel.MakeMove{MatchID: m.ID, Turn: m.Turn, Move: moves[name]})
			}, "move %d %s", i, name)
		}
	}
}

// users are what a seat's user or its process does besides.
func (n *node) users(l *list, i int) {
	s := n.seats[i]
	l.add(func(n *node) { n.feed(i, channel.Idle{}) }, "think %d", i)
	if n.left.ticks > 0 {
		l.add(func(n *node) { n.left.ticks--; n.feed(i, channel.Tick{}) }, "tick %d", i)
	}
	for _, m := range s.machine.Matches() {
		n.agreements(l, i, &m)
	}
	if n.left.proposals > 0 && len(s.machine.Matches()) == 0 && len(s.wants) > 0 {
		l.add(func(n *node) {
			n.left.proposals--
			n.feed(i, n.seats[i].wants[0])
		}, "propose %d", i)
	}
	if wanted, _ := s.machine.Closing(); !wanted && n.left.closes > 0 {
		l.add(func(n *node) { n.left.closes--; n.feed(i, channel.CloseChannel{}) }, "close %d", i)
	}
	if !s.honest {
		return
	}
	if !n.moods[i].asks {
		l.add(func(n *node) { n.moods[i].asks = true; n.look(n.seats[i]) }, "ask %d", i)
	}
	if !n.moods[i].exits {
		l.add(func(n *node) { n.moods[i].exits = true; n.look(n.seats[i]) }, "exit %d", i)
	}
	if n.left.crashes > 0 {
		l.add(func(n *node) { n.left.crashes--; n.crash(i) }, "crash %d", i)
	}
}

func (n *node) agreements(l *list, i int, m *channel.MatchView) {
	if n.left.offers > 0 && m.Started && m.Outcome == nil {
		l.add(func(n *node) {
			n.left.offers--
			n.feed(i, channel.OfferAgreement{MatchID: m.ID, Turn: m.Turn, Payouts: m.Terms.Stakes})
		}, "offer %d", i)
	}
	for _, o := range m.Offers {
		if int(o.Seat) != i && m.Agreement == nil {
			l.add(func(n *node) {
				n.feed(i, channel.AcceptAgreement{MatchID: m.ID, Turn: o.Turn, Seat: o.Seat, Payouts: o.Payouts})
			}, "accept %d from %d", i, o.Seat)
		}
	}
}

// crash has an honest seat's process die between two inputs and come back from its store, which
// must be all that it was. To die in the middle of an input is to lose the message that came, or
// those that it was about to send, and to die then.
func (n *node) crash(i int) {
	s := n.seats[i]
	before := s.machine.Records()
	if err := s.boot(); err != nil {
		n.fail("%v", err)
		return
	}
	if !slices.EqualFunc(before, s.machine.Records(), func(a, b channel.Entry) bool { return a.Key == b.Key && string(a.Value) == string(b.Value) }) {
		n.lose("seat %d comes back from its store as another", i)
	}
	n.moods[i].fresh = true
}

// quiet delivers all messages there are.
func (n *node) quiet() {
	for range 1_000 {
		at := slices.IndexFunc(n.links, func(l []letter) bool { return len(l) > 0 })
		if at < 0 {
			return
		}
		n.deliver(at)
		n.after()
	}
	n.fail("seats never stop talking")
}
