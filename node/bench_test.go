package node_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// BenchmarkMove is one move between two nodes over loopback libp2p: applied, signed, stored, sent,
// received, verified, applied and stored. The limit is measured in the same run: a signature, its
// verification, half of an echo of a message of the same kind over the same transport, and one
// commit of a few hundred bytes on each side.
func BenchmarkMove(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchmarkMove(b, func(*testing.B, int) store.Store { return store.NewMemory() }) })
	b.Run("disk", func(b *testing.B) { benchmarkMove(b, openStore) })
}

func openStore(b *testing.B, i int) store.Store {
	s, err := store.Open(filepath.Join(b.TempDir(), fmt.Sprint(i)), quiet)
	must(b, err)
	b.Cleanup(func() { must(b, s.Close()) })
	return s
}

func benchmarkMove(b *testing.B, open func(*testing.B, int) store.Store) {
	limit := moveLimit(b, open)
	r := &runners{left: int64(b.N), over: make(chan struct{})}
	tb := sit(b, 2, func(seat int, c *node.Config) {
		c.Store, c.Policy.Bot = open(b, seat), true
		game := toyGame()
		game.Player = runner{runners: r}
		c.Games = games.Catalog{game}
		c.Rules = map[string]common.Address{game.Name: c.Rules[game.Name]}
	})
	must(b, tb.players[0].Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	<-r.over
	each := float64(r.took.Nanoseconds()) / float64(b.N)
	b.ReportMetric(each, "ns/op")
	b.ReportMetric(float64(limit.Nanoseconds()), "limit-ns/op")
	b.ReportMetric(each/float64(limit.Nanoseconds()), "x-limit")
}

// runners make a number of moves, each as soon as it can, and time them.
type runners struct {
	mu      sync.Mutex
	left    int64
	started time.Time
	took    time.Duration
	over    chan struct{}
}

type runner struct {
	toyPlayer
	*runners
}

func (r runner) Bot(t games.Table) (*games.Decision, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.started.IsZero() {
		r.started = time.Now()
		return r.toyPlayer.Bot(t)
	}
	if r.left--; r.left == 0 {
		r.took = time.Since(r.started)
		close(r.over)
	}
	if r.left <= 0 {
		return &games.Decision{Move: []byte{1, 0}}, nil
	}
	return r.toyPlayer.Bot(t)
}

// echo is a peer that sends back what it gets, or tells when it got it.
type echo struct {
	net  *p2p.Host
	back bool
	got  chan struct{}
}

func (e *echo) Receive(from common.Address, env *antev1.Envelope) {
	if e.back {
		_ = e.net.Send(from, env) // a lost echo ends the benchmark
		return
	}
	e.got <- struct{}{}
}
func (e *echo) Connected(common.Address)           {}
func (e *echo) Disconnected(common.Address, error) {}

var _ transport.Handler = (*echo)(nil)

func moveLimit(b *testing.B, open func(*testing.B, int) store.Store) time.Duration {
	b.Helper()
	ends := []*echo{{got: make(chan struct{}, 1)}, {back: true}}
	keys := make([]*protocol.Key, 2)
	for i, e := range ends {
		key, err := crypto.GenerateKey()
		must(b, err)
		keys[i] = protocol.NewKey(key)
		identity, err := p2p.IdentityFromSeed(crypto.Keccak256([]byte{byte(i)}))
		must(b, err)
		e.net, err = p2p.New(p2p.Config{Identity: identity, Signer: keys[i], Domain: protocol.Domain{ChainID: 1}, Handler: e})
		must(b, err)
		defer func() { must(b, e.net.Close()) }()
	}
	must(b, ends[0].net.Keep(keys[1].Address(), ends[1].net.Addresses()...))
	must(b, ends[0].net.Connect(b.Context(), keys[1].Address()))
	env := message.Envelope(common.Hash{1}, message.Move{Turn: 1, Move: []byte{0, 1}, Signature: protocol.Signature{1}})
	position := protocol.Position{Turn: 3, State: common.Hash{5}}
	digest := position.Digest(protocol.Domain{ChainID: 1})
	stores := []store.Store{open(b, 10), open(b, 11)}
	value := make([]byte, 400)

	const rounds = 300
	var echoes, rest time.Duration
	for range rounds {
		start := time.Now()
		must(b, ends[0].net.Send(keys[1].Address(), env))
		<-ends[0].got
		echoes += time.Since(start)
		start = time.Now()
		sig, err := keys[0].Sign(digest)
		must(b, err)
		must(b, sig.Verify(digest, keys[0].Address()))
		for _, s := range stores {
			must(b, s.Commit(map[string][]byte{"match": value}))
		}
		rest += time.Since(start)
	}
	return (echoes/2 + rest) / rounds
}
