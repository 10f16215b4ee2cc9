package contracts_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// guessed opens a channel of two whose newest ledger locks a match of sums and cows. Its line holds
// a whole match: guesses that all leave out two letters of the alphabet, or begin elsewhere in it,
// and the opening.
func guessed(t *testing.T, d, guesses uint8) (*table, *match) {
	t.Helper()
	tb := bigTable(t, 2, true).open()
	p := sumscows.Params{N: 26, D: d, Guesses: guesses, Start: *uint256.NewInt(half / 2), Fee: *uint256.NewInt(half / 500), Prize: *uint256.NewInt(half)}
	m := tb.matchOf(sumscows.Game().Rules, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 17 << 8, Rules: tb.deploy(bindings.SumsAndCowsMetaData.Bin, nil), Seats: []uint8{0, 1},
		Stakes: amounts(half, half), Params: p.Bytes(),
	})
	tb.ledger(17, []uint64{deposit - half, deposit - half}, m)

	codec := sumscows.Codec()
	alphabet := make([]byte, 26)
	for i := range alphabet {
		alphabet[i] = byte(i)
	}
	hidden := sumscows.List(alphabet[:d])
	var secret common.Hash
	copy(secret[:], hidden)
	salt := m.salt(sumscows.Server, 0)
	scope := commit.Scope{Tag: sumscows.ListTag, MatchID: m.id, Seat: sumscows.Server}
	m.play(codec.EncodeMove(sumscows.Commit(scope.Hash(secret, salt))))
	for one := range 26 {
		for two := range one {
			if len(m.line) < 2+2*int(guesses) {
				rest := slices.Delete(slices.Delete(slices.Clone(alphabet), one, one+1), two, two+1)
				guess := sumscows.List(rest[len(rest)-int(d):])
				if d < 24 {
					guess = sumscows.List(slices.Concat(rest[one%14:], rest)[:d])
				}
				m.play(codec.EncodeMove(sumscows.Guess(guess)))
				m.play(codec.EncodeMove(sumscows.Reply(sumscows.Truth(hidden, guess))))
			}
		}
	}
	return tb, m.play(codec.EncodeMove(sumscows.Reveal{Secret: secret, Salt: salt}))
}

// gasOfSumsAndCows: an answer and an opening of the usual match; a guess that is never answered,
// from the first post to the payout; and the opening after the longest transcript there may be, the
// heaviest judgement of the game.
func gasOfSumsAndCows(t *testing.T, used map[string]uint64) {
	tb, m := guessed(t, 10, 12)
	_, r, err := tb.chain.Deploy(tb.sender, common.FromHex(bindings.SumsAndCowsMetaData.Bin))
	tb.ok(err)
	used["deploy_sumscows"] = r.GasUsed

	last := m.last()
	guess := last - 2 // the last one, which is to be answered
	here := tb.checkpoint()
	tb.must(m.advance(m.support(guess-1, guess, m.everyone(guess-1)), m.demand(guess, m.at(guess).by)))
	used["sumscows_answer"] = tb.gas(m.advance(m.support(guess, guess+1)))
	used["sumscows_over"] = tb.gas(m.advance(m.support(last-1, last)))
	here()
	used["sumscows_dispute"] = tb.gas(m.advance(m.support(guess-1, guess, m.everyone(guess-1)), m.demand(guess, m.at(guess).by)))
	tb.wait(window)
	used["sumscows_dispute"] += tb.gas(m.expire(guess))

	tb, m = guessed(t, 24, sumscows.MaxGuesses)
	last = m.last()
	here = tb.checkpoint()
	used["sumscows_longest_answer"] = tb.gas(m.advance(m.support(last-2, last-1, m.everyone(last-2))))
	here()
	used["sumscows_longest"] = tb.gas(m.advance(m.support(last-1, last, m.everyone(last-1))))
}

// No judgement of the game takes more than a million gas, however long the match was.
func TestSumsAndCowsGas(t *testing.T) {
	used := map[string]uint64{}
	gasOfSumsAndCows(t, used)
	for name, gas := range used {
		if gas > 1_000_000 && name != "deploy_sumscows" {
			t.Errorf("%s uses %d gas", name, gas)
		}
	}
}
