package box9

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// houseFirst is how many blocks players leave to the house to have closed bets noted.
const houseFirst = 2

// noteBets has the closed bets noted before their block when a signature lacks: otherwise who
// withholds it decides after the draw whether the round counts, or what rolled is played for. The
// house does so at once when nobody signs any more, players who have something in the round
// houseFirst blocks later: theirs may be mined in each of the blocks that are left, three at the
// least margin.
func noteBets(t seat) *games.Call {
	s := &t.State
	if s.Phase != Drawing || s.Bets == (Masks{}) || t.Made == nil || signedByAll(t) {
		return nil
	}
	from := signBefore(t.Params, *s)
	if t.Seat != House {
		if s.Bets[t.Seat] == 0 && s.Rolled[t.Seat].IsZero() {
			return nil
		}
		from += houseFirst
	}
	// What is sent now is in the next block at the earliest. An endpoint that claims more blocks
	// must not make it look too late.
	if t.Context.Facts.Head() < from || t.Context.Facts.Sure()+1 >= s.Block {
		return nil
	}
	c := t.Context
	return &games.Call{
		Data:   bindings.NewBox9().PackNote(c.Domain, c.MatchID, c.Signers, t.Made.Turn, rules{}.EncodeState(*s), t.Made.Move, t.Made.Signature),
		Why:    fmt.Sprintf("not every seat signs the bets of block %d: once noted before it, they count", s.Block),
		Before: s.Block,
		Gas:    noteGas(len(s.Pocket)),
		Worth:  s.worth(t.Params),
		Slot:   s.noteKey(c),
	}
}

// worth is what a round decides about: its bets, and what has rolled.
func (s *State) worth(p Params) *uint256.Int {
	v := s.pot(Whole)
	for seat := range s.Pocket { // no more than what was staked
		v.Add(v, p.cost(s.Bets[seat]))
	}
	return v
}

// noteGas is what noting takes when every player bets.
func noteGas(seats int) uint64 {
	least, most := contracts.Gas["box9_note"], contracts.Gas["box9_note_16"]
	return least + (most-least)*uint64(seats-2)/(games.MaxSeats-2)
}

// noteKey is the slot in which the contract notes the bets of the state's round: the hash of the
// ABI's encoding of domain, match, signers, round and block.
func (s *State) noteKey(c *games.Context) common.Hash {
	b := slices.Concat(c.Domain[:], c.MatchID[:])
	for _, n := range []uint64{5 * 32, uint64(s.Round), s.Block, uint64(len(c.Signers))} {
		b = appendWord(b, binary.BigEndian.AppendUint64(nil, n))
	}
	for i := range c.Signers {
		b = appendWord(b, c.Signers[i][:])
	}
	return crypto.Keccak256Hash(b)
}

func appendWord(b, value []byte) []byte { return append(b, common.LeftPadBytes(value, 32)...) }
