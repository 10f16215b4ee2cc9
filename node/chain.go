package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

const cursorKey = "chain/cursor"

func (n *Node) composeChain() error {
	n.codec = codec.New(n.domain)
	var err error
	n.follower, err = chain.NewFollower(n.client, chain.FollowConfig{
		Arena: n.config.Arena, From: n.config.From, Kinds: codec.Kinds(), Decode: n.decode,
		Confirmations: n.config.Policy.Confirmations, Poll: n.config.Policy.Poll,
	})
	if err != nil {
		return err
	}
	if n.blockHashes, err = chain.NewBlockHashes(n.client, n.config.Store, n.config.Policy.Confirmations); err != nil {
		return err
	}
	config := chain.SenderConfig{
		Signer: n.config.GasPayer, Store: n.config.Store, Fees: n.config.Fees,
		Confirmations: n.config.Policy.Confirmations, Now: n.clock, Explain: codec.Explain,
		Channels: func() int { return len(n.allSessions()) },
	}
	if n.sender, err = chain.NewSender(n.client, config); err != nil {
		return err
	}
	return n.openOwnerSender(config)
}

// decode reads a log, and passes over the channels of others: but for an opening that names this player, which has a session made.
func (n *Node) decode(l types.Log) (onchain.Event, error) {
	e, err := n.codec.Decode(l)
	if err != nil {
		return nil, err
	}
	id, about := onchain.Of(e)
	if !about {
		return nil, nil
	}
	if _, err := n.session(id); err != nil && n.seatIn(e) < 0 {
		return nil, nil
	}
	return e, nil
}

// follow tells the sessions what the chain says until the node closes.
func (n *Node) follow(ctx context.Context) {
	err := n.follower.Keep(ctx, n.config.Store, cursorKey, chain.Reader{
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
	n.head = head{r.Head, n.arena.TimeOf(r.Head), n.arena.TimeOf(r.Shared)}
	n.pace.add(r.Head)
	read := r.Whole && !n.whole
	n.whole = r.Whole
	n.mu.Unlock()
	if read {
		n.nudge()
		n.log.wake()
	}
	n.fault("learning how fast the chain makes blocks", n.learnPace(ctx, r.Head))
	n.blockHashes.At(r.Head, r.Shared)
	if !r.Behind {
		n.fault("reading what gas costs", n.lookAtPrices(ctx, r.Head))
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
	reports, err := n.sender.Step(ctx)
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
	n.fault("fetching block hashes", n.blockHashes.Fetch(ctx))
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

// Submit hands a dispute's transaction to the sender (disputes.Submitter).
func (n *Node) Submit(ctx context.Context, s disputes.Submission) error {
	report, err := n.submit(ctx, chain.Request{Key: s.ID, Why: s.Why, Deadline: s.Deadline, Defence: true}, s.Action)
	var refused *chain.Reverted
	if errors.As(err, &refused) {
		return fmt.Errorf("%w: %w", disputes.ErrFailed, err)
	}
	if err == nil && report.Err != nil {
		return fmt.Errorf("%w: %w", disputes.ErrFailed, report.Err)
	}
	return err
}

// submit sends an action of the player's. The request's key names it: asking again never sends it twice.
func (n *Node) submit(ctx context.Context, r chain.Request, action onchain.Action) (chain.Report, error) {
	call, err := n.codec.Encode(action)
	if err != nil {
		return chain.Report{}, err
	}
	r.To, r.Data, r.Value = n.config.Arena, call.Data, call.Value
	return n.sender.Submit(ctx, r)
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
