package driver

import (
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// Appointments remembers which deputies contract wallets were found to have appointed. Anybody can
// claim to be a player's deputy, so who has not been good before is asked about from a stranger's
// share, which others may have used up. Safe for concurrent use.
type Appointments struct {
	store store.Store
	log   *slog.Logger

	mu   sync.Mutex
	kept map[common.Address]common.Hash // digests, by account: stored
	met  map[common.Address]common.Hash // of accounts that may come to be kept
	gone map[string][]byte              // what is to leave the store: no longer kept
}

// maxMet caps the accounts that are remembered and not kept.
const maxMet = 1 << 10

// appointmentPrefix is where appointments lie that are kept.
const appointmentPrefix = "proved/"

// NewAppointments returns what remembers nothing yet.
func NewAppointments(s store.Store, log *slog.Logger) *Appointments {
	return &Appointments{store: s, log: log, kept: map[common.Address]common.Hash{}, met: map[common.Address]common.Hash{}, gone: map[string][]byte{}}
}

// Good reports whether an appointment was found to be good before.
func (a *Appointments) Good(account common.Address, digest common.Hash) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return digest != (common.Hash{}) && (a.kept[account] == digest || a.met[account] == digest)
}

// Note remembers an appointment that is good; keep says whether also after a restart.
func (a *Appointments) Note(account common.Address, digest common.Hash, keep bool) {
	changes := a.note(account, digest, keep)
	if len(changes) == 0 {
		return
	}
	if err := a.store.Commit(changes); err != nil {
		a.log.Warn("an appointment is forgotten at the next start", "peer", account, "error", err)
	}
}

// note returns what is to be stored, if an appointment is.
func (a *Appointments) note(account common.Address, digest common.Hash, keep bool) (changes map[string][]byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if keep {
		if a.kept[account] != digest {
			changes, a.gone = a.gone, map[string][]byte{}
			changes[appointmentPrefix+account.Hex()] = digest[:]
		}
		delete(a.met, account)
		a.kept[account] = digest
		return changes
	}
	for other := range a.met {
		if len(a.met) < maxMet {
			break
		}
		delete(a.met, other)
	}
	a.met[account] = digest
	return nil
}

// Keep keeps from now on what an account proved.
func (a *Appointments) Keep(account common.Address) {
	a.mu.Lock()
	digest, met := a.met[account]
	a.mu.Unlock()
	if met {
		a.Note(account, digest, true)
	}
}

// Forget no longer keeps what an account proved: it leaves the store with what is kept next.
func (a *Appointments) Forget(account common.Address) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, kept := a.kept[account]; kept {
		a.gone[appointmentPrefix+account.Hex()] = nil
	}
	delete(a.kept, account)
}

// Restore takes up what was kept before a restart, of those accounts that keep names.
func (a *Appointments) Restore(keep func(common.Address) bool) error {
	gone := map[string][]byte{}
	err := a.store.Scan(appointmentPrefix, "", func(key string, digest []byte) error {
		if account := common.HexToAddress(strings.TrimPrefix(key, appointmentPrefix)); keep(account) {
			a.note(account, common.BytesToHash(digest), true)
		} else {
			gone[key] = nil
		}
		return nil
	})
	return errors.Join(err, a.store.Commit(gone))
}
