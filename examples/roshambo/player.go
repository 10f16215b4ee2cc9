package roshambo

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
)

type seat = games.Seat[struct{}, State]

// player implements games.TypedPlayer: what a seat's own machine does for its user.
type player struct{}

// Auto opens what was committed to, and commits again to what was chosen before: people choose a
// hand, nothing else.
func (player) Auto(t seat) (Move, bool, error) {
	if t.State.Phase < firstOpening && !t.Vault.Has(Tag, 0) {
		return nil, false, nil
	}
	secret, salt, err := t.Vault.Secret(Tag, 0)
	if err != nil {
		return nil, false, err
	}
	hand := Hand(secret[31])
	if t.State.Phase < firstOpening {
		m, err := choose(t, hand)
		return m, true, err
	}
	return Open{hand, salt}, true, nil
}

// Bot draws a hand.
func (p player) Bot(t seat) (Move, error) {
	if m, decided, err := p.Auto(t); decided || err != nil {
		return m, err
	}
	h, err := games.Below(t.Random, int(hands))
	if err != nil {
		return nil, err
	}
	return choose(t, Hand(h))
}

// Choose reads a hand that a person typed.
func (player) Choose(t seat, text string) (Move, error) {
	for h := range hands {
		if t.State.Phase < firstOpening && strings.EqualFold(strings.TrimSpace(text), h.String()) {
			return choose(t, h)
		}
	}
	return nil, fmt.Errorf("%w: %s", games.ErrText, question)
}

// choose commits to a hand: the vault salts it, binds it to the match and the seat, and keeps it
// for the opening.
func choose(t seat, h Hand) (Move, error) {
	c, err := t.Vault.Commit(Tag, 0, h.secret())
	return Commit(c), err
}

const question = "rock, paper or scissors?"

// Ask is asked when the seat is on move.
func (player) Ask(t seat) string {
	if t.State.Phase >= firstOpening {
		return ""
	}
	return question
}

// View shows the position, and nothing that the seat hides.
func (player) View(t seat) games.View {
	v := View{Phase: "over", Seat: t.Seat, Hands: [2]string{"hidden", "hidden"}}
	switch {
	case t.State.Phase < firstOpening:
		v.Phase = "commit"
	case t.State.Phase < played:
		v.Phase = "open"
	}
	for i := range uint8(2) {
		if t.State.Phase == played || t.State.Phase == firstOpening+1 && i == 0 {
			v.Hands[i] = t.State.Hands[i].String()
		}
	}
	return v
}

// View is a position for people.
type View struct {
	Phase string    `json:"phase"` // commit, open or over
	Seat  uint8     `json:"seat"`  // that looks
	Hands [2]string `json:"hands"` // by seat
}

func (v View) String() string {
	return fmt.Sprintf("You: %s. The other: %s.\n", v.Hands[v.Seat], v.Hands[1-v.Seat])
}

// Recall tells a player its hand until it is opened.
func (player) Recall(t seat) (string, error) {
	if !t.Vault.Has(Tag, 0) || t.State.Phase >= played {
		return "", nil
	}
	hand, _, err := t.Vault.Secret(Tag, 0)
	return "you chose " + Hand(hand[31]).String(), err
}

// Describe says what a move was.
func (player) Describe(_ struct{}, _ State, m Move) string {
	if m, opens := m.(Open); opens {
		return "opens: " + m.Hand.String()
	}
	return "commits to a hand"
}

// Moves lists nothing: commitments and openings have no list.
func (player) Moves(struct{}, State) []Move { return nil }

// liar is a player that commits to no hand at all.
type liar struct{ player }

func (l liar) Auto(t seat) (Move, bool, error) {
	if t.State.Phase < firstOpening {
		m, err := choose(t, hands)
		return m, true, err
	}
	return l.player.Auto(t)
}
