package nodesim

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/house"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// seat is a player of the channel: its node, its endpoint, its account and what its user wants.
type seat struct {
	*history
	index  int
	number int // of its node: no two have the same
	honest bool
	r      *rand.Rand
	plan   plan
	peers  []*seat       // whom it knows
	policy *house.Policy // of a house; nil: it is none
	asks   bool          // its node does nothing without its user
	key    *ecdsa.PrivateKey
	port   *port
	second *port // nil: it has one endpoint
	store  *store.Memory
	config node.Config
	names  []string     // of what befalls it, or of how it cheats
	tower  *tower.Tower // nil: it has none
	dire   bool         // something befalls it that may cost it money whatever its node does
	forgot bool         // it was started on a copy of its store that lacked a ledger
	away   *absence     // when its tower alone could act; nil: never
	copy   *seat        // the other node of its account; nil: it has one

	mu   sync.Mutex
	node *node.Node // nil while it is off
	mute func(message.Message) bool
	met  bool // a peer told its node that it runs twice
	said words
	// channels in which it heard of a signature of its own that it did not give
	twice         map[common.Hash]bool
	frozen        map[common.Hash]bool // channels in which it signs nothing more
	since         uint64               // the block in which it was started last
	starts, reads uint64
	claims        map[common.Hash]*claim
	alarms        map[string]bool     // that stood at any time
	dangers       map[string]uint64   // its money is in, and since which block
	offer         common.Hash         // that it made
	asked         int                 // matches that it proposed
	agreements    map[uint256.Int]int // that its user made, by stake: each is good for one match

	// What a seat that cheats keeps.
	channel   *node.Channel
	ledgers   []protocol.SignedLedger
	held      map[common.Hash][]channel.MatchView
	kept      *store.Memory
	contested bool // it has posted an old ledger
}

// key returns the key of an account. The same number gives the same key.
func keyOf(number uint64) *ecdsa.PrivateKey {
	key, err := crypto.ToECDSA(crypto.Keccak256(fmt.Appendf(nil, "account %d of the simulator", number)))
	if err != nil {
		panic(err) // one hash in 2^128
	}
	return key
}

// sessionKey is the key of a channel, which follows from the account's and the channel's salt.
func sessionKey(key *ecdsa.PrivateKey, salt common.Hash) (protocol.Signer, error) {
	k, err := crypto.ToECDSA(crypto.Keccak256(crypto.FromECDSA(key), salt[:]))
	if err != nil {
		return nil, err
	}
	return protocol.NewKey(k), nil
}

func (s *seat) account() common.Address { return crypto.PubkeyToAddress(s.key.PublicKey) }

// sit makes a node's configuration for a seat.
func (h *history) sit(index, number int) (*seat, error) {
	s := &seat{
		history: h, index: index, number: number, honest: true, r: chance(h.Seed, fmt.Sprint("seat ", number)),
		key: keyOf(uint64(index)), store: store.NewMemory(), //nolint:gosec // small
		claims: map[common.Hash]*claim{}, alarms: map[string]bool{}, agreements: map[uint256.Int]int{},
		said: words{}, twice: map[common.Hash]bool{}, frozen: map[common.Hash]bool{}, dangers: map[string]uint64{}, held: map[common.Hash][]channel.MatchView{},
	}
	var err error
	if s.port, err = newPort(h.world, h.Seed<<8|uint64(number)); err != nil { //nolint:gosec // small
		return nil, err
	}
	player := protocol.NewKey(s.key)
	s.config = node.Config{
		Store: s.store, Chain: chain.Config{URL: "http://chain", Transport: lines{s}, Timeout: 10 * time.Second},
		Arena: h.domain.Arena, From: h.world.first, Player: player, GasPayer: chain.KeySigner(s.key),
		Sessions: func(salt common.Hash) (protocol.Signer, error) { return sessionKey(s.key, salt) },
		Games:    h.games, Rules: h.rules, Network: s.join, Now: h.now, Rand: s,
		Policy: node.Policy{
			Accept: func(node.Offer) bool { return true }, Approve: func(node.Proposal) bool { return true },
			Bot: true, Patience: patience, Leave: index%2 == 1, Confirmations: confirmed, Poll: pollEvery,
		},
	}
	return s, nil
}

// What each player has: in its wallet, for gas, and in the Arena's bank.
var (
	own  = uint256.NewInt(1e18)
	bank = uint256.NewInt(2e18)
)

const (
	patience  = 2 * time.Minute
	confirmed = 3
	pollEvery = 5003 * time.Millisecond // so that it rarely falls together with another timer
	blockTime = 12 * time.Second
)

// Read implements io.Reader with the seat's own randomness. Each start has another.
func (s *seat) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random().Read(p)
}

// random is a generator for the next read. The lock is held.
func (s *seat) random() *rand.ChaCha8 {
	s.reads++
	var seed [32]byte
	copy(seed[:], crypto.Keccak256(fmt.Appendf(nil, "%d %d %d %d", s.Seed, s.number, s.starts, s.reads)))
	return rand.NewChaCha8(seed)
}

// join joins the web, with ears and a mouth that the history watches.
func (s *seat) join(_ protocol.Domain, h transport.Handler) (node.Network, error) {
	return mouth{s.web.join(s.account(), &watched{h, s}), s}, nil
}

// watched has the referee look after each message.
type watched struct {
	transport.Handler
	seat *seat
}

func (w *watched) Receive(from common.Address, env *antev1.Envelope) {
	if id, msg, err := message.FromEnvelope(env); err == nil {
		w.seat.hears(id, msg)
	}
	w.Handler.Receive(from, env)
	w.seat.look()
}

// mouth says what the seat says, but for what a strategy swallows.
type mouth struct {
	node.Network
	seat *seat
}

func (m mouth) Send(to common.Address, env *antev1.Envelope) error {
	m.seat.mu.Lock()
	mute := m.seat.mute
	m.seat.mu.Unlock()
	if id, msg, err := message.FromEnvelope(env); err == nil {
		if mute != nil && mute(msg) {
			return nil
		}
		m.seat.says(id, msg)
	}
	return m.Network.Send(to, env)
}

// start starts the seat's node on what its store holds, and tells it where the others are.
func (s *seat) start(ctx context.Context) error {
	s.mu.Lock()
	s.starts++
	s.reads = 0
	s.config.Store = s.store
	config := s.config
	s.mu.Unlock()
	if s.asks {
		config.Policy.Accept, config.Policy.Approve = nil, nil
	}
	serve := func(*node.Node) error { return nil }
	if s.policy != nil {
		serve = house.Join(&config, s.policy).Serve
	}
	// so that the timers of two nodes never fall together
	time.Sleep(time.Duration(1+s.number) * 137 * time.Millisecond)
	n, err := node.Start(ctx, config)
	if err != nil {
		return err
	}
	for _, o := range s.peers {
		if err := n.Network().Keep(o.account(), "/memory/"+o.account().Hex()); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.node, s.since, s.met = n, s.world.head(), false
	s.mu.Unlock()
	clear(s.dangers)
	if s.tower != nil {
		if err := n.AddTower(s.tower.Account(), s.tower.Network().Addresses()...); err != nil {
			return err
		}
	}
	return serve(n)
}

// stop ends the node, as a crash does: what its store holds is all that is left.
func (s *seat) stop() {
	s.mu.Lock()
	n := s.node
	s.node = nil
	s.mu.Unlock()
	if n == nil {
		return
	}
	if err := n.Close(); err != nil {
		s.fail("seat %d does not close: %v", s.index, err)
	}
	s.store = s.store.Reopen()
}

func (s *seat) running() *node.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.node
}
