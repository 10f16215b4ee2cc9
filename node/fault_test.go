package node_test

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func TestAttack_DiskFull(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	data := storetest.Full(store.NewMemory(), &full)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Store = data
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.MayMove })
	full.Store(true)
	if err := alice.Play(id, "pass 1"); !errors.Is(err, node.ErrStore) || !errors.Is(err, store.ErrFull) {
		t.Fatalf("a move that cannot be stored: %v", err)
	}
	m, err := alice.Match(id)
	must(t, err)
	if !m.MayMove || m.Turn != 0 {
		t.Errorf("it moved to turn %s without storing it", m.Turn)
	}
	full.Store(false)
	must(t, alice.Play(id, "pass 1"))
	tb.play(t, bob, id, "win 0")
	_, err = alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	tb.close(t)
}

// TestAttack_DiskFull_Refusal: a house refuses a proposal by itself, as its policy says, and the
// disk is full. It asks the policy again when it looks at the channel, not at once and for ever,
// and says why.
func TestAttack_DiskFull_Refusal(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	var asked atomic.Int32
	var house atomic.Pointer[node.Node]
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat != 0 {
			return
		}
		c.Store = storetest.Full(store.NewMemory(), &full)
		c.Policy.Approve = func(p node.Proposal) bool {
			switch asked.Add(1) {
			case 1:
				full.Store(true)
			case 100:
				t.Error("the policy is asked again and again")
				full.Store(false)
			}
			if err := house.Load().Refuse(p.Channel, p.Version, "no"); !errors.Is(err, node.ErrStore) {
				must(t, err)
			}
			return false
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	house.Store(alice.Node)
	must(t, bob.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	tb.wait(t, alice, func() bool { return errors.Is(alice.Err(), store.ErrFull) || asked.Load() >= 100 })
	full.Store(false)
	tb.wait(t, bob, func() bool { return len(bob.FailedProposals()) == 1 })
	must(t, world(t).Chain.Mine(1)) // as in the next test
	tb.wait(t, alice, func() bool { return alice.Err() == nil })
}

// TestAttack_DiskFull_Unattended: what nobody is there to be refused, because the node does it by
// itself, is told by an alarm that stands until it works again.
func TestAttack_DiskFull_Unattended(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	var once sync.Once
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat != 0 {
			return
		}
		c.Store = storetest.Full(store.NewMemory(), &full)
		c.Policy.Approve = func(node.Proposal) bool { once.Do(func() { full.Store(true) }); return true }
	})
	alice, bob := tb.players[0], tb.players[1]
	must(t, bob.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	tb.wait(t, alice, func() bool { return errors.Is(alice.Err(), store.ErrFull) })
	full.Store(false)
	// at which the sender works again, if it had a transaction to look after
	must(t, world(t).Chain.Mine(1))
	tb.wait(t, alice, func() bool { return alice.Err() == nil })
	if e := tb.event(t, alice, node.Alarm); !strings.Contains(e.Text, "full") {
		t.Errorf("alarm: %s", e.Text)
	}
}

// TestFullDiskWhileFollowing: what the chain says while nothing can be stored is not lost.
func TestFullDiskWhileFollowing(t *testing.T) {
	t.Parallel()
	disk := storetest.NewDisk()
	data, err := disk.Open()
	must(t, err)
	t.Cleanup(func() { must(t, data.Close()) })
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Store = data
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	disk.Fill(0, 50)
	must(t, bob.Exit(tb.ctx, tb.channel))
	tb.mine(t)
	tb.wait(t, alice, func() bool { return alice.Err() != nil })
	disk.Free()
	for _, p := range tb.players {
		must(t, p.Closed(tb.ctx, tb.channel))
	}
	tb.wait(t, alice, func() bool { return alice.Err() == nil })
	if e := tb.event(t, alice, node.Alarm); !strings.Contains(e.Text, "full") {
		t.Errorf("alarm: %s", e.Text)
	}
}

func TestAttack_WrongChain(t *testing.T) {
	t.Parallel()
	c, err := world(t).Config(0)
	must(t, err)
	c.Chain.ChainID = 1
	_, err = node.Start(t.Context(), c)
	if wrong := new(chain.WrongChain); !errors.As(err, &wrong) {
		t.Errorf("started: %v", err)
	}
}

// TestAttack_FalseArena: a contract that passes on to an Arena what it is asked, and could do
// anything else with what is paid in, is none.
func TestAttack_FalseArena(t *testing.T) {
	t.Parallel()
	passing := append(common.FromHex("3d602d80600a3d3981f3363d3d373d3d3d363d73"), world(t).Arena.Bytes()...) // EIP-1167
	made, err := world(t).Chain.Deploy(t.Context(), append(passing, common.FromHex("5af43d82803e903d91602b57fd5bf3")...))
	must(t, err)
	c, err := world(t).Config(0)
	must(t, err)
	c.Arena, c.Scoreboard = made.ContractAddress, common.Address{}
	refuses(t, c, "chain.arena: "+c.Arena.Hex()+" has other code")
}

// TestAttack_FalseArena_Scoreboard: nor is a score board what only says that it is one: it could
// use up as much gas as a transaction may have.
func TestAttack_FalseArena_Scoreboard(t *testing.T) {
	t.Parallel()
	c, err := world(t).Config(0)
	must(t, err)
	c.Scoreboard = world(t).Rules["toy"]
	refuses(t, c, "chain.scoreboard: "+c.Scoreboard.Hex()+" has other code")
	refuses(t, c, "correct this address or chain.arena") // it is another Arena's, if that is the wrong one
}

// refuses fails the test unless a node does not start, and says why.
func refuses(t *testing.T, c node.Config, says string) {
	t.Helper()
	n, err := node.Start(t.Context(), c)
	if err == nil {
		must(t, n.Close())
		t.Fatal("started")
	}
	if !strings.Contains(err.Error(), says) {
		t.Errorf("%q does not say %q", err, says)
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	down := httptest.NewServer(nil)
	down.Close()
	for name, c := range map[string]struct {
		change func(*node.Config)
		says   string
	}{
		"endpoint down":    {func(c *node.Config) { c.Chain.URL = down.URL }, "cannot reach the chain"},
		"no Arena there":   {func(c *node.Config) { c.Arena = common.Address{7} }, chain.ErrNoArena.Error()},
		"no Arena named":   {func(c *node.Config) { c.Arena = common.Address{} }, "Arena's address"},
		"no games":         {func(c *node.Config) { c.Games = nil }, "at least one game"},
		"rules of no game": {func(c *node.Config) { c.Rules = map[string]common.Address{"go": {1}} }, "unknown game"},
		"rules of another game": {func(c *node.Config) {
			c.Rules = map[string]common.Address{"mastermind": c.Rules["battleships"]}
		}, "games.mastermind: " + world(t).Rules["battleships"].Hex() + " has other code"},
		"another chain's blocks, and a clock of blocks": {func(c *node.Config) { c.Chain.URL, c.Rules = elsewhere(t), nil }, "no Arena whose clock counts blocks"},
		"another chain's blocks, and a game that draws from them": {func(c *node.Config) {
			c.Chain.URL, c.Arena, c.Scoreboard = elsewhere(t), ofSeconds(t), common.Address{}
		}, "games.box9: contracts on this chain are told"},
		"no rules there": {func(c *node.Config) { c.Rules = map[string]common.Address{"mastermind": {7}} }, "has no code on this chain"},
		"port taken": {func(c *node.Config) {
			c.Network = func(protocol.Domain, transport.Handler) (node.Network, error) {
				return (*breaker)(nil), errors.New("in use")
			}
		}, "join the network: in use"},
		"nothing":          {func(c *node.Config) { *c = node.Config{} }, "Config needs"},
		"somebody's store": {func(c *node.Config) { c.Store = tableOfOthers(t) }, "belongs to another account"},
		"damaged channel":  {func(c *node.Config) { must(t, c.Store.Commit(map[string][]byte{"channel/x/terms": []byte("{")})) }, "read channel/x/terms"},
	} {
		t.Run(name, func(t *testing.T) {
			config, err := world(t).Config(0)
			must(t, err)
			c.change(&config)
			refuses(t, config, c.says)
		})
	}
}

// tableOfOthers returns the store of a player with a channel.
func tableOfOthers(t *testing.T) store.Store {
	tb := sit(t, 2, nil)
	return backup(t, tb.players[0].memory)
}

// backup returns a copy of a store.
func backup(t *testing.T, of store.Store) *store.Memory {
	t.Helper()
	all := map[string][]byte{}
	must(t, of.Scan("", "", func(key string, value []byte) error {
		all[key] = bytes.Clone(value)
		return nil
	}))
	to := store.NewMemory()
	must(t, to.Commit(all))
	return to
}

// TestAttack_OldBackup: a store that was put back from a backup signs nothing in its channels, also
// in those that it never heard of.
func TestAttack_OldBackup(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice, bob := tb.players[0], tb.players[1]
	old := backup(t, alice.memory)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	must(t, alice.Close())
	alice.memory = old
	must(t, store.MarkRestored(alice.memory))
	alice.config.Store = alice.memory
	alice.start(t)
	c, err := alice.Channel(tb.channel)
	must(t, err)
	if !c.Restored {
		t.Fatal("the channel goes on as if nothing had happened")
	}
	tb.event(t, alice, node.Alarm)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	if err := alice.CloseChannel(tb.channel); err == nil || !errors.Is(err, channel.ErrRestored) {
		t.Errorf("it signs a close: %v", err)
	}
	alice.restart(t)
	if c, err = alice.Channel(tb.channel); err != nil || !c.Restored {
		t.Errorf("forgotten in a restart: %v", err)
	}
}

// TestAttack_HiddenNewer: with a store that never heard of a channel the chain still tells of it.
func TestAttack_HiddenNewer(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	must(t, alice.Close())
	alice.memory = store.NewMemory()
	alice.config.Store = alice.memory
	alice.start(t)
	tb.wait(t, alice, func() bool { return len(alice.Channels()) == 1 })
	if c := alice.Channels()[0]; !c.Restored || c.ID != tb.channel {
		t.Errorf("channel %s, restored %v", c.ID, c.Restored)
	}
	must(t, alice.Exit(tb.ctx, tb.channel))
	tb.mine(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
}

// elsewhere starts an endpoint of a chain whose contracts are told the numbers of another chain's
// blocks.
func elsewhere(t *testing.T) string {
	return newProxy(t, func(body []byte) []byte {
		// init code that returns the block's number, and some that returns 2^31-1
		return bytes.ReplaceAll(body, []byte(`"0x435f5260205ff3"`), []byte(`"0x637fffffff5f5260205ff3"`))
	})
}

// TestStartAgainBlind: what was once found of contracts is not asked again, so that a node which
// has something to defend starts at an endpoint that tells nothing of it.
func TestStartAgainBlind(t *testing.T) {
	t.Parallel()
	alice := join(t, nil)
	must(t, alice.Close())
	alice.config.Chain.URL = newProxy(t, func(body []byte) []byte {
		if bytes.Contains(body, []byte("eth_getCode")) || bytes.Contains(body, []byte(`"0x435f5260205ff3"`)) {
			return nil
		}
		return body
	})
	alice.start(t)
}

// ofSeconds returns an Arena whose clock counts seconds.
func ofSeconds(t *testing.T) common.Address {
	made, err := world(t).Chain.DeployArena(t.Context(), false, 20, 1_000_000)
	must(t, err)
	return made.ContractAddress
}

// TestOtherNumbers: where contracts are told another chain's blocks, what does not count them is
// played.
func TestOtherNumbers(t *testing.T) {
	t.Parallel()
	join(t, func(c *node.Config) {
		c.Scoreboard = common.Address{} // that of the other Arena
		c.Chain.URL, c.Arena, c.Rules = elsewhere(t), ofSeconds(t), map[string]common.Address{"mastermind": c.Rules["mastermind"]}
	})
}
