package channel_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
)

var seedsFlag = flag.Int("network.seeds", 200, "play over so many bad networks")

// What a bad network does in the worst case, and for how long, before it heals.
const (
	storm   = 4 * time.Minute
	calm    = 2 * time.Minute // by then everything must be settled
	ticks   = 2 * time.Second
	matches = 2 // wanted by seats 0 and 1 at once
)

// TestAttack_Partition_Seeds (also Loss, Reorder, Duplicate, Replay): two or three seats play over
// links that lose, repeat and reorder messages, are cut and mended, while processes die and come
// back. Nobody signs two things at one place (the auditor listens), nobody is blamed, and once the
// network heals the matches are played to their end, all seats agree about the money, and the
// channel is closed, without anything but its opening from the chain.
func TestAttack_Partition_Seeds(t *testing.T) {
	seeds := *seedsFlag
	if testing.Short() {
		seeds = min(seeds, 40)
	}
	for seed := range uint64(seeds) { //nolint:gosec // a flag
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newApart(t, seed).play() })
	}
}

// apart is a table whose seats are apart: what they say goes over a network.
type apart struct {
	*table
	seed  uint64
	net   *memory.Network
	rand  *rand.Rand
	nodes []*memory.Node // nil: that seat's process is down
	ended map[common.Hash]int
}

// place is a seat's end of the network.
type place struct {
	*apart
	seat int
}

func newApart(t *testing.T, seed uint64) *apart {
	r := rand.New(rand.NewPCG(seed, 1))
	a := &apart{table: openTable(t, 2+int(seed%3)/2), seed: seed, rand: r, ended: map[common.Hash]int{}}
	a.net = memory.New(seed, memory.Faults{
		Latency: time.Duration(r.IntN(200)) * time.Millisecond, Jitter: time.Duration(r.IntN(2000)) * time.Millisecond,
		Lost: r.IntN(350), Doubled: r.IntN(350), Overtaken: r.IntN(350),
	})
	a.nodes = make([]*memory.Node, len(a.seats))
	for i := range a.seats {
		a.join(i)
	}
	return a
}

func (a *apart) play() {
	for i := range a.seats {
		a.every(ticks, func() { a.tick(i) })
		a.every(5*time.Second, func() { a.think(i) })
	}
	for i := range matches {
		a.net.After(a.upTo(10*time.Second), func() { a.want(i) })
	}
	for range 3 + a.rand.IntN(6) {
		a.net.After(a.upTo(storm), a.misfortune)
	}
	a.net.Run(storm)
	a.net.SetFaults(memory.Faults{Latency: 50 * time.Millisecond})
	for i := range a.seats {
		a.join(i)
		for j := range i {
			a.net.Heal(a.account(i), a.account(j))
		}
	}
	a.net.Run(calm)
	for i := range a.seats {
		if left := a.seats[i].m.Matches(); len(left) > 0 {
			a.t.Fatalf("seat %d still has %d matches:\n%s", i, len(left), a.describe())
		}
		a.check(i)
	}
	a.input(0, channel.CloseChannel{})
	a.net.Run(calm)
	a.settled()
}

// settled checks how it ended: all seats hold the same closing ledger, of every match once, and
// nobody accuses anybody.
func (a *apart) settled() {
	first := a.seats[0].m.Ledger()
	if len(a.ended) != matches {
		a.t.Fatalf("%d matches were played to their end, want %d", len(a.ended), matches)
	}
	want := make([]uint64, len(a.seats))
	for i := range want {
		want[i] = deposit - 100*matches
	}
	for _, winner := range a.ended {
		want[winner] += 100 * uint64(len(a.seats))
	}
	for i, s := range a.seats {
		l := s.m.Ledger()
		if _, done := s.m.Closing(); done == nil || l.Digest(a.domain) != first.Digest(a.domain) || !slices.Equal(balances(l), want) {
			a.t.Fatalf("seat %d ends with %v, want %v:\n%s", i, balances(l), want, a.describe())
		}
		if list := happened[channel.SeatEquivocated](s); len(list) > 0 {
			a.t.Fatalf("seat %d accuses seat %d", i, list[0].Proof.Seat)
		}
	}
}

// misfortune cuts two seats off from each other, or kills a process, for a while.
func (a *apart) misfortune() {
	i := a.rand.IntN(len(a.seats))
	j := (i + 1 + a.rand.IntN(len(a.seats)-1)) % len(a.seats)
	d := a.upTo(90 * time.Second) // shorter and longer than it takes to notice
	if a.rand.IntN(3) > 0 {
		a.net.Partition(a.account(i), a.account(j))
		a.net.After(d, func() { a.net.Heal(a.account(i), a.account(j)) })
		return
	}
	if a.nodes[i] != nil {
		if err := a.nodes[i].Close(); err != nil {
			a.t.Fatal(err)
		}
		a.nodes[i] = nil
		a.net.After(d, func() { a.join(i) })
	}
}

// join starts a seat's process, if it is down, with what its store holds.
func (a *apart) join(i int) {
	if a.nodes[i] != nil {
		return
	}
	a.restart(i)
	a.nodes[i] = a.net.Join(a.account(i), place{a, i})
	for j := range a.seats {
		if j == i {
			continue
		}
		if err := a.nodes[i].Keep(a.account(j), "/memory/"+a.account(j).Hex()); err != nil {
			a.t.Fatal(err)
		}
	}
}

func (a *apart) account(i int) common.Address { return a.terms.Players[i] }

func (a *apart) upTo(d time.Duration) time.Duration { return time.Duration(a.rand.Int64N(int64(d))) }

// every does something about so often, for ever.
func (a *apart) every(d time.Duration, f func()) {
	a.net.After(d/2+a.upTo(d), func() {
		f()
		a.every(d, f)
	})
}

func (a *apart) tick(i int) {
	a.input(i, channel.Idle{})
	a.input(i, channel.Tick{})
}

// want proposes a match, as soon as the process runs.
func (a *apart) want(i int) {
	if a.nodes[i] == nil {
		a.net.After(time.Second, func() { a.want(i) })
		return
	}
	a.input(i, a.proposal(100))
}

// think makes the moves that a seat has to make. A match is ended after some.
func (a *apart) think(i int) {
	if a.nodes[i] == nil {
		return
	}
	for _, v := range a.seats[i].m.Matches() {
		if !v.MayMove {
			continue
		}
		what := []byte{Pass, Pass, Keep, Fate}[a.rand.IntN(4)]
		switch {
		case v.Mover == games.Chance:
			a.input(i, channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: []byte{Pass}})
			continue
		case v.Turn > 6:
			what = Win
		}
		a.input(i, channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: []byte{what, byte(a.rand.Uint32())}})
	}
}

// input gives a running process something, and sends what comes of it. Nobody blames an honest peer
// for a bad network.
func (a *apart) input(i int, in channel.Input) {
	a.t.Helper()
	if a.nodes[i] == nil {
		return
	}
	s := a.seats[i]
	fx, err := s.m.Step(in)
	if errors.Is(err, channel.ErrPeer) {
		a.t.Fatalf("seat %d blames another for %T: %v", i, in, err)
	}
	if err != nil {
		return
	}
	a.persist(i, fx)
	a.audit.heard(a.table, fx.Events)
	for _, e := range fx.Events {
		a.hear(s, e)
	}
	for _, o := range fx.Messages {
		a.audit.released(a.table, i, o.Message)
		// lost, if nobody is connected
		_ = a.nodes[i].Send(a.account(o.To), message.Envelope(a.id, o.Message))
	}
	a.audit.full(a.table, s.m.Ledger())
}

// hear keeps what must be told once, and who won what.
func (a *apart) hear(s *seat, e channel.Event) {
	switch e := e.(type) {
	case channel.SeatEquivocated:
		s.events = append(s.events, e)
	case channel.MatchEnded:
		for winner := range e.Outcome.Payouts {
			if !e.Outcome.Payouts[winner].IsZero() {
				a.ended[e.MatchID] = winner
			}
		}
	}
}

// Connected implements transport.Handler.
func (p place) Connected(from common.Address) { p.input(p.seat, channel.Connected{Seat: p.of(from)}) }

// Disconnected implements transport.Handler.
func (p place) Disconnected(common.Address, error) {}

// Receive implements transport.Handler.
func (p place) Receive(from common.Address, env *antev1.Envelope) {
	id, msg, err := message.FromEnvelope(env)
	if err != nil || id != p.id {
		p.t.Fatalf("%T from %s: %v", env.GetBody(), from, err)
	}
	p.input(p.seat, channel.Received{From: p.of(from), Message: msg})
}

func (p place) of(account common.Address) int { return slices.Index(p.terms.Players, account) }
