package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/tower"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

const (
	arena = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
	rules = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"
)

func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	f.Bool("verbose", false, "not a setting")
	config.Flags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrecedence(t *testing.T) {
	path := file(t, "chain:\n  id: 1\n  from: 1\n  url: ws://file:1\nplay:\n  bot: true\n")
	c, err := config.Load(path, []string{"CHANNELD_CHAIN_ID=2", "CHANNELD_CHAIN_FROM=2", "CHANNELD_DIR=/x", "CHAIN_URL=http://no:1",
		"CHANNELD_API_PORT_4180_TCP=tcp://10.0.0.1:4180", "CHANNELD_TOWER_SERVICE_HOST=10.0.0.1", "CHANNELD_API_PORT=tcp://10.0.0.1:4180", "CHANNELD_IMAGE=x"},
		flags(t, "--chain.id=3", "--verbose"))
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Chain.ID, c.Chain.From, c.Chain.URL, c.Play.Bot, c.Wait.Patience}
	if diff := cmp.Diff([]any{uint64(3), uint64(2), "ws://file:1", true, 5 * time.Minute}, got); diff != "" {
		t.Errorf("flag, environment, file, file, default: (-want +got)\n%s", diff)
	}
}

func TestGames(t *testing.T) {
	path := file(t, "games:\n  mastermind: \""+rules+"\"\n  other: "+rules+"\n")
	c, err := config.Load(path, []string{"CHANNELD_GAMES_MASTERMIND=" + arena}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]common.Address{"mastermind": common.HexToAddress(arena), "other": common.HexToAddress(rules)}
	if diff := cmp.Diff(want, c.Games); diff != "" {
		t.Error(diff)
	}
	if _, err := config.Load(file(t, "games:\n"), nil, nil); err != nil {
		t.Errorf("no games: %v", err)
	}
}

// TestWriteAndLoad: what init writes is what was asked for, every setting is in it, and nobody else
// can read it.
func TestWriteAndLoad(t *testing.T) {
	network := file(t, "chain:\n  url: ws://network:1\n  arena: "+arena+"\n  from: 7\ngames:\n  mastermind: "+rules+"\n  \"null\": "+arena+"\n  \"true\": "+arena+"\n")
	path := filepath.Join(t.TempDir(), "config.yaml")
	args := flags(t, "--peers.listen=/ip4/127.0.0.1/tcp/1,/ip4/127.0.0.1/tcp/2", "--wait.floor=0.25eth", "--chain.url=ws://flag:1")
	if err := config.Write(path, network, nil, args); err != nil {
		t.Fatal(err)
	}
	want, err := config.Load(network, nil, args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := config.Load(path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Chain.URL != "ws://flag:1" || len(got.Peers.Listen) != 2 || got.Wait.Floor.Dec() != "250000000000000000" {
		t.Errorf("written: %+v", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	if err := config.Write(path, network, nil, args); !errors.Is(err, config.ErrExist) {
		t.Errorf("overwriting: %v, want ErrExist", err)
	}
	defaults, err := config.Load("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "config.yaml")
	if err := config.Write(plain, "", nil, nil); err != nil {
		t.Fatal(err)
	}
	again, err := config.Load(plain, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults, again); diff != "" {
		t.Errorf("the defaults change when they are written: %s", diff)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct{ file, env, flag, says string }{
		"unknown setting":  {"chain:\n  ulr: x\n", "", "", "no setting chain.ulr"},
		"unknown variable": {"", "CHANNELD_PEERS_TOWER=/ip4/192.0.2.7/tcp/4101", "", "the environment: there is no setting peers.tower"},
		"no YAML":          {"chain: [\n", "", "", "yaml"},
		"section as value": {"chain: 7\n", "", "", "no setting chain"},
		"bad number":       {"", "CHANNELD_CHAIN_FROM=-1", "", "chain.from, from the environment: want a whole number"},
		"bad bool":         {"play:\n  bot: maybe\n", "", "", "play.bot"},
		"bad duration":     {"", "", "--wait.patience=5", "wait.patience, from the command line: want a duration"},
		"bad address":      {"chain:\n  arena: \"0x12\"\n", "", "", "40 hexadecimal digits"},
		"mistyped address": {"chain:\n  arena: \"0x5FbDB2315678afecb367f032d93F642f64180aA4\"\n", "", "", "its checksum is wrong"},
		"too final":        {"", "", "--wait.confirmations=18446744073709551615", "wait.confirmations, from the command line: want a whole number of at most 10000"},
		"ether of a token": {"", "", "--play.least_tokens=0x00000000000000000000000000000000000000aa=1eth", "play.least_tokens, from the command line: want ADDRESS=UNITS"},
		"bad amount":       {"", "", "--wait.floor=1.5", "wait.floor, from the command line"},
		"bad game":         {"games:\n  chess: \"0x00\"\n", "", "", "games.chess"},
		"bad multiaddr":    {"peers:\n  listen: [\"127.0.0.1:80\"]\n", "", "", "multiaddrs"},
		"nobody's tower":   {"peers:\n  towers: /ip4/1.2.3.4/tcp/1\n", "", "", ":2: bad address \"/ip4/1.2.3.4/tcp/1\": it should end in /p2p/ and the peer's id"},
		"open API":         {"", "CHANNELD_API_LISTEN=0.0.0.0:4180", "", "loopback"},
		"API without port": {"api:\n  listen: localhost\n", "", "", "loopback"},
		"bad level":        {"log:\n  level: loud\n", "", "", "one of debug"},
		"bad URL":          {"", "CHANNELD_CHAIN_URL=localhost:8545", "", "chain.url, from the environment"},
	} {
		var f *pflag.FlagSet
		if c.flag != "" {
			f = flags(t, c.flag)
		}
		_, err := config.Load(file(t, c.file), []string{c.env}, f)
		if !errors.Is(err, config.ErrConfig) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want ErrConfig that says %q", name, err, c.says)
		}
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := config.Write(path, file(t, c.file), []string{c.env}, f); !errors.Is(err, config.ErrConfig) {
			t.Errorf("%s: written: %v", name, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a bad configuration was written", name)
		}
	}
}

// TestShow: every setting says where it comes from, all that is wrong is said at once, and no
// access key is shown.
func TestShow(t *testing.T) {
	path := file(t, "chain:\n  url: \"https://user:hunter2@node.example/key\"\n  from: -1\n  ulr: x\ngames:\n  chess: "+rules+"\nwait:\n  poll: soon\n")
	list, err := config.Show(path, []string{"CHANNELD_CHAIN_ID=2"}, flags(t, "--play.bot=maybe"))
	for _, says := range []string{path + ":3", path + ":4: there is no setting chain.ulr", path + ":8", "play.bot, from the command line"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	got := map[string]config.Setting{}
	for _, s := range list {
		got[s.Key] = s
	}
	for _, want := range []config.Setting{
		{Key: "chain.url", Value: "https://node.example/…", From: path + ":2"}, {Key: "chain.id", Value: "2", From: "the environment"},
		{Key: "chain.rate", Value: "0", From: "the default"}, {Key: "games.chess", Value: rules, From: path + ":6"},
	} {
		if got[want.Key] != want {
			t.Errorf("got %+v, want %+v", got[want.Key], want)
		}
	}
	if _, err := config.Load(path, nil, nil); err == nil || !strings.Contains(err.Error(), "chain.from") || !strings.Contains(err.Error(), "wait.poll") {
		t.Errorf("Load says %v", err)
	}
}

// TestErrorsHideCredentials: an endpoint's URL often holds an access key.
func TestErrorsHideCredentials(t *testing.T) {
	_, err := config.Load("", []string{"CHANNELD_CHAIN_URL=htp://user:hunter2@host/key"}, nil)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error: %v", err)
	}
	for _, key := range []string{"chain.second", "keys.signer"} {
		if got := config.Shown(key, "user:hunter2@host:8545"); strings.Contains(got, "hunter2") {
			t.Errorf("%s is shown as %s", key, got)
		}
	}
}

// TestAsWritten: a number of the file is what is written there, in decimal.
func TestAsWritten(t *testing.T) {
	for text, want := range map[string]uint64{"0100": 100, "100": 100, "\"0100\"": 100} {
		c, err := config.Load(file(t, "play:\n  window: "+text+"\n"), nil, nil)
		if err != nil || c.Play.Window != want {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
	if _, err := config.Load(file(t, "play:\n  window: 0x100\n"), nil, nil); !errors.Is(err, config.ErrConfig) {
		t.Errorf("a hexadecimal window: %v", err)
	}
}

// TestNothingIsDropped: what the file says and would not count is a mistake, rather than a daemon
// without its towers.
func TestNothingIsDropped(t *testing.T) {
	const tower = "/ip4/192.0.2.7/tcp/4101/p2p/12D3KooWSeHAAygJcPeT9hT66UC5MdQvV6P59JqYB2egiP7oEVxT"
	for name, text := range map[string]string{
		"a second document": "play:\n  bot: true\n---\npeers:\n  towers: " + tower + "\n",
		"a key twice":       "peers:\n  towers: " + tower + "\npeers:\n  mdns: false\n",
		"two ways to write": "peers.towers: " + tower + "\npeers:\n  towers: \"\"\n",
		"the other order":   "peers:\n  towers: \"\"\npeers.towers: " + tower + "\n",
	} {
		if _, err := config.Load(file(t, text), nil, nil); !errors.Is(err, config.ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := config.Load(file(t, "---\npeers.towers: "+tower+"\npeers:\n  mdns: false\n"), nil, nil)
	if err != nil || len(c.Peers.Towers) != 1 || c.Peers.MDNS {
		t.Errorf("each once: %v, %v", c, err)
	}
}

// TestNoneIsNotTheDefault: a tower that is to hold nothing does not hold as much as by default.
func TestNoneIsNotTheDefault(t *testing.T) {
	for _, key := range []string{"tower.seats", "tower.bytes", "tower.disk"} {
		for _, v := range []string{"0", "9223372036854775808"} {
			if _, err := config.Load("", nil, flags(t, "--"+key+"="+v)); !errors.Is(err, config.ErrConfig) {
				t.Errorf("%s %s: %v", key, v, err)
			}
		}
	} // what a tower can't show at once it could never show
	for v, right := range map[string]bool{fmt.Sprint(tower.MaxBytes): true, fmt.Sprint(tower.MaxBytes + 1): false} {
		if _, err := config.Load("", nil, flags(t, "--tower.bytes="+v)); (err == nil) != right {
			t.Errorf("tower.bytes %s: %v", v, err)
		}
	}
}
