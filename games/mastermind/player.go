package mastermind

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/coin"
	"github.com/ethereum/go-ethereum/common"
)

type seat = games.Seat[Params, State]

// player implements games.TypedPlayer.
type player struct{}

// Auto tosses, calls and shows the coin, commits to a code chosen before, answers guesses and opens
// codes. People choose codes and guesses, and what they dispute: whoever plays with disputes wants
// to, and a wrong one costs the pot.
func (player) Auto(t seat) (Move, bool, error) {
	s := t.State
	switch s.Phase {
	case Toss:
		m, err := coin.Toss(t.Vault, CoinTag, t.Random)
		return Commit(m), true, err
	case Calling:
		side, err := coin.Call(t.Random)
		return Call(side), true, err
	case Showing:
		m, err := coin.Show(t.Vault, CoinTag)
		return Show(m), true, err
	case Making:
		if !t.Vault.Has(CodeTag, uint32(s.Round)) {
			return nil, false, nil
		}
		code, _, err := kept(t)
		if err != nil {
			return nil, false, err
		}
		m, err := keep(t, code)
		return m, true, err
	case Answering:
		code, _, err := kept(t)
		return Reply(Answer(code, s.Guess, t.Params.Pegs)), true, err
	case Revealing:
		code, salt, err := kept(t)
		return Reveal{code, salt}, true, err
	default:
		return nil, false, nil
	}
}

// Choose reads a code (to make or to guess), or the answers to dispute.
func (player) Choose(t seat, text string) (Move, error) {
	if t.State.Phase == Disputing {
		return parseDispute(text, len(t.State.Transcript))
	}
	if t.State.Phase != Making && t.State.Phase != Guessing {
		return nil, fmt.Errorf("%w: nothing to choose here", games.ErrText)
	}
	code, err := parseCode(strings.TrimSpace(text), t.Params)
	if err != nil {
		return nil, err
	}
	if t.State.Phase == Making {
		return keep(t, code)
	}
	return Guess(code), nil
}

func (player) Ask(t seat) string {
	p := t.Params
	switch t.State.Phase {
	case Making:
		return fmt.Sprintf("Your secret code: %d digits of 0..%d, such as %s?", p.Pegs, p.Colours-1, example(p))
	case Guessing:
		return fmt.Sprintf("Guess %d of %d, such as %s?", len(t.State.Transcript)+1, p.Guesses, example(p))
	case Disputing:
		found := "none"
		if lies := Dispute(t.State.lies(p)); lies != 0 {
			found = lies.list()
		}
		return fmt.Sprintf("The code was %s. Which of the %d answers do you dispute: numbers such as 2 5, or pass? One false answer among them "+
			"convicts your opponent, none convicts you. False by your own reckoning: %s.", t.State.Code.Text(p.Pegs), len(t.State.Transcript), found)
	default:
		return ""
	}
}

// parseDispute reads the numbers of answers, counted from 1, or pass.
func parseDispute(text string, answers int) (Dispute, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 1 && strings.EqualFold(words[0], "pass") {
		return 0, nil
	}
	var mask Dispute
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > answers {
			return 0, fmt.Errorf("%w: %q is none of the answers 1 to %d; say pass to dispute none", games.ErrText, w, answers)
		}
		mask |= 1 << (n - 1)
	}
	if mask == 0 {
		return 0, fmt.Errorf("%w: say which answers you dispute, such as 2 5, or pass", games.ErrText)
	}
	return mask, nil
}

// Recall tells the maker its code until it is opened: nobody else has hidden one in this round.
func (player) Recall(t seat) (string, error) {
	if !t.Vault.Has(CodeTag, uint32(t.State.Round)) || t.State.Phase > Revealing {
		return "", nil
	}
	code, _, err := kept(t)
	return "your code is " + code.Text(t.Params.Pegs), err
}

// Moves lists guesses, answers, calls, and single disputes; commitments and openings can't be
// listed.
func (player) Moves(p Params, s State) (list []Move) {
	switch s.Phase {
	case Calling:
		return []Move{Call(0), Call(1)}
	case Guessing:
		for _, c := range codes(p) {
			list = append(list, Guess(c))
		}
	case Answering:
		for f := range 256 {
			if Feedback(f).Possible(p.Pegs) {
				list = append(list, Reply(f))
			}
		}
	case Disputing:
		list = append(list, Dispute(0))
		for i := range s.Transcript {
			list = append(list, Dispute(1<<i))
		}
	}
	return list
}

// keep commits to a code.
func keep(t seat, code Code) (Move, error) {
	m, err := t.Vault.Commit(CodeTag, uint32(t.State.Round), code.secret())
	return Commit(m), err
}

// kept returns the code of this round, and its salt.
func kept(t seat) (Code, common.Hash, error) {
	secret, salt, err := t.Vault.Secret(CodeTag, uint32(t.State.Round))
	return Code(secret[30])<<8 | Code(secret[31]), salt, err
}
