package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/wei"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/multiformats/go-multiaddr"
)

// setting is one thing that can be set. Lists are written with commas between their items.
type setting struct {
	key   string
	value string // the default
	set   func(value string) error
	help  string
}

// gamesKey is the section of the rules contracts, which has one setting for each game.
const gamesKey = "games"

// settings lists everything that can be set, in the order in which init writes it.
var settings = settingsOf(new(Config))

// settingsOf lists the settings such that they set a configuration.
func settingsOf(c *Config) []setting {
	return []setting{
		{"chain.url", "http://127.0.0.1:8545", into(&c.Chain.URL, endpoint), "JSON-RPC endpoint of the chain: http, https, ws or wss."},
		{"chain.second", "", into(&c.Chain.Second, optional(endpoint)), "A second endpoint, of somebody else, that the first is checked against. Empty: none."},
		{"chain.id", "0", into(&c.Chain.ID, number), "The chain's id; a chain with another one is refused. 0: any."},
		{"chain.arena", "", into(&c.Chain.Arena, address), "Address of the Arena contract."},
		{"chain.from", "0", into(&c.Chain.From, number), "Block in which the Arena was deployed."},
		{"chain.max_age", "10m", into(&c.Chain.MaxAge, age), "Raise an alarm when the newest block is older, and wait no longer for an endpoint that is behind. 0s: never, for a chain that makes blocks on demand and has one endpoint."},
		{"chain.rate", "0", into(&c.Chain.Rate, number), "Requests a second that each endpoint takes. 0: as many as it answers; less when it says that it is asked too often."},
		{"chain.scoreboard", "", into(&c.Chain.Scoreboard, address), "Address of the score board contract. Empty: none."},
		{"peers.listen", "/ip4/0.0.0.0/udp/4101/quic-v1,/ip4/0.0.0.0/tcp/4101", into(&c.Peers.Listen, multiaddrs), "Where other players' nodes reach this one: multiaddrs."},
		{"peers.mdns", "true", into(&c.Peers.MDNS, boolean), "Find peers on the local network."},
		{"peers.lobbies", "", into(&c.Peers.Lobbies, peers), "Lobbies that show your invites and whose invites you see: multiaddrs of their nodes."},
		{"peers.find_lobbies", "false", into(&c.Peers.FindLobbies, boolean), "Find up to four more lobbies of the same Arena through those. Anybody can be one."},
		{"peers.lobby", "false", into(&c.Peers.Lobby, boolean), "Be a lobby: show other players' invites to whoever connects."},
		{"peers.towers", "", into(&c.Peers.Towers, peers), "Towers that answer on-chain for you while this daemon is off: multiaddrs."},
		{"peers.relays", "", into(&c.Peers.Relays, peers), "Nodes through which you are reached when no direct way to you is found, besides your lobbies and towers: multiaddrs."},
		{"peers.relay", "false", into(&c.Peers.Relay, boolean), "Let other players reach each other through this node, a lobby or a tower say, within the limits of docs/operate.md."},
		{"api.listen", "127.0.0.1:4180", into(&c.API.Listen, loopback), "Where the daemon's user talks to it: host and port, on loopback only. Port 0: any free one."},
		{"api.origins", "", into(&c.API.Origins, origins), "Pages of other origins that may ask the API, with a token: such as https://example.org, with commas between."},
		{"keys.password_file", "", into(&c.Keys.PasswordFile, anything), "File whose first line is the password of the keys. Empty: ask on the terminal."},
		{"keys.signer", "", into(&c.Keys.Signer, anything), "Who has your account's key. Empty: the keystore; browser: a wallet in the browser, which the page asks; else the URL or socket of an external signer (clef's protocol)."},
		{"keys.player", "", into(&c.Keys.Player, address), "Your account, where its key isn't in the keystore: the one of the browser wallet, one of the external signer's, or a contract wallet."},
		{"keys.owner", "", into(&c.Keys.Owner, address), "Account of the signer, or of the keystore, whose signatures the contract wallet keys.player takes. Empty: it is no contract."},
		{"keys.own_gas", "false", into(&c.Keys.OwnGas, boolean), "Let an account of its own, derived from the seed, pay for gas. Always so with keys.player."},
		{"play.window", "86400", into(&c.Play.Window, number), "Time for an answer on-chain in channels that you offer, in the Arena's clock (seconds or blocks)."},
		{"play.least_stake", "0", into(&c.Play.LeastStake, amount), "Matches in which another seat stakes less, in wei, are refused. 0: less than enforcing them costs."},
		{"play.least_tokens", "", into(&c.Play.LeastTokens, tokens), "The same for tokens: ADDRESS=UNITS of each that you play for, with commas between. Matches for others are refused."},
		{"play.any_stake", "false", into(&c.Play.AnyStake, boolean), "Play for less than that, and for nothing: enforcing such a match costs more than it is worth."},
		{"play.to_wallet", "false", into(&c.Play.ToWallet, boolean), "Have a close that you send pay straight to the players' wallets, not to their balances in the bank: one withdrawal less for each."},
		{"play.accept", "false", into(&c.Play.Accept, boolean), "Accept every channel that is offered and that you can pay for."},
		{"play.approve", "false", into(&c.Play.Approve, boolean), "Play every match that is proposed and that your channel balance can pay for, by whatever parameters: for opponents that you trust. You are still asked where another seat stakes less than its part; what is too cheap to enforce is refused."},
		{"play.bot", "false", into(&c.Play.Bot, boolean), "Let the games' bots play for you."},
		{"play.bot_at_deadline", "true", into(&c.Play.BotAtDeadline, boolean), "Let a bot move rather than lose by the clock on-chain."},
		{"play.house", "", into(&c.Play.House, anything), "File with a house's policy: play against anybody, unattended, by that instead of accept, approve and bot."},
		{"play.publish_wins", "0", into(&c.Play.PublishWins, number), "Put what you won on the score board once so many wins of a channel wait for it, or the channel is paid out, if they are worth its gas. 0: only when told to."},
		{"play.history", "1000", into(&c.Play.History, positive(1_000_000)), "Of how many finished matches the moves are kept, to look at again: the newest, and up to 1000 more for a while."},
		{"wait.patience", "5m", into(&c.Wait.Patience, duration), "How long to wait for a peer's move or signature before going to the chain. Who only thinks for longer counts as silent, too, and loses the channel to wait.leave."},
		{"wait.leave", "true", into(&c.Wait.Leave, boolean), "Close the channel in the transaction that starts a silent peer's clock, if no other match is at play: two transactions and one window."},
		{"wait.confirmations", "0", into(&c.Wait.Confirmations, upTo(chain.MaxConfirmations)), "Blocks, its own included, that make a block final. 0: 12. What suits a chain: channeld networks."},
		{"wait.margin", "0", into(&c.Wait.Margin, number), "How long before an on-chain deadline waiting ends, in the Arena's clock. 0: a tenth of the window."},
		{"wait.floor", "0", into(&c.Wait.Floor, amount), "The least value that gas is spent on."},
		{"wait.poll", "2s", into(&c.Wait.Poll, often), "How often the chain is asked for news."},
		{"tower.seats", "1000000", into(&c.Tower.Seats, positive(math.MaxInt64)), "For how many seats of channels a tower holds evidence."},
		{"tower.bytes", "1048576", into(&c.Tower.Bytes, positive(tower.MaxBytes)), "How many bytes of evidence a tower holds for a seat, 1572864 at most."},
		{"tower.disk", "17179869184", into(&c.Tower.Disk, positive(math.MaxInt64)), "How many bytes of evidence a tower holds for all seats."},
		{"tower.keep", "0", into(&c.Tower.Keep, number), "How long a tower keeps evidence after it last heard of the seat, in the Arena's clock. 0: 90 days."},
		{"tower.least", "0", into(&c.Tower.Least, amount), "Channels whose deposits sum to less are not served by a tower."},
		{"tower.metrics", "", into(&c.Tower.Metrics, optional(loopback)), "Where a tower serves its metrics: host and port, on loopback only. Empty: nowhere."},
		{"fees.max", "0", into(&c.Fees.Max, price), "Most wei that a unit of gas may cost. 0: 200 gwei."},
		{"fees.urgent", "0", into(&c.Fees.Urgent, price), "The same once half of the time to a deadline has passed. 0: five times as much."},
		{"fees.reserve", "0", into(&c.Fees.Reserve, number), "Gas of the worst dispute: channels are opened and accepted only while it can be paid; at least 1500000. 0: 3000000."},
		{"log.level", "info", into(&c.Log.Level, oneOf("debug", "info", "warn", "error")), "What is logged: debug, info, warn or error."},
	}
}

// into reads a value into a field.
func into[T any](field *T, read func(*T, string) error) func(string) error {
	return func(v string) error { return read(field, v) }
}

// optional leaves a field as it is where the value is empty.
func optional[T any](read func(*T, string) error) func(*T, string) error {
	return func(to *T, v string) error {
		if v == "" {
			return nil
		}
		return read(to, v)
	}
}

func anything(to *string, v string) error {
	*to = v
	return nil
}

func endpoint(to *string, v string) error {
	*to = v
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
		// without the value: it may hold a password
		return errors.New("want a URL such as http://127.0.0.1:8545")
	}
	return nil
}

func number(to *uint64, v string) (err error) {
	if *to, err = strconv.ParseUint(v, 10, 64); err != nil {
		return errors.New("want a whole number")
	}
	return nil
}

func upTo(most uint64) func(*uint64, string) error {
	return func(to *uint64, v string) error {
		if err := number(to, v); err != nil || *to > most {
			return fmt.Errorf("want a whole number of at most %d", most)
		}
		return nil
	}
}

// positive reads a number that can't be none: of the matches that are kept, because nobody would
// see the end of one, and of what a tower holds, because there none stands for the default.
func positive(most uint64) func(*uint64, string) error {
	return func(to *uint64, v string) error {
		if err := number(to, v); err != nil || *to == 0 || *to > most {
			return fmt.Errorf("want a whole number from 1 to %d", most)
		}
		return nil
	}
}

func boolean(to *bool, v string) error {
	*to = v == "true"
	if v != "true" && v != "false" {
		return errors.New("want true or false")
	}
	return nil
}

func duration(to *time.Duration, v string) (err error) {
	if *to, err = time.ParseDuration(v); err != nil || *to <= 0 {
		return errors.New("want a duration such as 90s, 5m or 2h")
	}
	return nil
}

// often is a duration that leaves time to answer what is seen.
func often(to *time.Duration, v string) error {
	if err := duration(to, v); err != nil || *to > 10*time.Minute {
		return errors.New("want a duration of 10m at most, such as 2s")
	}
	return nil
}

// age is a duration that may be none.
func age(to *time.Duration, v string) (err error) {
	if *to, err = time.ParseDuration(v); err != nil || *to < 0 {
		return errors.New("want a duration such as 90s or 10m, or 0s")
	}
	return nil
}

// price is an amount per gas.
func price(to *uint64, v string) error {
	a, err := wei.Parse(v)
	if err != nil || !a.IsUint64() {
		return errors.New("want wei per gas, such as 50gwei")
	}
	*to = a.Uint64()
	return nil
}

func address(to *common.Address, v string) (err error) {
	if v == "" {
		return nil
	}
	if *to, err = api.Address(v); err != nil {
		return fmt.Errorf("%q: %w (in the file it stands in quotes)", v, err)
	}
	return nil
}

func amount(to *uint256.Int, v string) error {
	a, err := wei.Parse(v)
	if err != nil {
		return err
	}
	*to = *a
	return nil
}

// tokens reads amounts of tokens, in units: what "1eth" of a token is depends on its decimals.
func tokens(to *map[common.Address]uint256.Int, v string) error {
	*to = map[common.Address]uint256.Int{}
	for _, pair := range split(v) {
		token, units, _ := strings.Cut(pair, "=")
		var at common.Address
		var least uint256.Int
		if err := errors.Join(address(&at, token), amount(&least, units)); err != nil || at == (common.Address{}) || strings.Trim(units, "0123456789") != "" {
			return fmt.Errorf("want ADDRESS=UNITS, with commas between, not %q", pair)
		}
		(*to)[at] = least
	}
	return nil
}

func multiaddrs(to *[]string, v string) error {
	*to = split(v)
	for _, a := range *to {
		if _, err := multiaddr.NewMultiaddr(a); err != nil {
			return fmt.Errorf("want multiaddrs such as /ip4/0.0.0.0/tcp/4101: %w", err)
		}
	}
	return nil
}

// peers reads multiaddrs that say who is there.
func peers(to *[]string, v string) error {
	*to = split(v)
	for _, a := range *to {
		if err := p2p.CheckAddress(a); err != nil {
			return err
		}
	}
	return nil
}

func split(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
}

func origins(to *[]string, v string) error {
	*to = split(v)
	for _, o := range *to {
		if !api.IsOrigin(o) {
			return fmt.Errorf("%q is no origin: want scheme, host and port as browsers send them, such as https://example.org", o)
		}
	}
	return nil
}

func loopback(to *string, v string) error {
	*to = v
	if host, _, err := net.SplitHostPort(v); err != nil || !chain.Loopback(host) {
		return errors.New("want a host and port on loopback, such as 127.0.0.1:4180: the API is not encrypted (from elsewhere, go through ssh -L)")
	}
	return nil
}

func oneOf(choices ...string) func(*string, string) error {
	return func(to *string, v string) error {
		*to = v
		if !slices.Contains(choices, v) {
			return fmt.Errorf("want one of %s", strings.Join(choices, ", "))
		}
		return nil
	}
}
