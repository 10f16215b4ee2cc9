package node

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/splitsteal"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// outbox is a network that keeps what is sent.
type outbox struct {
	Network
	mu        sync.Mutex
	sent      []sent
	addresses []string
	peers     []transport.Peer
}

// sent is a message to an account.
type sent struct {
	to      common.Address
	message channel.Message
}

func (o *outbox) Send(to common.Address, env *antev1.Envelope) error {
	_, m, err := channel.FromEnvelope(env)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent = append(o.sent, sent{to, m})
	return nil
}

func (o *outbox) Keep(common.Address, ...string) error { return nil }

func (o *outbox) Group(common.Address) string { return "" }

func (o *outbox) Addresses() []string { return o.addresses }

func (o *outbox) Peers() []transport.Peer { return o.peers }

// take returns what was sent since it was last asked.
func (o *outbox) take() []sent {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.sent
	o.sent = nil
	return list
}

// playerKey is the key of a player.
func playerKey(t testing.TB, number byte) *channel.Key {
	t.Helper()
	private, err := crypto.ToECDSA(bytes.Repeat([]byte{number}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return channel.NewKey(private)
}

// idleTime is what the clock of an idle node shows.
var idleTime = time.Unix(1_000_000, 0)

// idle is a node of the first player, without a chain, that does nothing by itself.
func idle(t testing.TB) (*Node, *outbox) {
	t.Helper()
	out := &outbox{}
	now := func() time.Time { return idleTime }
	n := &Node{
		config: Config{
			Store: store.NewMemory(), Player: playerKey(t, 1), Now: now, Log: slog.New(slog.DiscardHandler),
			Games: games.Catalog{splitsteal.Game(), box9.Game()},
			Rules: map[string]common.Address{splitsteal.Name: {0x51}, box9.GameName: {0xb9}},
		},
		net: out, run: t.Context(), budgets: newBudgets(now), sessions: map[common.Hash]*session{}, shares: map[common.Address][]*session{},
		houses: map[common.Address]int{}, faults: map[string]error{}, since: map[string]int64{}, standing: map[string]Event{},
	}
	var err error
	if n.log, err = openEventLog(n.config.Store, idleTime.Unix); err != nil {
		t.Fatal(err)
	}
	return n, out
}

// put stores a value, as what it is read as.
func (n *Node) put(t testing.TB, key string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = n.config.Store.Commit(map[string][]byte{key: text})
	}
	if err != nil {
		t.Fatal(err)
	}
}
