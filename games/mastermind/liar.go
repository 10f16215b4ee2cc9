package mastermind

import "github.com/ante-games/ante/games"

// liars are the ways to cheat that a proof exists against.
var liars = []games.Liar{
	lie("hides that the code was found", FalseFeedback, answersFalsely),
	lie("commits to what is no code", IllegalCode, hidesRubbish),
	lie("disputes a true answer", FalseAccusation, accusesFalsely),
}

func lie(name string, ending Ending, cheat func(seat) (Move, bool, error)) games.Liar {
	return games.Lie(name, ending.reason(), rules{}, player{}, func(t seat, round uint32) (Move, bool, error) {
		if t.State.Phase < Making || uint32(t.State.Round) != round {
			return nil, false, nil
		}
		return cheat(t)
	})
}

// answersFalsely hides that the code was found, and answers the last guess falsely in any case. The
// reveal convicts it.
func answersFalsely(t seat) (Move, bool, error) {
	m, decided, err := player{}.Auto(t)
	reply, answers := m.(Reply)
	if err != nil || !answers {
		return m, decided, err
	}
	truth := Feedback(reply)
	if truth.solved(t.Params.Pegs) || len(t.State.Transcript)+1 == int(t.Params.Guesses) {
		return Reply(falseAnswer(truth)), true, nil
	}
	return m, decided, nil
}

// falseAnswer returns "nothing is right", or, where that is the truth, "one is right".
func falseAnswer(truth Feedback) Feedback {
	if truth == 0 {
		return NewFeedback(1, 0)
	}
	return 0
}

// hidesRubbish commits to a peg more than any code has.
func hidesRubbish(t seat) (Move, bool, error) {
	if t.State.Phase != Making {
		return nil, false, nil
	}
	m, err := keep(t, 1<<15)
	return m, err == nil, err
}

// accusesFalsely disputes an answer that is true.
func accusesFalsely(t seat) (Move, bool, error) {
	if t.State.Phase == Disputing {
		if lies := t.State.lies(t.Params); lies&1 == 0 {
			return Dispute(1), true, nil
		}
	}
	return nil, false, nil
}
