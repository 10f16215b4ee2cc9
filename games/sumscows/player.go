package sumscows

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
)

type seat = games.Seat[Params, State]

// player implements games.TypedPlayer, for either seat.
type player struct{}

// Auto is all of the server: it hides a random list, answers and opens it. For the player it claims
// misbehaviour when no list is left that all answers allow; guesses are for people, or for the bot.
func (player) Auto(t seat) (Move, bool, error) {
	s := t.State
	switch s.Phase {
	case Committing:
		m, err := hide(t)
		return m, true, err
	case Guessing:
		return Misbehaviour, contradictory(t.Params, s.Transcript), nil
	case Answering:
		hidden, err := kept(t)
		return Reply(s.answer(hidden)), true, err
	case Opening:
		secret, salt, err := t.Vault.Secret(ListTag, 0)
		return Reveal{secret, salt}, true, err
	default:
		return nil, false, nil
	}
}

// answer is the true one, or, for who has lied before, the one that fits the lie: any other is no
// legal move.
func (s *State) answer(hidden List) Answer {
	truth := Truth(hidden, s.Guess)
	if i := s.contradicted(truth); i >= 0 {
		return s.Transcript[i].Answer
	}
	return truth
}

// Choose reads a guess, or a claim: "end" or "accuse".
func (player) Choose(t seat, text string) (Move, error) {
	if t.State.Phase != Guessing {
		return nil, fmt.Errorf("%w: nothing to choose here", games.ErrText)
	}
	switch text = strings.TrimSpace(text); strings.ToLower(text) {
	case "end!":
		return EndClaim, nil
	case "accuse!":
		return Misbehaviour, nil
	}
	guess, err := parseList(text, t.Params)
	if err != nil {
		return nil, fmt.Errorf("%w; or end! to stop here, or accuse! to have the server prove its answers", err)
	}
	return Guess(guess), nil
}

func (player) Ask(t seat) string {
	if t.State.Phase != Guessing {
		return ""
	}
	return fmt.Sprintf("Guess %d of %d, such as %v? (end! stops here, accuse! has the server prove its answers)",
		len(t.State.Transcript)+1, t.Params.Guesses, example(t.Params))
}

// Recall tells the server its list.
func (player) Recall(t seat) (string, error) {
	if t.Seat != Server || t.State.Phase == Over || !t.Vault.Has(ListTag, 0) {
		return "", nil
	}
	hidden, err := kept(t)
	return "your list is " + hidden.String(), err
}

// Moves lists the claims, and for small alphabets the guesses; and all possible answers.
func (player) Moves(p Params, s State) (list []Move) {
	switch s.Phase {
	case Guessing:
		if p.N <= 5 {
			for _, l := range lists(p, "") {
				list = append(list, Guess(l))
			}
			list = append(list, EndClaim, Misbehaviour)
		}
	case Answering:
		for a := range 1 << 16 {
			if a := Answer(a); a.Possible(p) && s.contradicted(a) < 0 {
				list = append(list, Reply(a))
			}
		}
	}
	return list
}

// lists returns all lists that begin so.
func lists(p Params, begin List) (all []List) {
	if len(begin) == int(p.D) {
		return []List{begin}
	}
	for letter := range p.N {
		if begin.set()>>letter&1 == 0 {
			all = append(all, lists(p, begin+List(letter))...)
		}
	}
	return all
}

// hide commits to a list: to the one kept, if there is one, else to a random one.
func hide(t seat) (Move, error) {
	secret, _, err := t.Vault.Secret(ListTag, 0)
	if err != nil {
		list, err := randomList(t)
		if err != nil {
			return nil, err
		}
		secret = list.secret()
	}
	m, err := t.Vault.Commit(ListTag, 0, secret)
	return Commit(m), err
}

// kept returns the hidden list.
func kept(t seat) (List, error) {
	secret, _, err := t.Vault.Secret(ListTag, 0)
	return List(secret[:t.Params.D]), err
}

// randomList draws a list, all being equally likely.
func randomList(t seat) (List, error) {
	letters := []byte(example(Params{D: t.Params.N}))
	for i := range int(t.Params.D) {
		j, err := games.Below(t.Random, len(letters)-i)
		if err != nil {
			return "", err
		}
		letters[i], letters[i+j] = letters[i+j], letters[i]
	}
	return List(letters[:t.Params.D]), nil
}
