package channel_test

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Two seats play a match of the toy rules. A real driver keeps the entries of every step before it
// sends its messages.
func Example() {
	var keys [2]*protocol.Key
	terms := protocol.Terms{Window: 100, OpenBy: 1000}
	for i := range keys {
		private, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i)}))
		if err != nil {
			panic(err)
		}
		keys[i] = protocol.NewKey(private)
		terms.Players = append(terms.Players, common.Address{1, byte(i)})
		terms.Signers = append(terms.Signers, keys[i].Address())
		terms.Deposits = append(terms.Deposits, *uint256.NewInt(1000))
	}
	var seats [2]*channel.Machine
	for i := range seats {
		m, _, err := channel.New(channel.Config{Domain: protocol.Domain{ChainID: 1}, Terms: terms, Seat: i, Signer: keys[i],
			Rules: toyResolver{}, Policy: channel.Policy{Approve: func(*protocol.MatchTerms) bool { return true }}})
		if err != nil {
			panic(err)
		}
		seats[i] = m
	}
	var step func(i int, in channel.Input)
	step = func(i int, in channel.Input) {
		fx, err := seats[i].Step(in)
		if err != nil {
			panic(err)
		}
		for _, e := range fx.Events {
			switch e := e.(type) {
			case channel.LedgerSigned:
				fmt.Printf("seat %d holds ledger %d with %d locks\n", i, e.Ledger.Version, len(e.Ledger.Locks))
			case channel.Moved:
				fmt.Printf("seat %d sees turn %s\n", i, e.Turn)
			}
		}
		for _, o := range fx.Messages {
			step(o.To, channel.Received{From: i, Message: o.Message})
		}
	}
	for i := range seats {
		step(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: seats[i].ID(), Terms: terms}})
	}
	for i := range seats {
		fx, err := seats[i].Step(channel.ChainSeen{Event: onchain.Opened{ChannelID: seats[i].ID(), Terms: terms}, Final: true})
		if err != nil || len(fx.Events) != 1 {
			panic(err)
		}
	}
	stakes := []uint256.Int{*uint256.NewInt(50), *uint256.NewInt(50)}
	step(0, channel.ProposeMatch{Rules: toyAddress, Seats: []uint8{0, 1}, Stakes: stakes})
	match := seats[0].Matches()[0]
	step(0, channel.MakeMove{MatchID: match.ID, Turn: 0, Move: []byte{Win}})
	ledger := seats[1].Ledger()
	fmt.Println("balances", ledger.Balances[0].Dec(), ledger.Balances[1].Dec())
	// Output:
	// seat 1 holds ledger 2 with 1 locks
	// seat 0 holds ledger 2 with 1 locks
	// seat 0 sees turn 1
	// seat 1 sees turn 1
	// seat 1 holds ledger 4 with 0 locks
	// seat 0 holds ledger 4 with 0 locks
	// balances 1050 950
}

// A signature is good in one form only, for one kind of message, in one place.
func ExampleSignature_Verify() {
	private, err := crypto.ToECDSA(crypto.Keccak256([]byte("example")))
	if err != nil {
		panic(err)
	}
	key := protocol.NewKey(private)
	here, elsewhere := protocol.Domain{ChainID: 1}, protocol.Domain{ChainID: 2}
	demand := protocol.Demand{MatchID: common.Hash{1}, Turn: 7}
	sig, err := key.Sign(demand.Digest(here))
	if err != nil {
		panic(err)
	}
	fmt.Println(sig.Verify(demand.Digest(here), key.Address()))
	fmt.Println(errors.Is(sig.Verify(demand.Digest(elsewhere), key.Address()), protocol.ErrSignature))
	// Output:
	// <nil>
	// true
}
