// Package driver is what a node and a tower do alike with the chain: they dial it, follow the
// Arena, know what gas costs now, and send what a dispute calls for. Each holds a Driver and adds
// what is its own: channels and a player, or the evidence of others.
package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// Config says which chain a driver follows, and who pays there.
type Config struct {
	Chain chain.Config // the endpoints
	Arena common.Address
	From  uint64 // block in which the Arena was deployed
	Store store.Store
	// key in the store of how far the chain was read; keys that begin with it and a slash are the
	// driver's, too, as are rules/… and numbers/…
	Cursor   string
	GasPayer chain.Signer
	Fees     chain.Fees
	Games    games.Catalog
	Rules    map[string]common.Address // where each game's rules contract is, by game name

	Scoreboard common.Address // zero: none is sent to

	Confirmations uint64        // blocks that make one final; 0: chain.DefaultConfirmations
	Poll          time.Duration // between two looks at the chain; 0: chain's default
	GasPrice      uint256.Int   // wei that a unit of gas is taken to cost; 0: what the market asks

	Channels func() int // that the gas payer may have to defend; nil: one
	// Reads says which events about channels are taken in; those of the bank never are. Of a log
	// that can't be read the event is nil: it is passed over where Reads is false of the channel
	// that it names, which anybody can invent. Required.
	Reads func(id common.Hash, e onchain.Event) bool
}

// Driver is a connection to a chain with an Arena. Methods are safe for concurrent use once it is
// open; what it exports is set by Open.
type Driver struct {
	Client *chain.Client
	Arena  *chain.Arena
	Codec  *codec.Codec
	Sender *chain.Sender // of the gas payer
	Facts  *chain.Facts  // that rules may ask for

	config   Config
	follower *chain.Follower
	checks   []*check // Open's, then proveAgain's

	mu     sync.Mutex
	market money.Market // in the newest block
}

// New returns a driver that is not connected yet.
func New(config Config) *Driver { return &Driver{config: config} }

// Open connects to the chain. Nothing is followed or sent yet. Where the rules or the block numbers
// of the chain are not what the program takes them for, or that isn't known, it fails; once this
// Arena was followed with this store, it raises an alarm (*chain.Unproved) instead. After an error,
// too, Close frees what it holds.
func (d *Driver) Open(ctx context.Context) (err error) {
	c := &d.config
	followed, err := chain.Followed(c.Store, c.Cursor, c.Arena)
	if err != nil {
		return err
	}
	if c.Chain.ChainID == 0 {
		c.Chain.ChainID = followed
	}
	if d.Client, err = chain.Dial(ctx, c.Chain); err != nil {
		return err
	}
	if d.Arena, err = chain.ReopenArena(ctx, d.Client, c.Arena, c.Store); err != nil {
		return err
	}
	if err = d.prove(ctx, followed != 0); err != nil {
		return err
	}
	d.Codec = codec.New(d.Arena.Domain())
	d.follower, err = chain.NewFollower(d.Client, chain.FollowConfig{
		Arena: c.Arena, From: c.From, Kinds: codec.Kinds(), Decode: d.decode, Confirmations: c.Confirmations, Poll: c.Poll,
	})
	if err != nil {
		return err
	}
	if d.Facts, err = chain.NewFacts(d.Client, c.Store, c.Confirmations); err != nil {
		return err
	}
	d.Sender, err = d.NewSender(c.GasPayer)
	return err
}

// Close ends the connection.
func (d *Driver) Close() {
	if d.Client != nil {
		d.Client.Close()
	}
}

// Domain returns where signatures are good.
func (d *Driver) Domain() protocol.Domain { return d.Arena.Domain() }

// leastReserve is the gas that a reserve has at least: the limit of one answer, which must be paid
// for though less is used, because the Arena calls rules only where a fixed amount is there.
const leastReserve = 1_500_000

// NewSender returns the sender of an account. There must be no other of it.
func (d *Driver) NewSender(of chain.Signer) (*chain.Sender, error) {
	fees := d.config.Fees
	if fees.Reserve != 0 { // else it is the default
		fees.Reserve = max(fees.Reserve, leastReserve)
	}
	return chain.NewSender(d.Client, chain.SenderConfig{
		Signer: of, Store: d.config.Store, Fees: fees, Confirmations: d.config.Confirmations, Now: d.latest, Explain: codec.Explain,
		Channels: d.config.Channels,
	})
}

// decode reads a log about a channel, and passes over all others.
func (d *Driver) decode(l types.Log) (onchain.Event, error) {
	e, err := d.Codec.Decode(l)
	if err != nil {
		if id, named := codec.Channel(l); named && !d.config.Reads(id, nil) {
			return nil, nil
		}
		return nil, err
	}
	id, about := onchain.Of(e)
	if !about || !d.config.Reads(id, e) {
		return nil, nil
	}
	return e, nil
}

// Follow tells a reader what the Arena says until the context ends, or only people can help: see
// chain.Follower.Keep.
func (d *Driver) Follow(ctx context.Context, r chain.Reader) error {
	heads := make(chan struct{}, 1)
	var proving sync.WaitGroup
	proving.Go(func() { d.proveAgain(ctx, heads) })
	defer proving.Wait()
	defer close(heads)
	reached := r.Reached
	r.Reached = func(ctx context.Context, at *chain.Reach) error {
		err := reached(ctx, at)
		if !at.Behind {
			select {
			case heads <- struct{}{}:
			default: // it will look anyway
			}
		}
		return err
	}
	return d.follower.Keep(ctx, d.config.Store, d.config.Cursor, r)
}

// Now asks the chain for the Arena's clock in the newest block.
func (d *Driver) Now(ctx context.Context) (uint64, error) {
	block, err := d.Client.Head(ctx)
	if err != nil {
		return 0, err
	}
	return d.Arena.TimeOf(block), nil
}

// latest is Now for what is to land before a deadline: where the Arena counts blocks, by the higher
// of both endpoints' newest. One that lies can so have more bid for it, within the limits, but by
// the lower one's word it would never be urgent.
func (d *Driver) latest(ctx context.Context) (uint64, error) {
	if d.Arena.Clock() == chain.Blocks {
		return d.Client.Highest(ctx)
	}
	return d.Now(ctx)
}

// LookAtPrices learns what gas costs in a block. When no endpoint tells its tip, or what data
// costs, what was before counts.
func (d *Driver) LookAtPrices(ctx context.Context, b chain.Block) error {
	market, err := d.Client.Market(chain.Hasty(ctx), b)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		known := d.market
		known.BaseFee, known.Cheap, known.Dear = market.BaseFee, market.Cheap, market.Dear
		market = known
	}
	d.market = market
	return err
}

// Market returns what LookAtPrices learnt last.
func (d *Driver) Market() money.Market {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.market
}

// GasPrice returns what a unit of gas costs now, and the data that goes with it, in wei: by the
// lower of two base fees, since by the word of one endpoint alone no answer is too dear.
func (d *Driver) GasPrice() uint256.Int {
	if !d.config.GasPrice.IsZero() {
		return d.config.GasPrice
	}
	market := d.Market().Cheapest()
	return *uint256.NewInt(market.Price() + market.Data())
}

// Send sends an action. The request's key names it: asking again never sends it twice.
func (d *Driver) Send(ctx context.Context, r chain.Request, action onchain.Action) (chain.Report, error) {
	call, err := d.Codec.Encode(action)
	if err != nil {
		return chain.Report{}, err
	}
	r.To, r.Data, r.Value = d.config.Arena, call.Data, call.Value
	return d.Sender.Submit(ctx, r)
}

// mostLost is how many transactions are sent and fail, for all that one endpoint of two says that
// they would, before both must say that the next one does not.
const mostLost = 3

// Submit sends a dispute's transaction (disputes.Submitter). An error wraps disputes.ErrFailed
// where the chain refuses it, or it takes too much gas, and disputes.ErrUnpaid where the account
// can't pay for it.
func (d *Driver) Submit(ctx context.Context, s disputes.Submission) error {
	report, err := d.Send(ctx, chain.Request{Key: s.ID, Why: s.Why, Deadline: s.Deadline, Usual: s.Usual, Failed: s.Lost > 0, Again: s.Lost >= mostLost, Most: s.Most, Once: true, Defence: true, Stake: s.Stake, Asset: s.Asset, Waits: s.Waits}, s.Action)
	if err == nil && report.Err != nil {
		return fmt.Errorf("%w: %w", disputes.ErrFailed, report.Err)
	}
	switch {
	case errors.As(err, new(*chain.Reverted)):
		return fmt.Errorf("%w: %w", disputes.ErrFailed, err)
	case errors.As(err, new(*chain.EmptyWallet)):
		return fmt.Errorf("%w: %w", disputes.ErrUnpaid, err)
	}
	return err
}

// Failure returns why a transaction failed, as Watcher.Failed takes it.
func Failure(r *chain.Report) error {
	if errors.Is(r.Err, chain.ErrMadeWay) {
		return fmt.Errorf("%w: %w", disputes.ErrUnpaid, r.Err)
	}
	return r.Err
}

// Game returns the game whose rules contract is at an address.
func (d *Driver) Game(at common.Address) (games.Game, error) {
	return d.config.Games.At(d.config.Rules, at)
}

// Rules returns the rules at a contract's address, which are told the facts of the chain
// (channel.Resolver).
func (d *Driver) Rules(at common.Address) (games.Rules, error) {
	g, err := d.Game(at)
	if err != nil {
		return nil, err
	}
	return games.WithFacts(g.Rules, d.Facts.Of(at)), nil
}
