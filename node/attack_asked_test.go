package node_test

import (
	"testing"
	"time"

	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// reticent is a token that says its symbol and fails, without reverting, when it is asked for its
// decimals.
var reticent = common.FromHex("601680600b6000396000f3" + "60003560e01c6395d89b4114601057fe5b60206000f3")

// TestAttack_StarvedRPC_Opening: a stranger offers channels one after the other, all of which would
// be accepted. No endpoint is asked more than the 16 questions that a stranger has, whatever the
// token says, whoever the stranger is, and whether there is a second endpoint.
func TestAttack_StarvedRPC_Opening(t *testing.T) {
	t.Parallel()
	plain := common.FromHex(testbindings.TestTokenMetaData.Bin)
	for name, c := range map[string]struct {
		token    []byte // nil: ETH
		wallet   bool   // the stranger's account is a contract
		accepted int
		asked    []int // by endpoint
	}{
		"ETH":                           {nil, false, 3, []int{3 * 5}},
		"ETH, by a wallet":              {nil, true, 3, []int{3 * 5}},
		"ETH, two endpoints":            {nil, false, 3, []int{3 * 5, 3 * 2}},
		"a token":                       {plain, false, 2, []int{2 + 2*5}},
		"a token, two endpoints":        {plain, false, 2, []int{2 + 2*5, 2 + 2*2}},
		"a token that fails":            {reticent, false, 1, []int{2 + 7 + 3*2}},
		"one that fails, two endpoints": {reticent, true, 1, []int{2 + 7 + 3*2, 2 + 4 + 3*2}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &square{network: memory.New(1, memory.Faults{})}
			var endpoints []*chaintest.Endpoint
			house := join(t, func(config *node.Config) {
				chain := config.Chain
				for range c.asked {
					config.Chain = chain
					endpoints = append(endpoints, behind(t, config))
				}
				config.Chain.URL = endpoints[0].URL
				if len(endpoints) > 1 {
					config.Chain.Second = endpoints[1].URL
				}
				config.Policy.Poll = time.Hour // what it asks by itself it asks once
				began := time.Now()
				config.Now = func() time.Time { return began }
				config.Chain.Now = config.Now
				config.Network = func(_ protocol.Domain, h transport.Handler) (node.Network, error) {
					return place{s.network.Join(config.Player.Address(), porter{s, h}), s}, nil
				}
			})
			must(t, house.Wait(t.Context(), func() (bool, error) { return house.Head().Block > 0, nil }))
			key, err := crypto.GenerateKey()
			must(t, err)
			x := &stranger{Key: protocol.NewKey(key)}
			account := x.Address()
			if c.wallet {
				account = newWallet(t).Address()
			}
			x.terms = protocol.Terms{
				Players: []common.Address{account, house.Account()}, Signers: []common.Address{x.Address(), {}},
				Deposits: []uint256.Int{*stake, {}}, Window: 1000, OpenBy: now(t, house) + dev.MaxWindow,
			}
			if c.token != nil {
				made, err := world(t).Chain.Deploy(t.Context(), c.token)
				must(t, err)
				x.terms.Asset = made.ContractAddress
			}
			x.place = place{s.network.Join(account, x), s}
			must(t, x.place.Keep(house.Account(), house.Network().Addresses()...))
			s.settle()
			before := make([]int, len(endpoints))
			for i, e := range endpoints {
				before[i] = all(e)
			}
			for i := range 8 {
				x.terms.Salt[0] = byte(i)
				must(t, x.place.Send(house.Account(), message.Envelope(common.Hash{}, message.OpenOffer{Terms: x.terms})))
				s.settle()
				if len(x.answers) != i+1 || (x.answers[i].Decline == "") != (i < c.accepted) || (x.answers[i].Again > 0) != (i >= c.accepted) {
					t.Fatalf("offer %d is answered %+v", i+1, x.answers[i:])
				}
			}
			for i, e := range endpoints {
				if got := all(e) - before[i]; got != c.asked[i] {
					t.Errorf("endpoint %d is asked %d questions, want %d", i+1, got, c.asked[i])
				}
			}
		})
	}
}

// all is how often an endpoint was asked for anything.
func all(e *chaintest.Endpoint) (sum int) {
	for _, n := range e.Asked() {
		sum += n
	}
	return sum
}
