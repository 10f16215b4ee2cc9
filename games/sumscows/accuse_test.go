package sumscows

import (
	"math/rand/v2"
	"testing"
)

// The player's side accuses a server whose answers contradict each other, and no other.
func TestAuto_Accuses(t *testing.T) {
	p := small(6, 3, 6, 0, 0, 0)
	r := rand.New(rand.NewPCG(5, 6))
	hidden, guess := anyList(p, r), anyList(p, r)
	truth := Truth(hidden, guess)
	s := State{Phase: Guessing, D: p.D, Transcript: []Entry{{guess, truth}}}
	if m, decided, err := (player{}).Auto(seat{Params: p, State: s}); decided || err != nil {
		t.Errorf("an honest server: %v, %v", m, err)
	}
	for _, lie := range lists(p, "") {
		if other := Truth(lie, guess); other != truth {
			s.Transcript = append(s.Transcript, Entry{guess, other})
			break
		}
	}
	if m, decided, err := (player{}).Auto(seat{Params: p, State: s}); !decided || m != Misbehaviour || err != nil {
		t.Errorf("answers that contradict each other: %v, %v, %v", m, decided, err)
	}
}
