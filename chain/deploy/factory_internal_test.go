package deploy

import (
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestFactoryTx: the transaction is of the account that is paid, and makes the factory where it is
// known to be.
func TestFactoryTx(t *testing.T) {
	t.Parallel()
	by, err := types.Sender(types.HomesteadSigner{}, factoryTx())
	if err != nil || by != maker || crypto.CreateAddress(by, 0) != Factory {
		t.Errorf("it is of account %v, %v, and makes %v; want %v and %v", by, err, crypto.CreateAddress(by, 0), maker, Factory)
	}
}
