package protocol

import (
	"bytes"
	"fmt"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// MaxVersion is the largest ledger version that the Arena can hold (40 bits).
const MaxVersion = 1<<40 - 1

// Lock is the money that a running match holds in a ledger. Stakes range over the match's seats.
type Lock struct {
	MatchID common.Hash
	Stakes  []uint256.Int
}

// Ledger is one version of a channel's off-chain allocation. Balances and locks sum to the deposits
// exactly.
type Ledger struct {
	ChannelID common.Hash
	Version   uint64
	Closing   bool
	Balances  []uint256.Int // by seat of the channel
	Locks     []Lock        // by ascending MatchID
}

// SignedLedger is a ledger with the signature of every seat, in order. Version 1 is derived from
// the terms and has none.
type SignedLedger struct {
	Ledger
	Signatures []Signature
}

var (
	lockType   = crypto.Keccak256Hash([]byte("Lock(bytes32 matchId,uint256[] stakes)"))
	ledgerType = crypto.Keccak256Hash([]byte(
		"Ledger(bytes32 channelId,uint64 version,bool closing,uint256[] balances,Lock[] locks)Lock(bytes32 matchId,uint256[] stakes)"))
)

// FirstLedger returns version 1, which needs no signature: everybody has their deposit, nothing is
// locked.
func FirstLedger(id common.Hash, t *Terms) Ledger {
	return Ledger{ChannelID: id, Version: 1, Balances: append([]uint256.Int(nil), t.Deposits...)}
}

// Digest returns what the seats sign.
func (l *Ledger) Digest(d Domain) common.Hash {
	var locks eip712.Encoder
	for i := range l.Locks {
		locks.Hash(eip712.NewEncoder(lockType).Hash(l.Locks[i].MatchID).Uint256s(l.Locks[i].Stakes).Sum())
	}
	return d.Digest(eip712.NewEncoder(ledgerType).
		Hash(l.ChannelID).Uint64(l.Version).Bool(l.Closing).Uint256s(l.Balances).Hash(locks.Sum()).Sum())
}

// Lock returns the lock of a match, or nil.
func (l *Ledger) Lock(matchID common.Hash) *Lock {
	for i := range l.Locks {
		if l.Locks[i].MatchID == matchID {
			return &l.Locks[i]
		}
	}
	return nil
}

// Check refuses a ledger that the Arena would refuse for these terms: wrong shape, locks not
// ascending, a sum that is not the deposits'.
func (l *Ledger) Check(t *Terms) error {
	if l.Version == 0 || l.Version > MaxVersion {
		return fmt.Errorf("%w: ledger version %d, want 1 to %d", ErrTerms, l.Version, uint64(MaxVersion))
	}
	if len(l.Balances) != t.Seats() {
		return fmt.Errorf("%w: %d balances for %d seats", ErrTerms, len(l.Balances), t.Seats())
	}
	if l.Closing && len(l.Locks) > 0 {
		return fmt.Errorf("%w: a closing ledger has %d locks", ErrTerms, len(l.Locks))
	}
	all := append([]uint256.Int(nil), l.Balances...)
	for i := range l.Locks {
		if i > 0 && bytes.Compare(l.Locks[i-1].MatchID[:], l.Locks[i].MatchID[:]) >= 0 {
			return fmt.Errorf("%w: locks are not in ascending order of match id", ErrTerms)
		}
		all = append(all, l.Locks[i].Stakes...)
	}
	got, err := sum(all)
	if err != nil {
		return err
	}
	want, err := t.Total()
	if err != nil {
		return err
	}
	if !got.Eq(want) {
		return fmt.Errorf("%w: ledger sums to %s, deposits to %s", ErrTerms, got.Dec(), want.Dec())
	}
	return nil
}
