package tower

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// Tower holds evidence for others, and answers with it on the chain. Safe for concurrent use.
//
// A channel's lock is taken before the tower's mutex. Slow work (the disk, signatures, the chain)
// is done with at most a channel's lock held, so a channel delays only those that share its lock.
type Tower struct {
	config Config
	domain protocol.Domain
	drive  *driver.Driver // of the chain
	net    Network

	// of the channels, by the last byte of their ids: one is held while the chain is asked; see
	// lock
	locks [256]chan struct{}

	mu       sync.Mutex
	disputes map[common.Hash]*dispute // the channels in which something is due
	counts   Counts
	head     Head          // that it has followed the chain to
	newest   chain.Block   // of the chain
	sure     uint64        // the Arena's clock as both endpoints told it when all up to then was read
	swept    uint64        // when the expired were last dropped, in the Arena's clock
	fault    error         // what does not work now
	stands   error         // the chain stands still: see stopped
	short    error         // the account can't pay for disputes
	unseen   chain.Unseen  // why nothing that happens on the chain is seen
	news     chan struct{} // closed at the next change

	seated map[common.Address]int // accounts that have shown a seat, and of how many they were heard of last
	copied bool                   // another program has the tower's key

	appointments *driver.Appointments // kept of those accounts
	wallets      *chain.Wallets

	budgets budgets

	ready chan struct{}   // closed once messages may be handled
	run   context.Context // ends with the tower
	stop  context.CancelFunc
	done  sync.WaitGroup
	close sync.Once
}

// Head is the newest block that a tower has handled: it has sent every transaction that the block
// calls for.
type Head struct {
	Block uint64
	Clock uint64 // the Arena's
}

// Start composes a tower and runs it until Close.
func Start(ctx context.Context, config Config) (*Tower, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	t := &Tower{
		config: config, disputes: map[common.Hash]*dispute{}, unseen: chain.Unseen{}, news: make(chan struct{}), ready: make(chan struct{}),
		seated: map[common.Address]int{}, appointments: driver.NewAppointments(config.Store, config.Log), budgets: newBudgets(config.Now, &config.Limits),
	}
	for i := range t.locks {
		t.locks[i] = make(chan struct{}, 1)
	}
	endpoint := config.Chain
	endpoint.Alarm = t.alarm
	t.drive = driver.New(driver.Config{
		Chain: endpoint, Arena: config.Arena, From: config.From, Store: config.Store, Cursor: cursorKey, GasPayer: config.GasPayer,
		Fees: config.Fees, Games: config.Games, Rules: config.Rules, Confirmations: config.Policy.Confirmations,
		Poll: config.Policy.Poll, GasPrice: config.Policy.GasPrice, Reads: func(id common.Hash, e onchain.Event) bool { return e != nil || t.knows(id) },
	})
	t.run, t.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := t.compose(ctx); err != nil {
		t.stop()
		t.drive.Close()
		return nil, err
	}
	close(t.ready)
	t.done.Go(func() { t.follow(t.run) })
	t.done.Go(func() { t.watch(t.run) })
	return t, nil
}

func (t *Tower) compose(ctx context.Context) error {
	c := &t.config
	if err := t.drive.Open(ctx); err != nil {
		return err
	}
	t.domain, t.wallets = t.drive.Domain(), chain.NewWallets(t.drive.Client)
	if err := t.restore(); err != nil {
		return err
	}
	var err error
	// seats come at once, and what they give is dated by it
	if t.newest, err = t.drive.Client.Head(ctx); err != nil {
		return err
	}
	if t.net, err = c.Network(t.domain, handler{t}); err != nil {
		// what comes with the error may be a nil pointer, and is not closed
		return fmt.Errorf("join the network: %w", err)
	}
	return nil
}

// Close stops the tower and returns when all its goroutines have ended. The store stays open: its
// owner closes it. Calling Close again does nothing.
func (t *Tower) Close() error {
	var err error
	t.close.Do(func() {
		t.stop()
		err = t.net.Close()
		t.done.Wait()
		t.drive.Close()
	})
	return err
}

// Account returns the address by which peers know the tower, and which signs its receipts.
func (t *Tower) Account() common.Address { return t.config.Key.Address() }

// Network returns the tower's peers and addresses.
func (t *Tower) Network() Network { return t.net }

// Head returns how far the tower has followed the chain, everything up to there included.
func (t *Tower) Head() Head {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.head
}

// now returns the Arena's clock in the newest block, also while the tower still follows what was
// before.
func (t *Tower) now() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.drive.Arena.TimeOf(t.newest)
}

// Counts says how much a tower holds, and what it did since its start.
type Counts struct {
	Seats    int    // for which evidence is held
	Bytes    int    // of evidence of all of them
	Disputes int    // channels in which something is due on-chain, or may soon be
	Answered uint64 // transactions that did something, finally
	// transactions that did nothing and never will: what they were to do was done by others, say
	Failed uint64
}

// Counts returns how much the tower holds and has done.
func (t *Tower) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts
	c.Disputes = len(t.disputes)
	return c
}

// Seats returns for how many seats evidence is held.
func (t *Tower) Seats() int { return t.Counts().Seats }

// count notes that evidence came, or went.
func (t *Tower) count(seats, bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Seats += seats
	t.counts.Bytes += bytes
}

// Err returns what keeps the tower from doing its work now, nil when all is well.
func (t *Tower) Err() error {
	t.mu.Lock()
	wrong := errors.Join(t.fault, t.short, t.unseen.Why(false))
	t.mu.Unlock()
	return errors.Join(wrong, t.stopped())
}

// Transactions returns how the tower's transactions stand, the newest first.
func (t *Tower) Transactions(limit int) ([]chain.Report, error) { return t.drive.Sender.History(limit) }

// Wait waits until ready returns true. It asks again after every event and block.
func (t *Tower) Wait(ctx context.Context, ready func() (bool, error)) error {
	for {
		t.mu.Lock()
		news := t.news
		t.mu.Unlock()
		if ok, err := ready(); ok || err != nil {
			return err
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		case <-t.run.Done():
			return context.Canceled
		}
	}
}

// wake has everybody look again who waits.
func (t *Tower) wake() {
	t.mu.Lock()
	close(t.news)
	t.news = make(chan struct{})
	t.mu.Unlock()
}

// lock takes a channel's lock, and returns the function that releases it. It is a channel, not a
// mutex: waiting for a mutex stops the clock of testing/synctest, and with it the answer that the
// holder waits for.
func (t *Tower) lock(id common.Hash) (unlock func()) {
	l := t.locks[id[len(id)-1]]
	l <- struct{}{}
	return func() { <-l }
}
