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
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/multiformats/go-multiaddr"
)

// setting is one thing that can be set. Lists are written with commas between their items.
type setting struct {
	key   string
	value string // the default
	help  string
	set   func(c *Config, value string) error
}

// gamesKey is the section of the rules contracts, which has one setting for each game.
const gamesKey = "games"

// settings lists everything that can be set, in the order in which init writes it.
var settings = []setting{
	{"chain.url", "http://127.0.0.1:8545", "JSON-RPC endpoint of the chain: http, https, ws or wss.",
		func(c *Config, v string) error { return endpoint(&c.Chain.URL, v, false) }},
	{"chain.second", "", "A second endpoint, of somebody else, that the first is checked against. Empty: none.",
		func(c *Config, v string) error { return endpoint(&c.Chain.Second, v, true) }},
	{"chain.id", "0", "The chain's id; a chain with another one is refused. 0: any.",
		func(c *Config, v string) error { return number(&c.Chain.ID, v) }},
	{"chain.arena", "", "Address of the Arena contract.",
		func(c *Config, v string) error { return address(&c.Chain.Arena, v) }},
	{"chain.from", "0", "Block in which the Arena was deployed.",
		func(c *Config, v string) error { return number(&c.Chain.From, v) }},
	{"chain.max_age", "10m", "Raise an alarm when the newest block is older, and wait no longer for an endpoint that is behind. 0s: never, for a chain that makes blocks on demand and has one endpoint.",
		func(c *Config, v string) error { return age(&c.Chain.MaxAge, v) }},
	{"chain.rate", "0", "Requests a second that each endpoint takes. 0: as many as it answers; less when it says that it is asked too often.",
		func(c *Config, v string) error { return number(&c.Chain.Rate, v) }},
	{"chain.scoreboard", "", "Address of the score board contract. Empty: none.",
		func(c *Config, v string) error { return address(&c.Chain.Scoreboard, v) }},
	{"peers.listen", "/ip4/0.0.0.0/udp/4101/quic-v1,/ip4/0.0.0.0/tcp/4101", "Where other players' nodes reach this one: multiaddrs.",
		func(c *Config, v string) error { return multiaddrs(&c.Peers.Listen, v) }},
	{"peers.mdns", "true", "Find peers on the local network.",
		func(c *Config, v string) error { return boolean(&c.Peers.MDNS, v) }},
	{"peers.lobbies", "", "Lobbies that show your invites and whose invites you see: multiaddrs of their nodes.",
		func(c *Config, v string) error { return multiaddrs(&c.Peers.Lobbies, v) }},
	{"peers.find_lobbies", "false", "Find up to four more lobbies of the same Arena through those. Anybody can be one.",
		func(c *Config, v string) error { return boolean(&c.Peers.FindLobbies, v) }},
	{"peers.lobby", "false", "Be a lobby: show other players' invites to whoever connects.",
		func(c *Config, v string) error { return boolean(&c.Peers.Lobby, v) }},
	{"peers.towers", "", "Towers that answer on-chain for you while this daemon is off: multiaddrs.",
		func(c *Config, v string) error { return multiaddrs(&c.Peers.Towers, v) }},
	{"peers.relays", "", "Nodes through which you are reached when no direct way to you is found, besides your lobbies and towers: multiaddrs.",
		func(c *Config, v string) error { return multiaddrs(&c.Peers.Relays, v) }},
	{"peers.relay", "false", "Let other players reach each other through this node, a lobby or a tower say, within the limits of docs/operate.md.",
		func(c *Config, v string) error { return boolean(&c.Peers.Relay, v) }},
	{"api.listen", "127.0.0.1:4180", "Where the daemon's user talks to it: host and port, on loopback only. Port 0: any free one.",
		func(c *Config, v string) error { return loopback(&c.API.Listen, v) }},
	{"api.origins", "", "Pages of other origins that may ask the API, with a token: such as https://example.org, with commas between.",
		func(c *Config, v string) error { return origins(&c.API.Origins, v) }},
	{"keys.password_file", "", "File whose first line is the password of the keys. Empty: ask on the terminal.",
		func(c *Config, v string) error { c.Keys.PasswordFile = v; return nil }},
	{"keys.signer", "", "Who has your account's key. Empty: the keystore; browser: a wallet in the browser, which the page asks; else the URL or socket of an external signer (clef's protocol).",
		func(c *Config, v string) error { c.Keys.Signer = v; return nil }},
	{"keys.player", "", "Your account, where its key isn't in the keystore: one of the external signer's, or a contract wallet.",
		func(c *Config, v string) error { return address(&c.Keys.Player, v) }},
	{"keys.owner", "", "Account of the signer, or of the keystore, whose signatures the contract wallet keys.player takes. Empty: it is no contract.",
		func(c *Config, v string) error { return address(&c.Keys.Owner, v) }},
	{"keys.own_gas", "false", "Let an account of its own, derived from the seed, pay for gas. Always so with keys.player.",
		func(c *Config, v string) error { return boolean(&c.Keys.OwnGas, v) }},
	{"play.window", "86400", "Time for an answer on-chain in channels that you offer, in the Arena's clock (seconds or blocks).",
		func(c *Config, v string) error { return number(&c.Play.Window, v) }},
	{"play.least_stake", "0", "Matches in which another seat stakes less, in wei, are refused. 0: less than enforcing them costs.",
		func(c *Config, v string) error { return amount(&c.Play.LeastStake, v) }},
	{"play.least_tokens", "", "The same for tokens: ADDRESS=UNITS of each that you play for, with commas between. Matches for others are refused.",
		func(c *Config, v string) error { return tokens(&c.Play.LeastTokens, v) }},
	{"play.any_stake", "false", "Play for less than that, and for nothing: enforcing such a match costs more than it is worth.",
		func(c *Config, v string) error { return boolean(&c.Play.AnyStake, v) }},
	{"play.to_wallet", "false", "Have a close that you send pay straight to the players' wallets, not to their balances in the bank: one withdrawal less for each.",
		func(c *Config, v string) error { return boolean(&c.Play.ToWallet, v) }},
	{"play.accept", "false", "Accept every channel that is offered and that you can pay for.",
		func(c *Config, v string) error { return boolean(&c.Play.Accept, v) }},
	{"play.approve", "false", "Play every match that is proposed and that your channel balance can pay for, by whatever parameters: for opponents that you trust.",
		func(c *Config, v string) error { return boolean(&c.Play.Approve, v) }},
	{"play.bot", "false", "Let the games' bots play for you.",
		func(c *Config, v string) error { return boolean(&c.Play.Bot, v) }},
	{"play.bot_at_deadline", "true", "Let a bot move rather than lose by the clock on-chain.",
		func(c *Config, v string) error { return boolean(&c.Play.BotAtDeadline, v) }},
	{"play.house", "", "File with a house's policy: play against anybody, unattended, by that instead of accept, approve and bot.",
		func(c *Config, v string) error { c.Play.House = v; return nil }},
	{"play.publish_wins", "0", "Put what you won on the score board once so many wins of a channel wait for it, or the channel is " +
		"paid out, if they are worth its gas. 0: only when told to.",
		func(c *Config, v string) error { return number(&c.Play.PublishWins, v) }},
	{"play.history", "1000", "Of how many finished matches the moves are kept, to look at again: the newest, and up to 1000 more for a while.",
		func(c *Config, v string) error { return positive(&c.Play.History, v, 1_000_000) }},
	{"wait.patience", "5m", "How long to wait for a peer's move or signature before going to the chain. Who only thinks for longer counts as silent, too, and " +
		"loses the channel to wait.leave.",
		func(c *Config, v string) error { return duration(&c.Wait.Patience, v) }},
	{"wait.leave", "true", "Close the channel in the transaction that starts a silent peer's clock, if no other match is at play: " +
		"two transactions and one window.",
		func(c *Config, v string) error { return boolean(&c.Wait.Leave, v) }},
	{"wait.confirmations", "0", "Blocks, its own included, that make a block final. 0: 12. What suits a chain: channeld networks.",
		func(c *Config, v string) error { return upTo(&c.Wait.Confirmations, v, chain.MaxConfirmations) }},
	{"wait.margin", "0", "How long before an on-chain deadline waiting ends, in the Arena's clock. 0: a tenth of the window.",
		func(c *Config, v string) error { return number(&c.Wait.Margin, v) }},
	{"wait.floor", "0", "The least value that gas is spent on.",
		func(c *Config, v string) error { return amount(&c.Wait.Floor, v) }},
	{"wait.poll", "2s", "How often the chain is asked for news.",
		func(c *Config, v string) error { return often(&c.Wait.Poll, v) }},
	{"tower.seats", "1000000", "For how many seats of channels a tower holds evidence.",
		func(c *Config, v string) error { return positive(&c.Tower.Seats, v, math.MaxInt64) }},
	{"tower.bytes", "1048576", "How many bytes of evidence a tower holds for a seat, 1572864 at most.",
		func(c *Config, v string) error { return positive(&c.Tower.Bytes, v, tower.MaxBytes) }},
	{"tower.disk", "17179869184", "How many bytes of evidence a tower holds for all seats.",
		func(c *Config, v string) error { return positive(&c.Tower.Disk, v, math.MaxInt64) }},
	{"tower.keep", "0", "How long a tower keeps evidence after it last heard of the seat, in the Arena's clock. 0: 90 days.",
		func(c *Config, v string) error { return number(&c.Tower.Keep, v) }},
	{"tower.least", "0", "Channels whose deposits sum to less are not served by a tower.",
		func(c *Config, v string) error { return amount(&c.Tower.Least, v) }},
	{"tower.metrics", "", "Where a tower serves its metrics: host and port, on loopback only. Empty: nowhere.",
		func(c *Config, v string) error {
			if v == "" {
				return nil
			}
			return loopback(&c.Tower.Metrics, v)
		}},
	{"fees.max", "0", "Most wei that a unit of gas may cost. 0: 200 gwei.",
		func(c *Config, v string) error { return price(&c.Fees.Max, v) }},
	{"fees.urgent", "0", "The same once half of the time to a deadline has passed. 0: five times as much.",
		func(c *Config, v string) error { return price(&c.Fees.Urgent, v) }},
	{"fees.reserve", "0", "Gas of the worst dispute: channels are opened and accepted only while it can be paid; at least 1500000. 0: 3000000.",
		func(c *Config, v string) error { return number(&c.Fees.Reserve, v) }},
	{"log.level", "info", "What is logged: debug, info, warn or error.",
		func(c *Config, v string) error { return oneOf(&c.Log.Level, v, "debug", "info", "warn", "error") }},
}

func endpoint(to *string, v string, optional bool) error {
	*to = v
	if v == "" && optional {
		return nil
	}
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

func upTo(to *uint64, v string, most uint64) error {
	if err := number(to, v); err != nil || *to > most {
		return fmt.Errorf("want a whole number of at most %d", most)
	}
	return nil
}

// positive reads a number that can't be none: of the matches that are kept, because nobody would
// see the end of one, and of what a tower holds, because there none stands for the default.
func positive(to *uint64, v string, most uint64) error {
	if err := number(to, v); err != nil || *to == 0 || *to > most {
		return fmt.Errorf("want a whole number from 1 to %d", most)
	}
	return nil
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

func oneOf(to *string, v string, choices ...string) error {
	*to = v
	if !slices.Contains(choices, v) {
		return fmt.Errorf("want one of %s", strings.Join(choices, ", "))
	}
	return nil
}
