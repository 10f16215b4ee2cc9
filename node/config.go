package node

import (
	"cmp"
	"context"
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
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Config is what a node is composed of. All fields without a default are required.
type Config struct {
	Store store.Store

	Chain chain.Config // the endpoint; Alarm is the node's to set
	Arena common.Address
	From  uint64 // block in which the Arena was deployed: nothing of interest happened before

	// Player is the key of the account that owns the money: it signs openings, speaks for the
	// account among peers and signs its invites. With an Owner it is the owner's deputy instead: a
	// key that does the latter two only.
	Player protocol.Signer
	Owner  Owner // of the money, where its key is not the node's to hold; nil: Player
	// GasPayer signs the transactions that anybody may send, disputes above all, and pays for them.
	// It must sign without asking. It may be an account of its own that holds nothing but gas.
	GasPayer chain.Signer
	// OwnerSigner signs the transactions of the account that owns the money: deposits and
	// withdrawals. Nil: GasPayer, if that is the account; otherwise it has to be told what to do
	// elsewhere (*Elsewhere).
	OwnerSigner chain.Signer
	// the session key of the channel with that salt: the same after a restart
	Sessions func(salt common.Hash) (protocol.Signer, error)
	Games    games.Catalog
	Rules    map[string]common.Address // where each game's rules contract is, by game name

	Scoreboard common.Address // where wins and losses are counted; zero: nowhere

	// Network joins the peer-to-peer network, given where signatures are good and what to do with
	// what arrives.
	Network func(protocol.Domain, transport.Handler) (Network, error)

	// Towers is how many towers AddTower will be called for. Until so many have said what they hold
	// of it, a channel that was in the store at the start signs nothing, for as long as
	// Policy.Patience or until its seat's clock on the chain presses: the store could be an old
	// copy.
	Towers int

	Policy Policy
	Fees   chain.Fees
	// Lobby lets others post invites here, for everybody to see who connects.
	Lobby bool

	Now  func() time.Time // monotonic, as time.Now is, which is the default: patience is measured by it
	Rand io.Reader        // cryptographically secure; default: crypto/rand.Reader
	Log  *slog.Logger     // default: discard
}

// Network is how a node reaches others: an account is known by the address that its node proved
// (PeerBinding). Implementations are safe for concurrent use.
type Network interface {
	// Send queues a message for an account. It never blocks, delivers at most once, and fails when
	// the account is not connected.
	Send(to common.Address, env *antev1.Envelope) error
	// Keep remembers where an account is, and keeps a connection to it.
	Keep(account common.Address, addrs ...string) error
	// Forget stops keeping an account, and disconnects it.
	Forget(account common.Address)
	// Connect waits until an account is connected.
	Connect(ctx context.Context, account common.Address) error
	// Addresses returns where this node can be reached.
	Addresses() []string
	// Peers returns the accounts that are known.
	Peers() []transport.Peer
	// Group returns the group of network addresses that a connected account counts with, see
	// budget.Group; "" if that is unknown.
	Group(account common.Address) string
	Close() error
}

// Policy is the user's standing settings.
type Policy struct {
	// Accept says whether to accept an offer of a channel without asking; nil, or false: ask. It
	// may be called concurrently and may call the node.
	Accept func(Offer) bool
	// Lends says that Accept opens channels with anybody, unattended: an alarm stands while the
	// node has no channel and lacks the money for one. Nil: the user sees why an offer fails.
	Lends *Lends
	// Approve says whether to play a proposed match without asking; nil, or false: ask. It may be
	// called concurrently and may call the node. Whatever it says, the user is asked about a match
	// in which another seat stakes less than this one, or less than the game considers fair
	// (games.Game.Fair, money.Met).
	Approve func(Proposal) bool
	// Bot lets the game's bot choose the player's moves in every match.
	Bot bool
	// BotAtDeadline lets the bot move rather than let a clock run out on-chain.
	BotAtDeadline bool

	// Patience is how long the node waits for a silent peer before it goes to the chain; 0 means
	// DefaultPatience.
	Patience time.Duration
	// Leave closes the channel in the transaction that starts a silent peer's clock, if no other
	// match is at play: two transactions and one window in all. Without it the channel stays open,
	// and leaving it later takes two more transactions and another window.
	Leave bool
	// Confirmations is how many blocks, its own included, make a block final; 0 means that of the
	// chain package.
	Confirmations uint64
	// Margin is how long before an on-chain deadline waiting ends, in the Arena's clock; 0 means a
	// tenth of the window.
	Margin uint64
	// Floor is the least value, in wei or token units, that gas is spent on.
	Floor uint256.Int
	// LeastStake is the least that each other seat must stake in a match for ETH, in wei, for the
	// node to play it; 0 means what enforcing it costs at today's price, because who stakes less
	// can stall for nothing.
	LeastStake uint256.Int
	// LeastTokens is the same for tokens, in their smallest units: what a token is worth in gas is
	// unknown, so matches for one that is not among them are refused.
	LeastTokens map[common.Address]uint256.Int
	// AnyStake plays matches for less than they cost to enforce, free ones too.
	AnyStake bool
	// GasPrice is the price of gas, in wei, used to weigh a step on-chain against what it saves; 0
	// means the price in the newest block.
	GasPrice uint256.Int
	// Push has a close pay straight to the players' wallets instead of their bank balances, unless
	// that fails.
	Push bool
	// PublishWins publishes this node's wins on the score board once so many of a channel wait, or
	// the channel is paid out, if they are worth the gas. 0: only PublishScore does so.
	PublishWins uint64
	// History is how many finished matches keep their moves, the newest; 0 means DefaultHistory.
	History int
	// Poll is the time between requests to the chain; 0 means DefaultPoll.
	Poll time.Duration
}

// Lends is what a house needs in the bank to play with anybody.
type Lends struct {
	Asset common.Address
	Least uint256.Int // of it in the bank, without which every offer is declined
}

// Defaults of a Policy.
const (
	DefaultPatience = 5 * time.Minute
	DefaultPoll     = 2 * time.Second
)

// Errors of a node's calls. They are wrapped with what to do next.
var (
	ErrUnknownChannel = errors.New("unknown channel")
	ErrUnknownMatch   = errors.New("unknown match")
	ErrUnknownOffer   = errors.New("unknown offer")
	ErrUnknownInvite  = errors.New("unknown invite")
	ErrRequest        = errors.New("bad request") // it makes no sense, whatever there is
	ErrFunds          = errors.New("insufficient funds")
	ErrDeclined       = errors.New("declined")
	ErrBusy           = errors.New("not so fast")
	ErrNotSent        = errors.New("nothing was sent to the chain")
	ErrClosed         = errors.New("the node is closed")
	// ErrStore is returned when the store refuses to write, for example because the disk is full.
	// Nothing has happened then.
	ErrStore = errors.New("the store refuses")
)

// account returns the account that owns the money.
func (c *Config) account() common.Address {
	if c.Owner != nil {
		return c.Owner.Address()
	}
	return c.Player.Address()
}

func (c *Config) complete() error {
	switch {
	case c.Store == nil, c.Chain.URL == "", c.Player == nil, c.GasPayer == nil, c.Sessions == nil, c.Network == nil:
		return errors.New("node: Config needs Store, Chain.URL, Player, GasPayer, Sessions and Network")
	case c.OwnerSigner != nil && c.OwnerSigner.Address() != c.account():
		return fmt.Errorf("node: OwnerSigner is account %s, but the money is %s's", c.OwnerSigner.Address(), c.account())
	case c.Arena == (common.Address{}):
		return errors.New("node: Config needs the Arena's address")
	case len(c.Games) == 0:
		return errors.New("node: Config needs at least one game")
	}
	for name := range c.Rules {
		if _, err := c.Games.Find(name); err != nil {
			return fmt.Errorf("node: rules contract of a game that this program lacks: %w; run one that has it, or take its line out of games", err)
		}
	}
	if c.OwnerSigner == nil && c.GasPayer.Address() == c.account() {
		c.OwnerSigner = c.GasPayer
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Rand == nil {
		c.Rand = secureRandom
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Policy.Patience = cmp.Or(c.Policy.Patience, DefaultPatience)
	c.Policy.History = cmp.Or(c.Policy.History, DefaultHistory)
	c.Policy.Poll = cmp.Or(c.Policy.Poll, DefaultPoll)
	return nil
}
