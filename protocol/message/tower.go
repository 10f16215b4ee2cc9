package message

import (
	"slices"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Messages between a seat and a tower, which answers on-chain while the seat is away.
type (
	// TowerEvidence is what a seat gives to its tower, or what the tower shows to the seat that
	// asks: a ledger that all seats signed, with the terms of matches that it locks; or, with a
	// Support or an Agreement, what can be proved of one of them, whose terms alone are named.
	TowerEvidence struct {
		Mark      StoreMark // of the seat that gives; zero where a tower shows
		Ledger    protocol.SignedLedger
		Matches   []protocol.MatchTerms
		MatchID   common.Hash // of the Support and the Agreement; zero without
		Support   *protocol.Support
		Agreement *protocol.SignedAgreement
		Proofs    []protocol.Equivocation // of the match of the Support or the Agreement
	}
	// TowerAsk asks a tower how much it holds for the sender's seat.
	TowerAsk struct {
		Mark StoreMark
		Show bool // all of it, too
	}
	// TowerReceipt says what a tower holds for the receiver's seat.
	TowerReceipt struct {
		Holding
		Signature protocol.Signature // by the tower's account, of the Holding
		Refusal   string             // why it did not take what it was given just now
	}
)

func (TowerEvidence) isMessage() {}
func (TowerAsk) isMessage()      {}
func (TowerReceipt) isMessage()  {}

// Holding is what a tower holds for one seat of a channel.
type Holding struct {
	Version uint64 // of the newest ledger; 0: none
	Matches []TowerMark
	Mark    StoreMark // the highest that the seat told
	Time    uint64    // by the Arena's clock
	Expiry  uint64    // until when the tower keeps it, unless the channel is paid out before
}

// TowerMark is how far a tower can prove a match.
type TowerMark struct {
	MatchID common.Hash
	protocol.Rank
	Agreement protocol.Mark // of the Agreement that all signed; 0: none
	// bit mask of the seats of the match that it can prove to have signed two positions at one turn
	Proved uint16
}

// Covers reports whether whoever holds this lacks nothing of the other.
func (m TowerMark) Covers(o TowerMark) bool {
	return !o.Rank.Above(m.Rank) && o.Agreement <= m.Agreement && o.Proved&^m.Proved == 0
}

// StoreMark says how often the store of a seat has been opened, signed by the seat itself: nobody
// else can make a seat believe that its store is an old copy.
type StoreMark struct {
	Generation uint64
	Signature  protocol.Signature
}

var (
	storeMarkType    = crypto.Keccak256Hash([]byte("StoreMark(bytes32 channelId,uint64 generation)"))
	towerMarkType    = crypto.Keccak256Hash([]byte("TowerMark(bytes32 matchId,uint64 agreed,uint64 turn,uint64 agreement,uint16 proved)"))
	towerReceiptType = crypto.Keccak256Hash([]byte("TowerReceipt(bytes32 channelId,uint8 seat,uint64 version,TowerMark[] matches,uint64 generation," +
		"uint64 time,uint64 expiry)TowerMark(bytes32 matchId,uint64 agreed,uint64 turn,uint64 agreement,uint16 proved)"))
)

// SignStoreMark makes the mark of a seat's store, with the seat's session key.
func SignStoreMark(d protocol.Domain, channelID common.Hash, generation uint64, signer protocol.Signer) (StoreMark, error) {
	m := StoreMark{Generation: generation}
	var err error
	m.Signature, err = signer.Sign(m.digest(d, channelID))
	return m, err
}

// Verify checks that a seat's session key signed the mark.
func (m *StoreMark) Verify(d protocol.Domain, channelID common.Hash, signer common.Address) error {
	return m.Signature.Verify(m.digest(d, channelID), signer)
}

func (m *StoreMark) digest(d protocol.Domain, channelID common.Hash) common.Hash {
	return d.Digest(eip712.NewEncoder(storeMarkType).Hash(channelID).Uint64(m.Generation).Sum())
}

// Digest is what a tower signs for a seat of a channel.
func (h *Holding) Digest(d protocol.Domain, channelID common.Hash, seat int) common.Hash {
	var marks eip712.Encoder
	for i := range h.Matches {
		m := &h.Matches[i]
		marks.Hash(eip712.NewEncoder(towerMarkType).Hash(m.MatchID).Uint64(uint64(m.Agreed)).Uint64(uint64(m.Turn)).
			Uint64(uint64(m.Agreement)).Uint64(uint64(m.Proved)).Sum())
	}
	return d.Digest(eip712.NewEncoder(towerReceiptType).Hash(channelID).Uint64(uint64(seat)).Uint64(h.Version).Hash(marks.Sum()).
		Uint64(h.Mark.Generation).Uint64(h.Time).Uint64(h.Expiry).Sum())
}

// Match returns how far the tower can prove a match; zero: not at all.
func (h *Holding) Match(id common.Hash) TowerMark {
	if i, found := slices.BinarySearchFunc(h.Matches, id, compareTowerMark); found {
		return h.Matches[i]
	}
	return TowerMark{MatchID: id}
}

// SetMatch puts a match's mark in.
func (h *Holding) SetMatch(m TowerMark) {
	i, found := slices.BinarySearchFunc(h.Matches, m.MatchID, compareTowerMark)
	if !found {
		h.Matches = slices.Insert(h.Matches, i, m)
	}
	h.Matches[i] = m
}

func compareTowerMark(m TowerMark, id common.Hash) int { return m.MatchID.Cmp(id) }
