package tower

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Config is what a tower is composed of. All fields without a default are required.
type Config struct {
	Store store.Store // of its own: no node's

	Chain chain.Config // the endpoint; Alarm is the tower's to set
	Arena common.Address
	From  uint64 // block in which the Arena was deployed

	Key      protocol.Signer // by which it is known to its peers; signs the receipts
	GasPayer chain.Signer    // pays for gas; nothing else uses that account
	Games    games.Catalog
	Rules    map[string]common.Address // where each game's rules contract is, by game name

	// Network joins the peer-to-peer network, given where signatures are good and what to do with
	// what arrives.
	Network func(protocol.Domain, transport.Handler) (Network, error)

	Policy Policy
	Fees   chain.Fees
	Limits Limits

	Now func() time.Time // default: time.Now; for rates only, never for deadlines
	Log *slog.Logger     // default: discard
}

// Network is how a tower answers its peers. Implementations are safe for concurrent use.
type Network interface {
	// Send queues a message for an account. It never blocks.
	Send(to common.Address, env *antev1.Envelope) error
	// Addresses returns where the tower can be reached.
	Addresses() []string
	// Group returns the group of network addresses that a connected account counts with: see
	// budget.Group.
	Group(common.Address) string
	io.Closer
}

// Policy says when a tower spends gas, and how soon.
type Policy struct {
	// Confirmations is how many blocks, its own included, make a block final; 0 means that of the
	// chain package.
	Confirmations uint64
	// Margin is how long before a deadline waiting ends, in the Arena's clock; 0 means a tenth of
	// the window.
	Margin uint64
	// Floor is the least value, in wei or token units, that gas is spent on.
	Floor uint256.Int
	// GasPrice is the price of gas, in wei, used to weigh a step against what it saves; 0 means the
	// price in the newest block.
	GasPrice uint256.Int
	// Poll is the time between requests to the chain; 0 means DefaultPoll.
	Poll time.Duration
}

// Limits are what seats may use of a tower. A zero field means its default.
type Limits struct {
	Seats int // whose evidence is held at once; 1,000,000
	Bytes int // of evidence of one seat of one channel, at most MaxBytes; 1 MiB
	Disk  int // bytes of evidence of all seats; 16 GiB
	// how long evidence is kept after its seat was last heard of, in the Arena's clock; 90 days
	// (648,000 blocks)
	Keep  uint64
	Every time.Duration // between the messages of one account, in the long run; 50 ms
	Burst int           // messages of one account at once; 256
	// the least that a channel's deposits sum to, in wei or token units, for it to be served; 0
	Locked uint256.Int
}

// MaxBytes is the most evidence that may be held for a seat. It is shown at once, with the ledger
// that another seat gave, of a message at most: p2p has 2 MiB of room for what waits for one peer.
const MaxBytes = 2<<20 - 2*wire.MaxMessage

// DefaultPoll is the default time between requests to the chain.
const DefaultPoll = 2 * time.Second

// Why evidence is not taken.
var (
	ErrUnknownChannel = errors.New("no such channel is open on the chain, as far as this tower has followed it")
	ErrStranger       = errors.New("only a seat of the channel may ask or give")
	ErrRefused        = errors.New("the evidence does not hold")
	ErrFull           = errors.New("no room")
	ErrBusy           = errors.New("not so fast")

	errTrouble = errors.New("the tower has trouble of its own; it stored nothing of this")
)

func (c *Config) complete() error {
	switch {
	case c.Store == nil, c.Chain.URL == "", c.Key == nil, c.GasPayer == nil, c.Network == nil:
		return errors.New("tower: Config needs Store, Chain.URL, Key, GasPayer and Network")
	case c.Arena == (common.Address{}):
		return errors.New("tower: Config needs the Arena's address")
	case c.Limits.Bytes > MaxBytes:
		return fmt.Errorf("tower: Limits.Bytes is %d, at most %d: a seat could not be shown more", c.Limits.Bytes, MaxBytes)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Policy.Poll = cmp.Or(c.Policy.Poll, DefaultPoll)
	c.Limits.complete()
	return nil
}

// complete fills in the defaults.
func (l *Limits) complete() {
	for field, most := range map[*int]int{&l.Seats: 1_000_000, &l.Bytes: 1 << 20, &l.Disk: 16 << 30, &l.Burst: 256} {
		*field = cmp.Or(*field, most)
	}
	l.Every = cmp.Or(l.Every, 50*time.Millisecond)
}

// keep returns how long evidence is kept, in the Arena's clock.
func (l *Limits) keep(clock chain.Clock) uint64 {
	const days = 90
	switch {
	case l.Keep != 0:
		return l.Keep
	case clock == chain.Blocks:
		return days * 7200
	}
	return days * 24 * 60 * 60
}
