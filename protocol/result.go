package protocol

import (
	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Result says which seats won, lost and drew a match. Its seats sign it for the score board
// (contracts/src/Scoreboard.sol). Channel and nonce name the match. The masks are of the channel's
// seats, and share none.
type Result struct {
	ChannelID              common.Hash
	Nonce                  uint64 // of the match's terms, as the rules
	Rules                  common.Address
	Winners, Losers, Drawn uint16
}

// SignedResult is a result with the signature of each seat in its masks, by ascending seat.
type SignedResult struct {
	Result
	Signatures []Signature
}

var resultType = crypto.Keccak256Hash([]byte("Result(bytes32 channelId,uint64 nonce,address rules,uint16 winners,uint16 losers,uint16 drawn)"))

// Digest is what each seat's session signer signs.
func (r *Result) Digest(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(resultType).Hash(r.ChannelID).Uint64(r.Nonce).Address(r.Rules).
		Uint64(uint64(r.Winners)).Uint64(uint64(r.Losers)).Uint64(uint64(r.Drawn)).Sum())
}

// NewResult returns the result of a match, given for each of its seats 1 (won), 0 (drawn) or -1
// (lost).
func NewResult(t *MatchTerms, standing []int) Result {
	r := Result{ChannelID: t.ChannelID, Nonce: t.Nonce, Rules: t.Rules}
	for i, seat := range t.Seats {
		switch bit := uint16(1) << seat; {
		case standing[i] > 0:
			r.Winners |= bit
		case standing[i] < 0:
			r.Losers |= bit
		default:
			r.Drawn |= bit
		}
	}
	return r
}
