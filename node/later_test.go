package node_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// TestOnlyWhoIsBusySaysSo: an offerer is told to come back where there was too much to do, and
// nothing of any other trouble. Who can't be told shows in the error.
func TestOnlyWhoIsBusySaysSo(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	for _, c := range []struct {
		why  error
		told bool
	}{{node.ErrBusy, true}, {chain.ErrBudget, true}, {fmt.Errorf("%w: at once", node.ErrBusy), true}, {errors.New("other"), false}, {node.ErrFunds, false}} {
		err := p.Later(common.Address{9}, common.Hash{1}, c.why)
		if told := errors.Is(err, transport.ErrUnknownPeer); told != c.told || !errors.Is(err, c.why) {
			t.Errorf("%v: told %t, %v", c.why, told, err)
		}
	}
}
