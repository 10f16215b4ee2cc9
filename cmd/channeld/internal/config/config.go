// Package config is what a user can set about a daemon: in a YAML file, over it by environment
// variables, over those by flags. Every setting has one name, chain.url say: that is its path in
// the file, --chain.url its flag, and CHANNELD_CHAIN_URL its variable.
package config

import (
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Config is the settings of a daemon, checked.
type Config struct {
	Chain Chain
	Games map[string]common.Address // rules contracts by game
	Peers Peers
	API   API
	Keys  Keys
	Play  Play
	Wait  Wait
	Tower Tower
	Fees  Fees
	Log   Log
}

// Chain says where the money is.
type Chain struct {
	URL    string         // JSON-RPC endpoint
	Second string         // another one to check it against; may be empty
	ID     uint64         // that the chain must have; 0: any
	Arena  common.Address // the contract
	From   uint64         // block in which it was deployed
	// of the newest block, above which an alarm is raised and an endpoint that is behind is not
	// waited for; 0: never
	MaxAge time.Duration
	// requests a second that each endpoint takes; 0: what is learnt when it refuses
	Rate uint64

	Scoreboard common.Address // where wins and losses are counted; zero: nowhere
}

// Endpoints says how to reach the chain.
func (c *Chain) Endpoints() chain.Config {
	return chain.Config{URL: c.URL, Second: c.Second, ChainID: c.ID, MaxAge: c.MaxAge, Rate: float64(c.Rate)}
}

// Peers says how other players' nodes are reached.
type Peers struct {
	Listen []string // multiaddrs
	MDNS   bool     // find peers on the local network

	Lobbies []string // multiaddrs of nodes that are to show this player's invites
	Lobby   bool     // show other players' invites

	FindLobbies bool     // find more of them through those
	Towers      []string // multiaddrs of the towers that answer on-chain while this daemon is off

	Relays []string // multiaddrs of nodes to be reached through, besides lobbies and towers
	Relay  bool     // let other players reach each other through this node
}

// Tower says what the players who come may use of this tower.
type Tower struct {
	Seats uint64 // whose evidence is held at once
	Bytes uint64 // of evidence of each
	Disk  uint64 // of evidence of all
	// how long it is kept after its seat was last heard of, in the Arena's clock; 0: 90 days
	Keep  uint64
	Least uint256.Int // wei: what a channel's deposits must sum to

	Metrics string // host and port on loopback where its metrics are served; empty: nowhere
}

// API says where the daemon's user talks to it.
type API struct {
	Listen  string   // host:port on loopback
	Origins []string // whose pages may ask it, besides its own
}

// Keys says how the keys are opened.
type Keys struct {
	PasswordFile string // empty: ask

	// who has the player's key: empty the keystore, browserSigner a wallet in the browser, else the
	// URL or socket of an external signer
	Signer string
	// the account that owns the money, where its key isn't in the keystore: at the signer, or a
	// contract wallet
	Player common.Address
	Owner  common.Address // whose signatures the contract wallet takes; zero: Player is no contract
	OwnGas bool           // an account of its own pays for gas, and holds nothing else
}

// Fees limits what transactions may cost. Zero: the chain package's default.
type Fees struct {
	Max, Urgent uint64 // wei per gas
	Reserve     uint64 // gas of the worst dispute, which must be payable before money is locked
}

// Play says what the daemon does without asking.
type Play struct {
	// for channels that this player offers, in the Arena's clock
	Window uint64
	// wei: matches in which another seat stakes less are refused
	LeastStake  uint256.Int
	LeastTokens map[common.Address]uint256.Int // the same, in the smallest units of tokens
	AnyStake    bool                           // none is refused for that
	ToWallet    bool                           // a close pays to wallets, not into the bank
	// accept every offered channel that can be paid for
	Accept  bool
	Approve bool // play every proposed match that can be paid for
	Bot     bool // let the games' bots play
	// file of the policy by which to play against anybody, unattended; empty: none
	House         string
	BotAtDeadline bool // let them play rather than lose by the clock
	// how many wins of a channel wait before they are put on the score board; 0: only when told to
	PublishWins uint64
	History     uint64 // finished matches whose moves are kept
}

// Wait says how long to wait before going to the chain, and there.
type Wait struct {
	Patience time.Duration // with a silent peer
	// its channel together with its clock, if no other match is at play there
	Leave         bool
	Confirmations uint64 // blocks; 0: 12
	// before an on-chain deadline, in the Arena's clock; 0: a tenth of the window
	Margin uint64
	Floor  uint256.Int   // wei: the least value that gas is spent on
	Poll   time.Duration // between looks at the chain
}

// Log says what is written to the standard error.
type Log struct {
	Level string // debug, info, warn or error
}

// browserSigner is the Keys.Signer that stands for a wallet in the player's browser.
const browserSigner = "browser"

// InBrowser reports whether a wallet in the browser has the player's key.
func (k *Keys) InBrowser() bool { return k.Signer == browserSigner }
