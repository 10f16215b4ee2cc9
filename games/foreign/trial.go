package foreign

import (
	"errors"
	"fmt"
	"io"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Trial is what came of playing random moves under the default parameters: no proof of anything,
// but of what it found wrong.
type Trial struct {
	Matches int    // that came to an end
	Moves   uint64 // of all of them, and first moves that were tried before
	Longest uint64 // moves of the longest match
	// matches in which no legal move was found somewhere, so that time had to run out
	Stuck int
	// positions whose moves could not all be tried out with what a player side may spend on one
	// question
	Cut   int
	Gas   uint64 // the most that trying a move out took, on the average of a position
	Wrong error  // what the rules did that no rules may do; nil: nothing was found
}

// What a trial may take: three seconds or so.
const (
	trialCalls = 20_000        // of the rules
	trialGas   = 1_000_000_000 // of all calls together
	probes     = 16            // moves tried out in each position behind a first move
)

// errUntried means that nothing can be said of rules.
var errUntried = errors.New("the rules refuse every move that was tried, so that nothing of the game could be: does the manifest describe its moves as they are?")

// Try plays matches of random moves with stakes of one ether each, until so many are over or it
// takes too long. Before, it plays each first move once, and lets the time run out once, because
// rules may turn bad only then. Rules of which it can make no move at all are Wrong, too.
func Try(g games.Game, matches int, random io.Reader) Trial {
	g.Rules = evm.Within(g.Rules, trialGas)
	if p, ok := g.Player.(player); ok {
		p.rules = g.Rules
		g.Player = p
	}
	t := &trial{game: g, random: random, calls: trialCalls}
	t.Wrong = t.first()
	for t.Matches < matches && t.calls > 0 && t.Wrong == nil {
		t.Wrong = t.match()
	}
	if errors.Is(t.Wrong, evm.ErrSpent) {
		t.Wrong = nil
	}
	if t.Wrong == nil && t.Moves == 0 {
		t.Wrong = errUntried
	}
	return t.Trial
}

type trial struct {
	Trial
	game   games.Game
	random io.Reader
	calls  int
}

// moves lists moves of a position, trying out no more than so many. It fails where trying them out
// burns gas and finds none.
func (t *trial) moves(c *games.Context, state []byte, tries int) ([][]byte, error) {
	p, ok := t.game.Player.(player)
	if !ok {
		list, err := t.game.Player.Moves(c, state)
		t.calls -= len(list)
		return list, err
	}
	s := p.search()
	s.tries = min(s.tries, tries)
	list, err := s.legal(c, state)
	if err != nil {
		return nil, err
	}
	tried := min(p.search().tries, tries) - s.tries
	t.calls -= tried
	if s.cut && tries >= maxTries {
		t.Cut++
	}
	if tried == 0 {
		return list, nil
	}
	gas := evm.Used(s.rules) / uint64(tried) //nolint:gosec // not negative
	t.Gas = max(t.Gas, gas)
	if len(list) == 0 && gas > evm.Allowance/2 {
		return nil, fmt.Errorf("there is a position in which every move that was tried takes %d gas and none is legal", gas)
	}
	return list, nil
}

// start begins a match with the default parameters.
func (t *trial) start() (*games.Context, []byte, error) {
	params, err := t.game.Params.Encode(nil)
	if err != nil {
		return nil, nil, err
	}
	c := &games.Context{MatchID: common.Hash{1}, Params: params, Stakes: make([]uint256.Int, 2)}
	if t.game.Stakes != nil {
		if c.Stakes, err = t.game.Stakes(params); err != nil {
			return nil, nil, err
		}
	}
	for i := range c.Stakes {
		c.Stakes[i].SetUint64(1e18)
		c.Signers = append(c.Signers, common.Address{19: byte(i + 1)})
	}
	state, err := t.game.Rules.Start(c)
	if err != nil {
		return nil, nil, fmt.Errorf("a match with the default parameters can't start (do the manifest's seats and parameters fit the contract?): %w", err)
	}
	return c, state, nil
}

// first looks at the positions behind each first move, and behind silence, with half of the calls.
func (t *trial) first() error {
	c, state, err := t.start()
	if err != nil {
		return err
	}
	list, err := t.moves(c, state, maxTries)
	if err != nil {
		return err
	}
	if expired, refused := t.game.Rules.Expire(c, state); refused == nil {
		_, err = t.moves(c, expired, probes)
	}
	for i := 0; err == nil && i < len(list) && t.calls > trialCalls/2; i++ {
		next, illegal := t.game.Rules.Play(c, state, list[i])
		if t.calls--; illegal != nil {
			return fmt.Errorf("a move is legal once and not again: %w", illegal)
		}
		t.Moves++
		_, err = t.moves(c, next, probes)
	}
	return err
}

func (t *trial) match() error {
	c, state, err := t.start()
	if err != nil {
		return err
	}
	most, err := t.game.Turns(c.Params)
	if err != nil {
		return err
	}
	for turn, expiries := uint64(0), uint64(0); ; {
		mover, err := t.game.Rules.Mover(state)
		switch {
		case err != nil:
			return fmt.Errorf("a position without a mover: %w", err)
		case mover == games.Nobody:
			if t.Matches, t.Longest = t.Matches+1, max(t.Longest, turn); expiries > 0 {
				t.Stuck++
			}
			if _, err := t.game.Rules.Outcome(state, c.Stakes); err != nil {
				return fmt.Errorf("a match that is over can't be paid out: %w", err)
			}
			return nil
		case turn >= most:
			return fmt.Errorf("a match was not over after %d moves, the most there should be", most)
		case expiries > most:
			return fmt.Errorf("a match was not over after %d silences, though no match takes more moves", expiries)
		}
		expired, err := t.game.Rules.Expire(c, state)
		if err != nil {
			return fmt.Errorf("after %d moves, silence has no end: %w", turn, err)
		}
		if end, err := t.game.Rules.Mover(expired); err == nil && end == games.Nobody {
			if _, err := t.game.Rules.Outcome(expired, c.Stakes); err != nil {
				return fmt.Errorf("a match that ran out of time can't be paid out: %w", err)
			}
		}
		next, err := t.any(c, state)
		if t.calls -= 4; err != nil {
			return err
		}
		if t.calls < 0 {
			return nil
		}
		if next == nil {
			state = expired
			expiries++
			continue
		}
		state = next
		turn++
		t.Moves++
	}
}

// any is what a random legal move leads to; nil if none is found.
func (t *trial) any(c *games.Context, state []byte) ([]byte, error) {
	list, err := t.moves(c, state, maxTries)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return t.guess(c, state)
	}
	i, err := games.Below(t.random, len(list))
	if err != nil {
		return nil, err
	}
	next, err := t.game.Rules.Play(c, state, list[i])
	if err != nil {
		return nil, fmt.Errorf("a move is legal once and not again: %w", err)
	}
	return next, nil
}

// guess tries some moves of those kinds of which there are too many to try them all out.
func (t *trial) guess(c *games.Context, state []byte) ([]byte, error) {
	p, ok := t.game.Player.(player)
	for i := 0; ok && i < len(p.m.Moves); i++ {
		k := &p.m.Moves[i]
		if k.choices() > 0 {
			continue
		}
		for range probes {
			move, err := k.draw(t.random)
			if err != nil {
				return nil, err
			}
			t.calls--
			next, err := t.game.Rules.Play(c, state, move)
			if err == nil || errors.Is(err, evm.ErrSpent) {
				return next, err
			}
		}
	}
	return nil, nil
}
