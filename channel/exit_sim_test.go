package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"pgregory.net/rapid"
)

// TestSimulation_Exit lets honest seats do anything over a network as that of TestSimulation, until
// the channel is contested by the newest ledger that anybody holds whole, and paid out by that,
// whatever comes late. Each seat still knows each match that the ledger locks, and can end what has
// begun; then the channel ends for all.
func TestSimulation_Exit(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(r, "seats")
		s := &sim{table: newTable(t, n), r: r}
		s.t = failer{t, r}
		for i := range s.seats {
			s.seats[i].cfg.Policy.Approve = func(*protocol.MatchTerms) bool { return true }
			s.restart(i)
			s.must(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: s.id, Terms: s.terms}, Final: true})
		}
		s.try(0, s.anyProposal())
		s.heal()
		s.anything(60)
		newest := s.seats[0].m.Ledger()
		for i := range s.seats {
			if l := s.seats[i].m.Ledger(); l.Version > newest.Version {
				newest = l
			}
		}
		if newest.Closing {
			return
		}
		for _, e := range []onchain.Event{
			onchain.Contested{ChannelID: s.id, Ledger: newest, Deadline: 100}, onchain.Settled{ChannelID: s.id, Version: newest.Version},
		} {
			for _, final := range []bool{false, true} {
				for i := range s.seats {
					s.must(i, channel.ChainSeen{Event: e, Final: final})
				}
				s.anything(20)
			}
		}
		s.queue = nil
		for _, l := range newest.Locks {
			s.end(l)
		}
		for i := range s.seats {
			if s.seats[i].m.Phase() != channel.Ended || s.seats[i].m.Restored() || len(happened[channel.SeatEquivocated](s.seats[i])) > 0 {
				s.t.Fatalf("seat %d does not end it in peace:\n%s", i, s.describe())
			}
		}
	})
}

// anything lets the seats do so much, but hear of the chain.
func (s *sim) anything(most int) {
	for range rapid.IntRange(1, most).Draw(s.r, "steps") {
		s.off(rapid.IntRange(0, len(s.seats)-1).Draw(s.r, "seat"), rapid.IntRange(0, 9).Draw(s.r, "what"))
	}
}

// end plays a match to its end where it has begun, and has its lock paid.
func (s *sim) end(l protocol.Lock) {
	begun := true
	for i := range s.seats {
		v, _ := s.seats[i].m.Match(l.MatchID)
		if !v.Locked {
			s.t.Fatalf("seat %d gives match %s up, which is to be paid:\n%s", i, short(l.MatchID), s.describe())
		}
		begun = begun && (v.Seat < 0 || v.Started)
	}
	for range 12 {
		s.heal()
		for i := range s.seats {
			if v := s.view(i, l.MatchID); v.MayMove && v.Mover == games.Chance {
				s.mustMove(i, l.MatchID, Pass)
			} else if v.MayMove {
				s.mustMove(i, l.MatchID, Win)
			}
		}
	}
	for i := range s.seats {
		if v := s.view(i, l.MatchID); begun && v.Seat >= 0 && v.Outcome == nil && v.Agreement == nil {
			s.t.Fatalf("seat %d can't end match %s:\n%s", i, short(l.MatchID), s.describe())
		}
		s.must(i, channel.ChainSeen{Event: onchain.LockPaid{ChannelID: s.id, MatchID: l.MatchID, Payouts: l.Stakes}, Final: true})
	}
}
