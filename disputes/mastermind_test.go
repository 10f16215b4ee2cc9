package disputes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/mastermind"
)

// small is a Mastermind that is soon over: 2 pegs, 3 colours, 2 rounds of at most 2 guesses, a
// bonus of 1, no disputes.
var small = []byte{2, 3, 2, 2, 1, 0}

// bots are the two seats of a Mastermind match, as their machines play it.
type bots struct {
	players [2]games.Player
	secrets [2]commit.Secrets
	random  *rand.ChaCha8
}

func newBots(seed byte, second games.Player) *bots {
	return &bots{players: [2]games.Player{mastermind.Game().Player, second}, random: rand.NewChaCha8([32]byte{seed})}
}

// move makes the move of the seat that is on move in a state.
func (b *bots) move(m *match, state []byte) []byte {
	seat := m.moverOf(state)
	t := games.Table{Context: m.context(), State: state, Seat: seat, Secrets: b.secrets[seat], Random: b.random}
	d, err := b.players[seat].Auto(t)
	if err == nil && d == nil {
		d, err = b.players[seat].Bot(t)
	}
	if err != nil {
		panic(err)
	}
	b.secrets[seat] = d.Secrets
	return d.Move
}

// newMastermind opens a scene in which seat 0 is honest, with a match of Mastermind.
func newMastermind(t *testing.T, b *bots) (*scene, *match) {
	c := newScene(t, 2, 0)
	c.game = mastermind.Game().Rules
	c.rules = c.deploy(bindings.MastermindMetaData.Bin, nil)
	m := c.lock(small)
	c.honest[0].reply = b.move
	c.play(m)
	return c, m
}

// The peer goes silent at every turn of a match of Mastermind: the coin, the commitments, guesses,
// answers and reveals. Silence forfeits, whoever led by then.
func TestChecklist_Mastermind_15_Silence(t *testing.T) {
	for turns := 0; ; turns++ {
		b := newBots(1, mastermind.Game().Player)
		c, m := newMastermind(t, b)
		for range turns {
			c.play(m, b.move(m, m.last().state))
		}
		if m.last().mover == games.Nobody {
			if turns < 9 {
				t.Errorf("the match was over after %d moves", turns)
			}
			return
		}
		t.Run(fmt.Sprintf("after %d moves", turns), func(t *testing.T) {
			c.testingT = t
			c.gone()
			c.ends(5*window, deposit+stake, deposit-stake)
		})
	}
}

// The peer answers a guess falsely, in any round. The match ends with the liar's verdict, which is
// posted and paid like any other end.
func TestAttack_FalseAnswer(t *testing.T) {
	for round := range uint32(2) {
		t.Run(fmt.Sprintf("round %d", round), func(t *testing.T) {
			c := lied(t, round)
			c.gone()
			c.ends(5*window, deposit+stake, deposit-stake)
			if c.convicted() != 1<<1 {
				t.Errorf("convicted %b, want seat 1", c.convicted())
			}
		})
	}
}

// lied returns a match that is over because seat 1 lied in a round; the coin must let it make the
// code there.
func lied(t *testing.T, round uint32) *scene {
	for seed := range byte(32) {
		b := newBots(seed, mastermind.Game().Liars[0].Player(round))
		c, m := newMastermind(t, b)
		for m.last().mover != games.Nobody {
			c.play(m, b.move(m, m.last().state))
		}
		outcome, err := m.game.Outcome(m.last().state, m.terms.Stakes)
		c.ok(err)
		if outcome.Guilty != 0 {
			return c
		}
	}
	t.Fatal("no coin lets seat 1 make the code")
	return nil
}

// TestChecklist_Mastermind_16_StaleState: an older position that is posted loses to the newer one,
// whoever of the two was to move in it.
func TestChecklist_Mastermind_16_StaleState(t *testing.T) { TestAttack_StalePosition(t) }
