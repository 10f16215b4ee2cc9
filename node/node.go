package node

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ethereum/go-ethereum/common"
)

var secureRandom io.Reader = rand.Reader

// Node plays its player's channels: it keeps their state, talks to the peers, follows the chain and
// defends the player's money there. Safe for concurrent use.
//
// It is composed of the parts below, each of which owns its locks and its records in the store. A
// part uses only the parts listed before it.
type Node struct {
	*core
	*funds    // money outside of channels
	*channels // and what is played in them
	*means    // what they take: deposits, and gas for disputes
	*names    // of accounts
	*scores   // of published wins
	*towers   // that answer while the node is off
	*offers   // of channels
	*browser  // of what others invite to
	*meeting  // of opponents: invites, lobbies, bids
	*rounds   // that a house organises
	*archive  // of what is over

	saw   bool          // the chain was seen for certain when reconsider looked
	ready chan struct{} // closed once messages may be handled
	close sync.Once
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
	if err := n.appointments.Restore(n.partner); err != nil {
		config.Log.Error("appointments of deputies not read", "error", err)
	}
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
	b := &base{alarms: newAlarms(), config: config, began: config.Now()}
	b.run, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	b.alarms.run, b.alarms.log, b.alarms.now, b.alarms.commit, b.alarms.wake = b.run, config.Log, config.Now, b.commit, func() { b.log.wake() }
	c := &core{base: b, sight: &sight{base: b}, identity: &identity{base: b}, directory: &directory{base: b, chosen: map[common.Address]bool{}}, roster: newRoster(driver.NewAppointments(config.Store, config.Log)), budgets: newBudgets(config.Now), presence: newPresence()}
	n := &Node{core: c, funds: newFunds(c), ready: make(chan struct{})}
	n.channels = newChannels(c, n.funds)
	n.means = &means{core: c, funds: n.funds, channels: n.channels}
	n.names = newNames(c)
	n.scores = &scores{core: c, channels: n.channels}
	n.towers = &towers{core: c, channels: n.channels}
	n.offers = newOffers(c, n.funds, n.channels, n.means)
	n.browser = newBrowser(c)
	n.meeting = newMeeting(c, n.funds, n.channels, n.offers, n.browser)
	n.rounds = newRounds(c, n.funds, n.channels, n.offers)
	n.archive = newArchive(c, n.channels, n.scores, n.meeting, n.rounds)
	n.channels.arranged = arrangements{rounds: n.rounds, meeting: n.meeting}
	n.offers.arranged = n.channels.arranged
	b.config.Store = &telling{config.Store, func(changes map[string][]byte) {
		n.channels.results.wrote(changes)
		n.rounds.records.wrote(changes)
	}}
	b.drive = driver.New(n.chainConfig())
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
	n.board = lobby.NewBoard(n.domain)
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
		// what comes with the error may be a nil pointer, and is not closed
		return fmt.Errorf("join the network: %w", err)
	}
	n.net = net
	if err := errors.Join(n.names.load(), n.restore()); err != nil {
		return err
	}
	return n.learnAll(ctx)
}

// Close stops the node and returns when all its goroutines have ended. The store stays open: its
// owner closes it. A node started on the same store continues. Calling Close again does nothing.
func (n *Node) Close() error {
	var err error
	n.close.Do(func() {
		n.stop()
		err = n.net.Close()
		n.done.Wait()
		if failed := n.storeWaits(time.Millisecond); failed != nil {
			n.config.Log.Warn("how long peers were silent is not stored: they get some of that time back", "error", failed)
		}
		n.drive.Close()
	})
	return err
}

// learnAll finds out the units of the assets of all channels and invites.
func (n *Node) learnAll(ctx context.Context) error {
	list, err := n.Invites()
	if err != nil {
		return err
	}
	assets := map[common.Address]bool{}
	for _, s := range n.allSessions() {
		assets[s.terms.Asset] = true
	}
	for i := range list {
		assets[list[i].Asset] = true
	}
	for asset := range assets {
		n.learn(ctx, asset)
	}
	return nil
}
