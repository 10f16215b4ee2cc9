package sumscows

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// liars are the ways to cheat that a proof exists against: all of them the server's.
var liars = []games.Liar{
	lie("answers falsely", FalseResult, answersFalsely),
	lie("hides that the list is found", FalseResult, hidesFound),
	lie("commits to what is no list", IllegalList, hidesRubbish),
}

func lie(name string, ending Ending, cheat func(seat, Move) (Move, error)) games.Liar {
	return games.Liar{Name: name, Reason: ending.reason(), Player: func(round uint32) games.Player {
		return games.Seated(rules{}, liar{round: round, cheat: cheat})
	}}
}

// liar plays as player does, but cheats with the answer to one guess, or with the commitment before
// the first.
type liar struct {
	player
	round uint32
	cheat func(t seat, honest Move) (Move, error)
}

func (l liar) Auto(t seat) (Move, bool, error) {
	if t.State.Phase == Committing && l.round == 0 {
		m, err := l.cheat(t, nil)
		if m != nil || err != nil {
			return m, true, err
		}
	}
	m, decided, err := l.player.Auto(t)
	if _, answers := m.(Reply); err != nil || !answers || uint32(len(t.State.Transcript)) != l.round {
		return m, decided, err
	}
	m, err = l.cheat(t, m)
	return m, true, err
}

func (l liar) Bot(t seat) (Move, error) {
	if m, decided, err := l.Auto(t); decided || err != nil {
		return m, err
	}
	return l.player.Bot(t)
}

// answersFalsely gives the first other answer that is possible, if there is any.
func answersFalsely(t seat, honest Move) (Move, error) {
	truth, answers := honest.(Reply)
	if !answers {
		return nil, nil
	}
	for a := range found {
		if a != Answer(truth)&^found && a.Possible(t.Params) && t.State.contradicted(a) < 0 {
			return Reply(a), nil
		}
	}
	return honest, nil
}

// hidesFound says that the letters are in another order.
func hidesFound(t seat, honest Move) (Move, error) {
	truth, answers := honest.(Reply)
	if !answers {
		return nil, nil
	}
	if hidden := Answer(truth) &^ found; hidden.Possible(t.Params) {
		return Reply(hidden), nil
	}
	return honest, nil
}

// hidesRubbish commits to a list with a byte too many.
func hidesRubbish(t seat, honest Move) (Move, error) {
	if honest != nil || t.Vault.Has(ListTag, 0) {
		return honest, nil
	}
	list, err := randomList(t)
	if err != nil {
		return nil, err
	}
	secret := list.secret()
	secret[common.HashLength-1] = 1
	m, err := t.Vault.Commit(ListTag, 0, secret)
	return Commit(m), err
}
