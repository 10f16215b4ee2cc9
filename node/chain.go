package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
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
		Games: c.Games, Rules: c.Rules, Confirmations: c.Policy.Confirmations, Poll: c.Policy.Poll, GasPrice: c.Policy.GasPrice,
		Channels: func() int { return len(n.allSessions()) }, Reads: n.reads,
	}
}

// reads reports whether an event is of one of this player's channels, or opens one, which has a session made.
func (n *Node) reads(id common.Hash, e onchain.Event) bool {
	_, err := n.session(id)
	return err == nil || n.seatIn(e) >= 0
}

// follow tells the sessions what the chain says until the node closes.
func (n *Node) follow(ctx context.Context) {
	err := n.drive.Follow(ctx, chain.Reader{
		Bad: func(bad *chain.BadLog) {
			n.alarmText(common.Hash{}, "the Arena said something that this program cannot read; look for a newer version: "+bad.Error())
		},
		Happened: n.happened, Reached: n.reached, Trouble: func(err error) { n.fault(following, err) },
	})
	if ctx.Err() == nil {
		n.fault(following, fmt.Errorf("it has stopped, no dispute is answered until the node is started again: %w", err))
	}
}

// reached looks at what is to be done at a new block.
func (n *Node) reached(ctx context.Context, r *chain.Reach) error {
	n.mu.Lock()
	n.head = head{r.Head, n.drive.Arena.TimeOf(r.Head), n.drive.Arena.TimeOf(r.Shared)}
	n.pace.add(r.Head)
	read := r.Whole && !n.whole
	n.whole = r.Whole
	n.mu.Unlock()
	if read {
		n.nudge()
		n.log.wake()
	}
	n.fault("learning how fast the chain makes blocks", n.learnPace(ctx, r.Head))
	n.drive.Hashes.At(r.Head, r.Shared)
	if !r.Behind {
		n.fault("reading what gas costs", n.drive.LookAtPrices(ctx, r.Head))
		n.newHead(ctx)
		n.mu.Lock()
		n.handled = n.head
		n.mu.Unlock()
	}
	n.log.wake()
	return nil
}

// sure returns the Arena's clock at the newest block that both endpoints have: what can't be taken back waits for it.
func (n *Node) sure() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.head.sure
}

// now returns the Arena's clock at the newest block seen.
func (n *Node) now() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.head.clock
}

// block returns the number of the newest block that the node has seen.
func (n *Node) block() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.head.block.Number
}

// newHead lets the sender, every session and the offers look at a new block. What fails is tried again at the next one.
func (n *Node) newHead(ctx context.Context) {
	reports, err := n.drive.Sender.Step(ctx)
	n.fault("sending transactions", err)
	for i := range reports {
		n.report(&reports[i])
	}
	n.fault("having gas for disputes", n.stillDefends(ctx))
	n.fault("having money to play with", n.stillLends(ctx))
	select {
	case n.spent <- struct{}{}:
	default: // it will look anyway
	}
	n.fault("fetching block hashes", n.drive.Hashes.Fetch(ctx))
	now := n.now()
	n.lookAround(ctx)
	n.fault("opening channels", n.tendOffers(ctx, now))
	n.fault("meeting opponents", n.tendInvites(ctx))
	n.fault("organising rounds", n.tendRounds(ctx))
	select {
	case n.scored <- struct{}{}:
	default: // it will look anyway
	}
}

// happened routes one event of the Arena.
func (n *Node) happened(e *chain.Event) error {
	id, _ := onchain.Of(e.Event) // decode passes over what is about none
	s, err := n.session(id)
	if errors.Is(err, ErrUnknownChannel) {
		s, err = n.adopt(e.Event)
	}
	if s == nil {
		if errors.Is(err, ErrEnded) {
			return nil
		}
		return err
	}
	return s.happened(e)
}

// report tells the user and the watchers what became of a transaction.
func (n *Node) report(r *chain.Report) {
	text := fmt.Sprintf("%s: %s", r.Why, r.Progress)
	if r.GasUsed > 0 {
		text += fmt.Sprintf(", %d gas", r.GasUsed)
	}
	if r.Err != nil {
		text += ": " + r.Err.Error()
		for _, s := range n.allSessions() {
			s.disputeLock.Lock()
			s.watcher.Failed(r.Key, r.Err) // which knows its own
			s.disputeLock.Unlock()
		}
	}
	n.tell(Event{Kind: Transaction, Text: text})
}
