package chain_test

import (
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestTheDearestCall: a call that takes nearly all the gas that a transaction may have lands, with
// what follows it. The chain takes none whose limit is higher.
func TestTheDearestCall(t *testing.T) {
	o := newOffice(t, nil)
	dear := crypto.CreateAddress(o.chain.Address(9), 1)
	// mstore(0x290000, 0) takes 14 million gas
	o.send(9, nil, common.FromHex("66"+"5f622900005200"+"5f52"+"60076019f3"))
	o.mine(1)
	r := chain.Request{Key: "a", Why: "a long turn", To: dear, Defence: true}
	if _, err := o.Submit(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	o.defend("b", 0)
	o.want(o.step(3), "mined a", "mined b", "done a", "done b")
}
