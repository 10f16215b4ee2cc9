package gametest

import (
	"bytes"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// recompute checks that a move commits to what the seat's store says, under the salts that are
// there: others would be lost by a restart, or be guessed.
func (k *keeper) recompute(state, move []byte, fresh []commit.Opening) {
	k.t.Helper()
	for _, o := range fresh {
		if !k.suite.Derived && index(move, o.Scope.Hash(o.Secret, o.Salt)) < 0 {
			k.t.Fatalf("%s0x%x\nmove 0x%x doesn't hold the commitment that the vault made (%s): salts of its own may be lost or guessed (Suite.Derived where it follows from the vault's)",
				k.where, state, move, kind(o))
		}
	}
}

// others is how many bytes of a move, other than those of secrets, are tried.
const others = 16

// bind tries a move that opens commitments with a byte of it wrong by a bit: each of the secret,
// and some more. The engines must agree; and where it is the secret's, the move is refused, or
// convicts.
func (k *keeper) bind(state, move []byte, seat uint8, known []commit.Opening) {
	k.t.Helper()
	if !opens(known, move) {
		return
	}
	secrets := k.secretBytes(move, known)
	for at := range move {
		if !secrets[at] && k.r.IntN(len(move)) >= others {
			continue
		}
		wrong := bytes.Clone(move)
		wrong[at] ^= 1 << k.r.IntN(8)
		next, err := k.pair.play(k.c, state, wrong)
		if err != nil || !secrets[at] {
			continue
		}
		if over, err := k.mover(next); err == nil && over == games.Nobody {
			if o, err := k.outcome(next, k.c.Stakes); err == nil && o.Guilty>>seat&1 == 1 {
				continue
			}
		}
		k.t.Fatalf("%s0x%x\nmove 0x%x opens another secret than seat %d committed to (byte %d is wrong by a bit), and is taken for true", k.where, state, wrong, seat, at)
	}
}

// secretBytes says which bytes of a move are those of secrets whose salts it shows, where that is
// certain.
func (k *keeper) secretBytes(move []byte, known []commit.Opening) map[int]bool {
	// Salts may hold any bytes.
	rest := bytes.Clone(move)
	for _, o := range known {
		if at := index(rest, o.Salt); at >= 0 {
			copy(rest[at:], bytes.Repeat([]byte{0}, len(o.Salt)))
		}
	}
	found := make(map[int]bool)
	for _, o := range known {
		if !shows(move, o.Salt) {
			continue
		}
		word := o.Secret[:]
		if index(rest, o.Secret) < 0 {
			word = bytes.TrimLeft(word, "\x00")
		}
		if o.Secret == (common.Hash{}) || bytes.Count(rest, word) != 1 {
			continue
		}
		for i := range word {
			found[bytes.Index(rest, word)+i] = true
		}
	}
	return found
}
