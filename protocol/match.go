package protocol

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// MatchTerms are what a match is played under. They never change.
type MatchTerms struct {
	ChannelID common.Hash
	Nonce     uint64         // version << 8 | index of the ledger that first locks the match
	Rules     common.Address // the rules contract
	Seats     []uint8        // the channel seats that play, ascending
	Stakes    []uint256.Int  // by seat of the match
	Params    []byte         // the game's own encoding
}

// Signers returns the signers of the match's seats, which must be seats of the channel.
func (m *MatchTerms) Signers(t *Terms) []common.Address {
	signers := make([]common.Address, len(m.Seats))
	for i, seat := range m.Seats {
		signers[i] = t.Signers[seat]
	}
	return signers
}

// MaxParams caps the bytes of a match's parameters.
const MaxParams = 1024

var matchType = crypto.Keccak256Hash([]byte(
	"MatchTerms(bytes32 channelId,uint64 nonce,address rules,uint8[] seats,uint256[] stakes,bytes params)"))

// ID returns the match's id: the EIP-712 digest of its terms.
func (m *MatchTerms) ID(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(matchType).
		Hash(m.ChannelID).Uint64(m.Nonce).Address(m.Rules).Uint8s(m.Seats).Uint256s(m.Stakes).Bytes(m.Params).Sum())
}

// Check refuses terms that the Arena would refuse in a channel of so many seats.
func (m *MatchTerms) Check(channelSeats int) error {
	if len(m.Seats) < 2 || len(m.Stakes) != len(m.Seats) {
		return fmt.Errorf("%w: match of %d seats and %d stakes in a channel of %d", ErrTerms, len(m.Seats), len(m.Stakes), channelSeats)
	}
	for i, s := range m.Seats {
		if int(s) >= channelSeats || i > 0 && s <= m.Seats[i-1] {
			return fmt.Errorf("%w: match seats %v are not ascending seats of the channel", ErrTerms, m.Seats)
		}
	}
	if len(m.Params) > MaxParams {
		return fmt.Errorf("%w: %d bytes of parameters, at most %d", ErrTerms, len(m.Params), MaxParams)
	}
	_, err := sum(m.Stakes)
	return err
}

// SameGame reports whether two matches are played under the same terms, channel and nonce aside.
func (m *MatchTerms) SameGame(o *MatchTerms) bool {
	return m.Rules == o.Rules && bytes.Equal(m.Seats, o.Seats) && slices.Equal(m.Stakes, o.Stakes) && bytes.Equal(m.Params, o.Params)
}
