package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// money says what a table's Arena has (audit.Source).
type money struct{ *table }

func (m money) Held(asset common.Address) (*uint256.Int, error) { return m.held(asset), nil }

func (m money) Bank(account, asset common.Address) (*uint256.Int, error) {
	return m.owed(account, asset), nil
}

// read returns what the Arena said in a transaction.
func (tb *table) read(r *types.Receipt) (said []onchain.Event) {
	tb.Helper()
	for _, log := range r.Logs {
		if log.Address != tb.arena {
			continue
		}
		ev, err := tb.codec.Decode(*log)
		if err != nil {
			tb.Fatalf("the Arena said what the codec can't read: %v", err)
		}
		said = append(said, ev)
	}
	return said
}

// follow takes what the Arena said in a transaction into account, checks that it is solvent, and
// returns it.
func (tb *table) follow(r *types.Receipt) []onchain.Event {
	tb.Helper()
	said := tb.read(r)
	tb.ok(tb.auditor.Post(said...))
	tb.ok(tb.auditor.Check())
	return said
}

// empty fails unless all that was ever locked was paid out.
func (tb *table) empty(t *testing.T) {
	t.Helper()
	if err := tb.auditor.Empty(); err != nil {
		t.Error(err)
	}
}
