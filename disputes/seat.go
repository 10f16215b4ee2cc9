package disputes

import (
	"fmt"
	"maps"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// Seat is a seat of a channel and what its user wants. Whoever drives a machine asks it what to do
// on-chain.
type Seat struct {
	Index   int // in the channel
	Machine Machine
	// Sit returns the player side of a match and the table as it sees it.
	Sit func(*channel.MatchView) (games.Player, games.Table, error)

	Exit bool // the user wants to close one-sidedly
	// the closing ledger belongs into one transaction with the opening of the channel that takes
	// this one's place: it is sent alone only when patience is over
	Replaced bool
	// when patience for a move ends, contest the channel too, unless another match is at play
	Leave  bool
	Demand func(*channel.MatchView) bool // the user wants the mover's clock to start now

	// Patience is how long the seat waits for what peers owe it. Now and Patience have one unit,
	// which is the caller's.
	Now, Patience int64
	Owed          Owed
}

// Machine is the part of channel.Machine that a seat's wishes depend on.
type Machine interface {
	Matches() []channel.MatchView
	Closing() (wanted bool, signed *protocol.SignedLedger)
}

// Owed holds since when peers have owed a seat something, by the kind of debt.
type Owed map[string]int64

// Wishes returns what the seat wants from the chain now: what its user asked for, and what follows
// when its patience is over. It updates Owed.
func (s *Seat) Wishes() Wishes {
	w := Wishes{Exit: s.Exit, Asked: s.Exit, Demand: map[common.Hash]bool{}}
	open := map[string]bool{} // what peers owe now
	overdue := func(format string, args ...any) bool {
		what := fmt.Sprintf(format, args...)
		open[what] = true
		return s.Owed.overdue(what, s.Now, s.Patience)
	}
	for _, m := range s.Machine.Matches() {
		if m.Seat < 0 || !m.Locked {
			continue
		}
		switch over := m.Outcome != nil || m.Agreement != nil || m.Decided; {
		case over: // the booking needs every seat: without it the lock is paid on-chain
			w.Exit = overdue("booking %s", m.ID) || w.Exit
		case m.Bound && (m.Mover == games.Chance || int(m.Mover) == m.Seat):
			// Only the ledger that takes the booking's place, or the end of the channel, lets this
			// seat move.
			w.Exit = overdue("ledger %s", m.ID) || w.Exit
		case s.stalled(&m):
			late := s.Until(&m) == 0 && overdue("move %s %s", m.ID, m.Turn)
			w.Demand[m.ID] = late || s.Demand(&m)
			w.Leave = late && s.Leave && s.atPlay() == 1
		case m.Mover == games.Chance && s.Demand(&m): // though the game says that a block is to come
			w.Demand[m.ID] = true
		}
	}
	s.leave(&w, overdue)
	maps.DeleteFunc(s.Owed, func(what string, _ int64) bool { return !open[what] })
	return w
}

// leave adds what a seat wants that closes the channel with its peers.
func (s *Seat) leave(w *Wishes, overdue func(string, ...any) bool) {
	switch wanted, signed := s.Machine.Closing(); {
	case signed != nil:
		// One seat sends it at once, so that only one pays; the others send it when that seat
		// doesn't.
		late := overdue("close %d", signed.Version)
		w.Close = late || !s.Replaced && closer(&signed.Ledger) == s.Index
	case wanted:
		w.Exit = overdue("closing") || w.Exit
	}
}

// atPlay returns how many matches of the channel are still played, those of other seats included.
func (s *Seat) atPlay() int {
	n := 0
	for _, m := range s.Machine.Matches() {
		if m.Locked && m.Outcome == nil && m.Agreement == nil && !m.Decided {
			n++
		}
	}
	return n
}

// closer is the seat that sends a closing ledger: the versions take turns among the seats that get
// something by it.
func closer(l *protocol.Ledger) int {
	n := len(l.Balances)
	first := int(l.Version % uint64(n)) //nolint:gosec // at most games.MaxSeats
	for i := range n {
		if seat := (first + i) % n; !l.Balances[seat].IsZero() {
			return seat
		}
	}
	return first
}

// overdue notes that peers owe the seat something, and reports whether they have for as long as its
// patience.
func (o Owed) overdue(what string, now, patience int64) bool {
	since, known := o[what]
	if !known {
		o[what], since = now, now
	}
	return now-since >= patience
}

// stalled reports whether a match that runs needs its peers, or the chain's clock, to go on.
func (s *Seat) stalled(m *channel.MatchView) bool {
	switch {
	case m.Mover == games.Chance && m.Started && !m.Support.Full() && s.drawable(m):
		return false // time has to pass, or the seat draws
	case int(m.Mover) != m.Seat, !m.Started:
		return true
	}
	return !m.MayMove && (len(m.Terms.Seats) > 2 || m.Support.Full())
}

// Until returns the block until which the seat on move in a match may wait, by its game, 0 if it
// may not: until then nobody loses patience with it.
func (s *Seat) Until(m *channel.MatchView) uint64 {
	player, table, err := s.Sit(m)
	paced, waits := games.As[games.Paced](player)
	if err != nil || !waits || !m.Started || m.State == nil {
		return 0
	}
	block, err := paced.Until(table)
	if err != nil {
		return 0
	}
	return block
}

// drawable reports whether the seat can make the chain's move, now or later. If not the chain's
// clock has to run out: also where more than two seats play and one of them never signed the
// position, since nobody moves on from that but on-chain.
func (s *Seat) drawable(m *channel.MatchView) bool {
	player, table, err := s.Sit(m)
	chained, follows := games.As[games.Chained](player)
	if err != nil || !follows {
		return false
	}
	move, err := chained.Chance(table)
	return err != nil || move != nil && (len(m.Terms.Seats) == 2 || m.Agreed || m.MayMove)
}

// Pressing reports whether the seat's clock runs out within a margin: then the choice is made for
// the user.
func (w *Want) Pressing(now, margin uint64) bool { return w.Deadline != 0 && now+margin >= w.Deadline }
