package disputes

import (
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// Signed is one signature of one position.
type Signed struct {
	Turn      protocol.Turn
	State     common.Hash
	Seat      uint8 // of the match
	Signature protocol.Signature
}

// FindEquivocations looks for seats that signed two positions at one turn, and returns a proof for
// each. A proof holds two hashes and two signatures however long the match was. It checks every
// signature against the signers (by seat of the match), so that false signatures accuse nobody.
// Other kinds of cheating need no such proof: a provable lie is a support whose last move ends the
// match.
func FindEquivocations(d protocol.Domain, matchID common.Hash, signers []common.Address, said []Signed) []protocol.Equivocation {
	type spot struct {
		turn protocol.Turn
		seat uint8
	}
	var proofs []protocol.Equivocation
	var proved uint16
	known := make(map[spot][]Signed, len(said))
	for _, b := range said {
		at := spot{b.Turn, b.Seat}
		if proved&(1<<b.Seat) != 0 {
			continue
		}
		for _, a := range known[at] {
			e := protocol.Equivocation{
				MatchID: matchID, Turn: b.Turn, Seat: b.Seat,
				States:     [2]common.Hash{a.State, b.State},
				Signatures: [2]protocol.Signature{a.Signature, b.Signature},
			}
			if e.Verify(d, matchID, signers) == nil {
				proofs, proved = append(proofs, e), proved|1<<b.Seat
				break
			}
		}
		known[at] = append(known[at], b)
	}
	return proofs
}
