package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/protocol/onchain"
)

// unanswered is a match whose last guess the server does not answer; the player has claimed failure
// on the chain. It returns where the guess is in the line.
func unanswered(t *testing.T) (*table, *match, int) {
	t.Helper()
	tb, m := guessed(t, 10, 4)
	guess := m.last() - 2
	tb.must(m.advance(m.support(guess-1, guess, m.everyone(guess-1)), m.demand(guess, sumscows.Player)))
	return tb, m, guess
}

// A claim of failure: an answer in time goes on, a wrong one is refused, a late one too, and
// silence loses everything.
func TestChecklist_SumsAndCows_13_FailureClaim(t *testing.T) {
	refused := func(tb *table, a onchain.Action, how string) {
		tb.Helper()
		if _, err := tb.send(a); err == nil {
			tb.Errorf("%s is accepted", how)
		}
	}
	for _, b := range boundaries {
		t.Run(b.name, func(t *testing.T) {
			tb, m, guess := unanswered(t)
			for how, answer := range map[string]sumscows.Answer{
				"an impossible answer": sumscows.NewAnswer(11, 45), "another sum than letters have": sumscows.NewAnswer(1, 10),
			} {
				wrong := m.fork(guess).illegal(sumscows.Codec().EncodeMove(sumscows.Reply(answer)), m.at(guess+1).state, sumscows.Server)
				refused(tb, wrong.advance(wrong.support(guess, guess+1)), how)
			}
			tb.until(m.record().Deadline, b.offset)
			answer, expire := m.advance(m.support(guess, guess+1)), m.expire(guess)
			if b.offset < 0 {
				tb.refused(codec.ErrTooEarly, expire)
				tb.must(answer)
				return
			}
			tb.refused(codec.ErrTooLate, answer)
			tb.must(expire)
			m.pays(2*half, 0)
		})
	}
}

// An old transcript, or one cut short, does not take the place of a longer one that both signed.
func TestChecklist_SumsAndCows_17_OldOrCutTranscript(t *testing.T) {
	tb, m, guess := unanswered(t)
	tb.must(m.advance(m.support(guess, guess+1)))
	for at := 1; at <= guess; at++ {
		if _, err := tb.send(m.advance(m.support(at-1, at, m.everyone(at-1)))); err == nil {
			t.Errorf("the position at %d replaces a later one", at)
		}
	}
	// A claim of the end made of the transcript without its last answers is the player's fork of
	// what it has signed.
	cut := m.fork(3).play(sumscows.Codec().EncodeMove(sumscows.EndClaim))
	if _, err := tb.send(cut.advance(cut.support(3, 4, m.everyone(3)))); err == nil {
		t.Error("a transcript that was cut ends the match")
	}
}

// A player that signs two guesses with one number has proved itself a cheat: the server takes all.
func TestChecklist_SumsAndCows_18_TwoGuessesAtOneTurn(t *testing.T) {
	tb, m, guess := unanswered(t)
	one, two := m.fork(guess-1), m.fork(guess-1)
	one.play(sumscows.Codec().EncodeMove(sumscows.Guess("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09")))
	two.play(sumscows.Codec().EncodeMove(sumscows.Guess("\x00\x01\x02\x03\x04\x05\x06\x07\x09\x08")))
	tb.must(m.convict(one.equivocation(two, sumscows.Player)))
	m.pays(0, 2*half)
}
