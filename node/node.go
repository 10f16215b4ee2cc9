package node

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var secureRandom io.Reader = rand.Reader

// Node plays its player's channels: it keeps their state, talks to the peers, follows the chain and defends the player's
// money there. Safe for concurrent use.
type Node struct {
	config Config
	domain protocol.Domain
	drive  *driver.Driver // of the chain
	log    *eventLog
	net    Network
	*alarms

	wallets     *chain.Wallets // players that are contracts
	ownerSender *chain.Sender  // of the player's account; nil: there is none here

	mu       sync.Mutex
	sessions map[common.Hash]*session       // by channel id
	shares   map[common.Address][]*session  // by another player
	proved   map[common.Address]common.Hash // digests of the deputies that players of channels proved to have appointed
	head     head
	pace     pace
	handled  head
	whole    bool                   // all blocks up to the newest were read
	saw      bool                   // the chain was seen for certain when reconsider looked
	invited  map[common.Hash]uint64 // invites by name that the user was told of, and when each expires: Unix seconds
	asking   map[common.Hash]bool   // openings that the owner is being asked to sign
	deputy   *protocol.SignedDeputy // speaks for the owner; nil: there is no other than Config.Player

	invites  sync.Mutex // held while an invite is read, changed and written; taken after a session's lock, never before
	pursuing lock       // held while a joined invite is taken on, the chain asked included; taken before all others
	board    *lobby.Board
	lobbies  []common.Address // that are to show this player's invites
	looks    map[uint64]*look
	lastLook uint64

	lateResults sync.Mutex // held while a result of a channel that is over is read, changed and written

	offers sync.Mutex // held while an offer is read, changed and written; never while the chain or the user is asked
	funds  lock       // held while money is moved in or out
	rounds sync.Mutex // held while a round is read, changed and written; never while the chain, a session or the user is asked
	units  units
	houses map[common.Address]int // that were asked for their rounds since the start, and how often they answered; with rounds held

	budgets   budgets // what others can make the node do
	reminders reminders

	towers towers
	began  time.Time // when it started

	nudged chan struct{} // holds a token when the sessions are to look at the chain at once
	spent  chan struct{} // holds a token when the owner's sender is to look at the chain
	scored chan struct{} // holds a token when wins may be published
	over   atomic.Int64  // matches and channels that ended since the surplus of them was forgotten

	ready chan struct{}   // closed once messages may be handled
	run   context.Context // ends with the node
	stop  context.CancelFunc
	done  sync.WaitGroup
	close sync.Once
}

// head is the newest block that the node has seen, or handled.
type head struct {
	block chain.Block
	clock uint64 // the Arena's, in it
	sure  uint64 // the same, in the newest block that both endpoints have
}

// Start composes a node, restores its channels from the store, and runs it until Close.
func Start(ctx context.Context, config Config) (*Node, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	n := newNode(ctx, config)
	if err := n.compose(ctx); err != nil {
		n.stop()
		if n.net != nil {
			err = errors.Join(err, n.net.Close())
		}
		n.drive.Close()
		return nil, err
	}
	n.keepPeers()
	if err := n.restoreInvites(); err != nil {
		config.Log.Error("invites not shown again", "error", err)
	}
	close(n.ready)
	n.done.Go(func() { n.follow(n.run) })
	n.done.Go(func() { n.tick(n.run) })
	n.done.Go(func() { n.serveTowers(n.run) })
	n.done.Go(func() { n.tendOwnerSender(n.run) })
	n.done.Go(func() { n.tendEnded(n.run) })
	for _, s := range n.allSessions() {
		n.done.Go(s.decide)
	}
	return n, nil
}

// newNode makes a node that knows nothing yet.
func newNode(ctx context.Context, config Config) *Node {
	n := &Node{
		config: config, sessions: map[common.Hash]*session{}, alarms: newAlarms(), houses: map[common.Address]int{},
		budgets: newBudgets(config.Now), shares: map[common.Address][]*session{}, proved: map[common.Address]common.Hash{},
		looks:  map[uint64]*look{},
		towers: towers{stirred: map[common.Hash]bool{}, news: make(chan struct{}, 1), lost: make(chan struct{}, 1)},
		asking: map[common.Hash]bool{}, invited: map[common.Hash]uint64{},
		pursuing: newLock(), funds: newLock(), nudged: make(chan struct{}, 1), spent: make(chan struct{}, 1), scored: make(chan struct{}, 1), ready: make(chan struct{}),
	}
	n.began = config.Now()
	n.over.Store(forgetEvery)
	n.run, n.stop = context.WithCancel(context.WithoutCancel(ctx))
	n.drive = driver.New(n.chainConfig())
	n.alarms.run, n.alarms.log, n.alarms.now, n.alarms.commit, n.alarms.wake = n.run, config.Log, config.Now, n.commit, func() { n.log.wake() }
	return n
}

func (n *Node) compose(ctx context.Context) error {
	var err error
	if n.log, err = openEventLog(n.config.Store, func() int64 { return n.config.Now().Unix() }); err != nil {
		return err
	}
	if err = n.drive.Open(ctx); err != nil {
		return err
	}
	n.domain = n.drive.Domain()
	n.wallets = chain.NewWallets(n.drive.Client)
	n.board = lobby.NewBoard(n.domain, lobby.Limits{})
	block, err := n.drive.Client.Head(ctx)
	if err != nil {
		return err
	}
	if err := n.drive.LookAtPrices(ctx, block); err != nil {
		return err
	}
	if err := n.openOwnerSender(); err != nil {
		return err
	}
	if err := n.appoint(ctx); err != nil {
		return err
	}
	net, err := n.config.Network(n.domain, handler{n})
	if err != nil {
		return fmt.Errorf("join the network: %w", err) // what comes with the error may be a nil pointer, and is not closed
	}
	n.net = net
	if err := n.restore(); err != nil {
		return err
	}
	return n.learnAll(ctx)
}

// Close stops the node and returns when nothing of it runs any more. The store stays open: it is its owner's to close.
// Nothing is lost: a node started on the same store goes on. Calling it again does nothing.
func (n *Node) Close() error {
	var err error
	n.close.Do(func() {
		n.stop()
		err = n.net.Close()
		n.done.Wait()
		n.drive.Close()
	})
	return err
}

// Account returns the player's address, by which peers know this node.
func (n *Node) Account() common.Address { return n.config.account() }

// Domain returns where the node's signatures are good.
func (n *Node) Domain() protocol.Domain { return n.domain }

// Network returns the node's peers and addresses.
func (n *Node) Network() Network { return n.net }

// Events yields what happened after a cursor (0: from the oldest kept), and goes on as things happen until the context
// ends, whose error comes last.
func (n *Node) Events(ctx context.Context, after uint64) iter.Seq2[Event, error] {
	return n.log.read(ctx, after)
}

// BankBalance returns the player's free balance in the Arena, in wei or token units.
func (n *Node) BankBalance(ctx context.Context, asset common.Address) (*uint256.Int, error) {
	return n.drive.Arena.Bank(ctx, asset, n.Account())
}

// Bank returns an account's free balance in the Arena, in wei or token units.
func (n *Node) Bank(ctx context.Context, asset, account common.Address) (*uint256.Int, error) {
	return n.drive.Arena.Bank(ctx, asset, account)
}

// Means returns what an account could deposit in a channel that it opens, in wei or token units: its bank balance and, in ETH, what
// it holds outside the Arena. The chain is asked at that account's cost, for
// what accepting the channel takes too: it fails with ErrBusy when the account asks for too much.
func (n *Node) Means(ctx context.Context, asset, account common.Address) (*uint256.Int, error) {
	if err := n.charge(n.budgets.chain, account, 2+questionsOfOpening); err != nil {
		return nil, err
	}
	free, err := n.Bank(ctx, asset, account)
	if err != nil || asset != (common.Address{}) {
		return free, err
	}
	wallet, err := n.Balance(ctx, account)
	if err != nil {
		return nil, err
	}
	return free.Add(free, wallet), nil
}

// Balance returns what an account holds outside the Arena, in wei.
func (n *Node) Balance(ctx context.Context, account common.Address) (*uint256.Int, error) {
	return n.drive.Client.Balance(ctx, account)
}

func (n *Node) random(b []byte) error {
	if _, err := io.ReadFull(n.config.Rand, b); err != nil {
		return fmt.Errorf("read randomness: %w", err)
	}
	return nil
}

// commit makes changes and events durable together.
func (n *Node) commit(changes map[string][]byte, events []Event) error {
	done, err := n.log.write(changes, events)
	if err != nil {
		return err
	}
	defer done()
	if len(changes) == 0 {
		return nil
	}
	return n.config.Store.Commit(changes)
}

// session returns the session of a channel. It fails with ErrEnded when the channel is paid out and let go.
func (n *Node) session(id common.Hash) (*session, error) {
	n.mu.Lock()
	s := n.sessions[id]
	n.mu.Unlock()
	if s != nil {
		return s, nil
	}
	c, err := n.pastChannel(id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	case c != nil:
		return nil, fmt.Errorf("%w: %s", ErrEnded, id)
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknownChannel, id)
}

// allSessions returns the sessions by channel, so that what they send one after the other comes in the same order each time.
func (n *Node) allSessions() []*session {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]*session, 0, len(n.sessions))
	for _, s := range n.sessions {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *session) int { return a.id.Cmp(b.id) })
	return list
}
