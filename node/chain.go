package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

const cursorKey = "chain/cursor"

// chainConfig is what the node's driver needs.
func (n *Node) chainConfig() driver.Config {
	c := &n.config
	endpoint := c.Chain
	endpoint.Alarm = n.alarm
	return driver.Config{
		Chain: endpoint, Arena: c.Arena, From: c.From, Store: c.Store, Cursor: cursorKey, GasPayer: c.GasPayer, Fees: c.Fees,
		Games: c.Games, Rules: c.Rules, Scoreboard: c.Scoreboard, Confirmations: c.Policy.Confirmations, Poll: c.Policy.Poll, GasPrice: c.Policy.GasPrice,
		Channels: func() int { return len(n.allSessions()) }, Reads: n.reads,
	}
}

// follow tells the sessions what the chain says until the node closes.
func (n *Node) follow(ctx context.Context) {
	err := n.drive.Follow(ctx, chain.Reader{
		Bad: n.badLog, Happened: n.happened, Reached: n.reached, Trouble: func(err error) { n.fault(following, err) },
	})
	if ctx.Err() == nil {
		n.fault(following, fmt.Errorf("it has stopped, no dispute is answered until the node is started again: %w", err))
	}
}

// badLog tells the user of a log that can't be decoded, once a block: blocks are undone whole.
func (n *Node) badLog(bad *chain.BadLog) {
	if bad.Undone {
		n.logUndone(bad.Block.Hash.Hex())
		return
	}
	n.warnOfLog(common.Hash{}, bad.Block.Hash.Hex(), "the Arena said something that this program cannot read; look for a newer version: "+bad.Error())
}

// newHead lets the sender, every session and the offers look at a new block. What fails is tried
// again at the next block.
func (n *Node) newHead(ctx context.Context) {
	reports, err := n.drive.Sender.Step(ctx)
	n.fault("sending transactions", err)
	for i := range reports {
		n.report(ctx, &reports[i])
	}
	poke(n.spent)
	n.fault("fetching facts for rules", n.drive.Facts.Fetch(ctx))
	now := n.now()
	n.lookAround(ctx) // sends what is due before what only looks at the account waits for an endpoint
	n.fault("having gas for disputes", n.stillDefends(ctx))
	n.fault("having money to play with", n.stillLends(ctx))
	n.fault("resizing channels", n.tendResizes(ctx))
	n.fault("opening channels", n.tendOffers(ctx, now))
	n.fault("meeting opponents", n.tendInvites(ctx))
	n.fault("organising rounds", n.tendRounds(ctx))
	poke(n.scored)
}

// happened routes one event of the Arena.
func (n *Node) happened(e *chain.Event) error {
	id, _ := onchain.Of(e.Event) // decode passes over what is about none
	s, err := n.session(id)
	switch {
	case errors.Is(err, ErrUnknownChannel) && e.Stage == chain.Undone:
		n.logUndone(openingOf(id))
		return nil
	case errors.Is(err, ErrUnknownChannel):
		s, err = n.adopt(e.Event)
	case errors.Is(err, ErrEnded) && e.Stage == chain.Undone:
		s, err = n.revive(id, e)
	}
	if s == nil && (errors.Is(err, errUnreadable) || errors.Is(err, channel.ErrRecords)) { // so it is each time
		n.Warn("past "+id.Hex(), fmt.Sprintf("what is kept of channel %s can't be read, so that nobody answers to what the chain says of it: restore a backup: %v", id, err))
		return nil
	}
	if s == nil || err != nil {
		if errors.Is(err, ErrEnded) {
			return nil
		}
		return err
	}
	return s.happened(e)
}

// reached looks at what is to be done at a new block.
func (n *Node) reached(ctx context.Context, r *chain.Reach) error {
	read := n.see(r)
	if read {
		n.nudge()
		n.log.wake()
	}
	n.fault("learning how fast the chain makes blocks", n.learnPace(ctx, r.Head))
	n.drive.Facts.At(r)
	if !r.Behind {
		n.fault("reading what gas costs", n.drive.LookAtPrices(ctx, r.Head))
		n.newHead(ctx)
		n.handle()
	}
	n.log.wake()
	return nil
}

// tendOwnerSender runs the transactions of the player's own account separately, because its signer
// may ask a person.
func (n *Node) tendOwnerSender(ctx context.Context) {
	if n.ownerSender == nil || n.ownerSender == n.drive.Sender {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.spent:
		}
		reports, err := n.ownerSender.Step(ctx)
		n.fault("sending the player's own transactions", err)
		for i := range reports {
			n.report(ctx, &reports[i])
		}
		n.log.wake()
	}
}
