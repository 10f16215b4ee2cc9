package sumscows

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// liars are the ways to cheat that a proof exists against: all of them the server's. A round is one
// guess; the commitment belongs to the first.
var liars = []games.Liar{
	lie("answers falsely", FalseResult, answering(another)),
	lie("hides that the list is found", FalseResult, answering(notFound)),
	lie("commits to what is no list", IllegalList, hidesRubbish),
}

func lie(name string, ending Ending, cheat func(seat, uint32) (Move, bool, error)) games.Liar {
	return games.Lie(name, ending.reason(), rules{}, player{}, cheat)
}

// answering is to answer the guess of the round with what a function makes of the truth.
func answering(falsify func(t seat, truth Answer) Answer) func(seat, uint32) (Move, bool, error) {
	return func(t seat, round uint32) (Move, bool, error) {
		if t.State.Phase != Answering || uint32(len(t.State.Transcript)) != round {
			return nil, false, nil
		}
		hidden, err := kept(t)
		return Reply(falsify(t, t.State.answer(hidden))), err == nil, err
	}
}

// another returns the first other answer that is possible, or the truth if there is none.
func another(t seat, truth Answer) Answer {
	for a := range found {
		if a != truth&^found && a.Possible(t.Params) && t.State.contradicted(a) < 0 {
			return a
		}
	}
	return truth
}

// notFound says that the letters are in another order, if that is possible.
func notFound(t seat, truth Answer) Answer {
	if hidden := truth &^ found; hidden.Possible(t.Params) {
		return hidden
	}
	return truth
}

// hidesRubbish commits to a list with a byte too many.
func hidesRubbish(t seat, round uint32) (Move, bool, error) {
	if t.State.Phase != Committing || round > 0 || t.Vault.Has(ListTag, 0) {
		return nil, false, nil
	}
	list, err := randomList(t)
	if err != nil {
		return nil, false, err
	}
	secret := list.secret()
	secret[common.HashLength-1] = 1
	m, err := t.Vault.Commit(ListTag, 0, secret)
	return Commit(m), err == nil, err
}
