package channel_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"
)

// TestSimulation (attacks Replay, Reorder, Duplicate, Loss, Partition, Crash, SelfEquivocation)
// lets two to four honest seats do anything at any time over a network that loses, repeats and
// reorders messages, while processes crash before and after any write. The auditor and the checks
// after every step hold the invariants; at the end the network heals, and everything must settle.
func TestSimulation(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(r, "seats")
		s := &sim{table: newTable(t, n), r: r}
		s.t = failer{t, r}
		if rapid.Bool().Draw(r, "auto") {
			for i := range s.seats {
				s.seats[i].cfg.Policy.Approve = func(*protocol.MatchTerms) bool { return true }
				s.restart(i)
			}
		}
		for i := range s.seats {
			s.must(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: s.id, Terms: s.terms}, Final: true})
		}
		for range rapid.IntRange(1, 80).Draw(r, "steps") {
			s.any()
		}
		s.settle()
	})
}

type sim struct {
	*table
	r      *rapid.T
	undone []func() // takes back what the chain told a seat
}

// failer fails the rapid run, so that it is shrunk.
type failer struct {
	testing.TB
	r *rapid.T
}

func (f failer) Fatalf(format string, args ...any) { f.r.Fatalf(format, args...) }
func (f failer) Fatal(args ...any)                 { f.r.Fatal(args...) }

func (s *sim) any() {
	i := rapid.IntRange(0, len(s.seats)-1).Draw(s.r, "seat")
	if what := rapid.IntRange(0, 10).Draw(s.r, "what"); what < 10 {
		s.off(i, what)
	} else {
		s.chain(i)
	}
}

// off is what happens off-chain: what the network and the seats do.
func (s *sim) off(i, what int) {
	switch what {
	case 0, 1, 2, 3:
		s.network()
	case 4:
		s.try(i, channel.Idle{})
	case 5:
		s.try(i, channel.Tick{})
	case 6, 7:
		s.play(i)
	case 8:
		s.money(i)
	case 9:
		s.decide(i)
	}
}

// chain tells a seat of a contest or of a position with a running clock, which a reorganisation
// takes back in the end.
func (s *sim) chain(i int) {
	var e onchain.Event = onchain.Contested{ChannelID: s.id, Ledger: s.seats[i].m.Ledger(), Deadline: 100}
	if v, ok := s.anyMatch(i); ok && v.Support != nil && v.Started && rapid.Bool().Draw(s.r, "clock") {
		e = withClock(s.posted(i, v.ID, 10), 10, s.terms.Window)
	}
	if s.try(i, channel.ChainSeen{Event: e}) == nil {
		s.undone = append(s.undone, func() { s.must(i, channel.ChainUndone{Event: e}) })
	}
	if len(s.undone) > 0 && rapid.Bool().Draw(s.r, "undo") {
		s.undone[len(s.undone)-1]()
		s.undone = s.undone[:len(s.undone)-1]
	}
}

func (s *sim) network() {
	if len(s.queue) == 0 {
		return
	}
	at := rapid.IntRange(0, min(len(s.queue), 6)-1).Draw(s.r, "packet")
	switch rapid.IntRange(0, 9).Draw(s.r, "fate") {
	case 0:
		s.queue = slices.Delete(s.queue, at, at+1)
	case 1:
		s.queue = append(s.queue, s.queue[at])
	default:
		p := s.queue[at]
		s.queue = slices.Delete(s.queue, at, at+1)
		s.try(p.to, channel.Received{From: p.from, Message: p.msg})
	}
}

// try gives an input to a seat, whose process may crash at any point of the step.
func (s *sim) try(i int, in channel.Input) error {
	crash := rapid.IntRange(0, 19).Draw(s.r, "crash")
	fx, err := s.seats[i].m.Step(in)
	if err != nil {
		return err
	}
	switch crash {
	case 0: // before the write
		s.restart(i)
		return nil
	case 1: // after the write, with some of the messages gone out
		s.persist(i, fx)
		s.restart(i)
		fx.Messages = fx.Messages[:len(fx.Messages)/2]
		s.audit.heard(s.table, fx.Events)
		s.release(i, channel.Effects{Messages: fx.Messages, Events: fx.Events})
		return nil
	}
	s.release(i, s.persist(i, fx))
	return nil
}

func (s *sim) anyMatch(i int) (channel.MatchView, bool) {
	list := s.seats[i].m.Matches()
	if len(list) == 0 {
		return channel.MatchView{}, false
	}
	return list[rapid.IntRange(0, len(list)-1).Draw(s.r, "match")], true
}

func (s *sim) play(i int) {
	v, ok := s.anyMatch(i)
	if !ok {
		return
	}
	what := rapid.SampledFrom([]byte{Pass, Pass, Keep, Keep, Win, Draw, Fate, Lie}).Draw(s.r, "move")
	move := []byte{what, byte(i)}
	if v.Mover == games.Chance {
		move = []byte{Pass}
	}
	s.try(i, channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: move, Secret: commit.Load([]byte{what, byte(v.Turn)})})
}

func (s *sim) money(i int) {
	switch rapid.IntRange(0, 6).Draw(s.r, "money") {
	case 0, 1:
		s.try(i, s.anyProposal())
	case 2:
		if v, ok := s.anyMatch(i); ok {
			s.try(i, channel.Concede{MatchID: v.ID, Turn: v.Turn})
		}
	case 3:
		if v, ok := s.anyMatch(i); ok {
			s.try(i, channel.OfferAgreement{MatchID: v.ID, Turn: v.Turn, Payouts: v.Terms.Stakes})
		}
	case 4:
		if v, ok := s.anyMatch(i); ok && len(v.Offers) > 0 {
			s.try(i, channel.AcceptAgreement{MatchID: v.ID, Turn: v.Turn, Seat: v.Offers[0].Seat, Payouts: v.Offers[0].Payouts})
		}
	case 5:
		s.try(i, channel.WithdrawMatches{})
	case 6:
		if rapid.IntRange(0, 9).Draw(s.r, "close") == 0 {
			s.try(i, channel.CloseChannel{})
		}
	}
}

func (s *sim) anyProposal() channel.ProposeMatch {
	var seats []uint8
	for i := range s.seats {
		if len(s.seats) == 2 || rapid.Bool().Draw(s.r, "plays") {
			seats = append(seats, uint8(i))
		}
	}
	return s.proposal(rapid.Uint64Range(1, 400).Draw(s.r, "stake"), seats...)
}

func (s *sim) decide(i int) {
	p := s.seats[i].m.Proposal()
	if p == nil || !p.Asked {
		return
	}
	if rapid.IntRange(0, 2).Draw(s.r, "refuse") == 0 {
		s.try(i, channel.RefuseProposal{Version: p.Ledger.Version, Reason: "no"})
		return
	}
	s.try(i, channel.ApproveProposal{Version: p.Ledger.Version})
}

// settle heals the network and the chain, ends every match, closes the channel and checks that all
// seats agree.
func (s *sim) settle() {
	for _, undo := range s.undone {
		undo()
	}
	for round := 0; ; round++ {
		for i := range s.seats {
			if p := s.seats[i].m.Proposal(); p != nil && p.Asked {
				s.must(i, channel.ApproveProposal{Version: p.Ledger.Version})
			}
		}
		s.heal()
		for i := range s.seats {
			for _, v := range s.seats[i].m.Matches() {
				if v.MayMove && v.Mover == games.Chance {
					s.must(i, channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: []byte{Pass}})
				} else if v.MayMove {
					s.must(i, channel.MakeMove{MatchID: v.ID, Turn: v.Turn, Move: []byte{Win}})
				}
			}
		}
		s.heal()
		closed := 0
		for i := range s.seats {
			if _, done := s.seats[i].m.Closing(); done != nil {
				closed++
			} else if err := s.step(i, channel.CloseChannel{}); err == nil {
				s.deliverAll()
			}
		}
		if closed == len(s.seats) {
			break
		}
		if round == 20 {
			s.t.Fatalf("the channel doesn't settle:\n%s", s.describe())
		}
	}
	first := s.seats[0].m.Ledger()
	for i := range s.seats {
		l := s.seats[i].m.Ledger()
		if l.Digest(s.domain) != first.Digest(s.domain) {
			s.t.Fatalf("seats 0 and %d close with different ledgers", i)
		}
		if len(s.seats[i].m.Matches()) > 0 {
			s.t.Fatalf("seat %d still knows matches of a closed channel", i)
		}
		for _, e := range happened[channel.SeatEquivocated](s.seats[i]) {
			s.t.Fatalf("honest seat %d is accused", e.Proof.Seat)
		}
	}
}

func (s *table) describe() (out string) {
	for i := range s.seats {
		m := s.seats[i].m
		v, _ := m.Signed()
		wanted, done := m.Closing()
		out += fmt.Sprintf("seat %d: phase %d ledger %d locks %d signed %d closing %v/%v wanted %d", i, m.Phase(), m.Ledger().Version, len(m.Ledger().Locks), v, wanted, done != nil, len(m.Wanted()))
		if p := m.Proposal(); p != nil {
			out += fmt.Sprintf(" pending %d on %d asked %v locks %d new %d booked %d closing %v", p.Ledger.Version, p.Base, p.Asked, len(p.Ledger.Locks), len(p.Matches), len(p.Bookings), p.Ledger.Closing)
		}
		for _, x := range m.Matches() {
			out += fmt.Sprintf("\n   match %s seats %v seat %d turn %s mover %d started %v agreed %v may %v locked %v rank %v mark %d over %v agreement %v offers %d proofs %d record %+v final %v onchain %v", short(x.ID), x.Terms.Seats, x.Seat, x.Turn, x.Mover, x.Started, x.Agreed, x.MayMove, x.Locked, x.Rank, x.Mark, x.Outcome != nil, x.Agreement != nil, len(x.Offers), len(x.Proofs), x.Record, x.Decided, x.OnChain)
		}
		out += "\n"
	}
	return out
}

func short(id common.Hash) string { return fmt.Sprintf("%x", id[:2]) }
