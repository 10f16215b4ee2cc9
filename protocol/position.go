package protocol

import (
	"fmt"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Turn counts the moves of a match: epoch << 32 | moves. Every expiry on-chain raises the epoch and
// zeroes the moves, so that nothing signed before an expiry collides with what is signed after it.
type Turn uint64

// Epoch returns how many expiries came before.
func (t Turn) Epoch() uint32 { return uint32(t >> 32) }

// Moves returns how many moves were made since the last expiry, or since the start.
func (t Turn) Moves() uint32 { return uint32(t) }

// NextEpoch returns the turn that an expiry at this turn leads to.
func (t Turn) NextEpoch() Turn { return Turn(t.Epoch()+1) << 32 }

func (t Turn) String() string {
	if t.Epoch() == 0 {
		return fmt.Sprint(t.Moves())
	}
	return fmt.Sprintf("%d.%d", t.Epoch(), t.Moves())
}

// Position is a match's state after Turn moves, as it is signed. State is keccak256 of the rule
// state's bytes.
type Position struct {
	MatchID common.Hash
	Turn    Turn
	State   common.Hash
}

// Agreement ends a match by consent of all its seats: a draw or a concession. It is dead as soon as
// a higher turn is supported. Payouts range over the match's seats and sum to its stakes.
type Agreement struct {
	MatchID common.Hash
	Turn    Turn
	Payouts []uint256.Int
}

// Contest is a seat's signed request to close the channel one-sidedly with a version.
type Contest struct {
	ChannelID common.Hash
	Version   uint64
}

// Demand is a seat's signed request to start the mover's clock at a recorded turn.
type Demand struct {
	MatchID common.Hash
	Turn    Turn
}

// PeerBinding ties a libp2p peer to the account that signs it: a seat's signer or a player.
type PeerBinding struct {
	PeerID    []byte // the binary form of the signing peer's id
	Challenge common.Hash
	Expiry    uint64 // Unix seconds
}

var (
	positionType  = crypto.Keccak256Hash([]byte("Position(bytes32 matchId,uint64 turn,bytes32 state)"))
	agreementType = crypto.Keccak256Hash([]byte("Agreement(bytes32 matchId,uint64 turn,uint256[] payouts)"))
	contestType   = crypto.Keccak256Hash([]byte("Contest(bytes32 channelId,uint64 version)"))
	demandType    = crypto.Keccak256Hash([]byte("Demand(bytes32 matchId,uint64 turn)"))
	bindingType   = crypto.Keccak256Hash([]byte("PeerBinding(bytes peerId,bytes32 challenge,uint64 expiry)"))
)

// StateHash returns the hash of a rule state in a Position.
func StateHash(state []byte) common.Hash { return crypto.Keccak256Hash(state) }

// Digest returns what a mover or countersigner signs.
func (p Position) Digest(d Domain) common.Hash {
	return p.digestUnder(d.Separator())
}

func (p Position) digestUnder(separator common.Hash) common.Hash {
	return eip712.Digest(separator, eip712.NewEncoder(positionType).Hash(p.MatchID).Uint64(uint64(p.Turn)).Hash(p.State).Sum())
}

// Digest returns what every seat of the match signs.
func (a *Agreement) Digest(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(agreementType).Hash(a.MatchID).Uint64(uint64(a.Turn)).Uint256s(a.Payouts).Sum())
}

// Digest returns what the contesting seat's signer or player signs.
func (c Contest) Digest(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(contestType).Hash(c.ChannelID).Uint64(c.Version).Sum())
}

// Digest returns what the demanding seat signs.
func (m Demand) Digest(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(demandType).Hash(m.MatchID).Uint64(uint64(m.Turn)).Sum())
}

// Digest returns what the bound account signs.
func (b *PeerBinding) Digest(d Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(bindingType).Bytes(b.PeerID).Hash(b.Challenge).Uint64(b.Expiry).Sum())
}
