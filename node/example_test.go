package node_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Two players lock an ether each, play a match of Mastermind for a tenth of it, and are paid out.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	world, err := dev.Start(ctx, devnet.Config{}, catalog.Standard())
	check(err)
	defer world.Close()
	alice, bob := start(ctx, world, 0), start(ctx, world, 1)
	defer alice.Close()
	defer bob.Close()
	check(dev.Connect(ctx, alice, bob))

	ether, stake := uint256.NewInt(1e18), uint256.NewInt(1e17)
	check(dev.Deposit(ctx, bob, ether))
	offer, err := alice.Offer(ctx, node.OpenRequest{
		Peers:    []common.Address{bob.Account()},
		Deposits: []uint256.Int{*ether, *ether},
		Window:   100, // blocks to answer in, should it come to a dispute
	})
	check(err)
	channel, err := alice.Opened(ctx, offer)
	check(err)

	check(alice.Propose(channel.ID, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*stake}}))
	result, err := alice.Finished(ctx, channel.ID, 1)
	check(err)
	fmt.Println("cheated:", result.Guilty != 0, "- moves made off-chain:", result.Turn > 10)

	check(alice.CloseChannel(channel.ID))
	check(alice.Closed(ctx, channel.ID))
	free, err := alice.BankBalance(ctx, common.Address{})
	check(err)
	fmt.Println("won or lost:", new(uint256.Int).Add(free, stake).Eq(new(uint256.Int).Add(ether, &result.Payouts[0])))
	// Output:
	// cheated: false - moves made off-chain: true
	// won or lost: true
}

// start starts a node that accepts every offer and lets the bot play.
func start(ctx context.Context, w *dev.World, account int) *node.Node {
	n, err := w.Node(ctx, account)
	check(err)
	return n
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
