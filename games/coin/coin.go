// Package coin is a fair coin for two seats in three moves: seat 0 commits to a side, seat 1 calls
// it in the open, seat 0 shows it (M. Blum, "Coin flipping by telephone", 1981). The caller can't
// know the side, the committer can't change it, and whoever sees the coin first and doesn't like it
// can only forfeit. If both committed and then revealed, a coin would take four moves. Contract
// twin: contracts/src/games/Coin.sol.
package coin

import (
	"io"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// Coin is one in the air: what seat 0 committed to, and the side that seat 1 called.
type Coin struct {
	Commitment common.Hash
	Call       uint8
}

// Shown is what opens a coin: its side and the salt.
type Shown struct {
	Side uint8
	Salt common.Hash
}

// ShownSize is the length of Shown.Bytes.
const ShownSize = 1 + 32

// Bytes returns the encoding: side, salt.
func (s Shown) Bytes() []byte { return append([]byte{s.Side}, s.Salt[:]...) }

// DecodeShown reads ShownSize bytes.
func DecodeShown(b []byte) Shown { return Shown{b[0], common.Hash(b[1:ShownSize])} }

// Favours returns the seat that the coin favours, 1 if its call was right and else 0; ok is false
// if it isn't this coin that is shown.
func (c Coin) Favours(tag commit.Tag, matchID common.Hash, s Shown) (seat uint8, ok bool) {
	scope := commit.Scope{Tag: tag, MatchID: matchID}
	if s.Side > 1 || scope.Hash(common.Hash{31: s.Side}, s.Salt) != c.Commitment {
		return 0, false
	}
	if s.Side == c.Call {
		return 1, true
	}
	return 0, true
}

// Toss commits to a random side, or again to the one that the vault already holds.
func Toss(v commit.Vault, tag commit.Tag, random io.Reader) (common.Hash, error) {
	if secret, _, err := v.Secret(tag, 0); err == nil {
		return v.Commit(tag, 0, secret)
	}
	side, err := Call(random)
	if err != nil {
		return common.Hash{}, err
	}
	return v.Commit(tag, 0, common.Hash{31: side})
}

// Call calls a random side.
func Call(random io.Reader) (uint8, error) {
	side, err := games.Below(random, 2)
	return uint8(side), err
}

// Show opens the coin that was tossed.
func Show(v commit.Vault, tag commit.Tag) (Shown, error) {
	secret, salt, err := v.Secret(tag, 0)
	return Shown{secret[31], salt}, err
}

// Name returns heads or tails.
func Name(side uint8) string { return [2]string{"heads", "tails"}[side&1] }
