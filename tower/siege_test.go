package tower

import (
	"bytes"
	"log/slog"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// post is a network that keeps what is sent.
type post struct {
	nowhere
	mu   sync.Mutex
	sent []message.Message
	full bool // no evidence has room in the queue
}

func (p *post) Send(_ common.Address, env *antev1.Envelope) error {
	_, m, err := message.FromEnvelope(env)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, evidence := m.(message.TowerEvidence); evidence && p.full {
		return transport.ErrQueueFull
	}
	p.sent = append(p.sent, m)
	return err
}

// Group puts accounts with the same first byte into one group.
func (p *post) Group(a common.Address) string { return string(a[:1]) }

// taken returns what was sent since the last call.
func (p *post) taken() []message.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.sent
	p.sent = nil
	return list
}

// scribe counts what is logged.
type scribe struct{ n atomic.Int64 }

func (c *scribe) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return len(b), nil
}

func (c *scribe) size() int { return int(c.n.Load()) }

// disk is what a tower's store fails with.
type disk struct {
	mu  sync.Mutex
	err error
	op  storetest.Op
	ops map[storetest.Op]int // calls
}

// fail has a kind of call fail, and the others not; nil: none does.
func (d *disk) fail(err error, op storetest.Op) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err, d.op = err, op
}

// count returns how many calls of a kind there were.
func (d *disk) count(op storetest.Op) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ops[op]
}

func (d *disk) before(op storetest.Op) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops[op]++
	if op == d.op {
		return d.err
	}
	return nil
}

// siege is a tower on a dev chain with a channel of two seats, whose newest ledger locks a match.
// The test has all keys.
type siege struct {
	*testing.T
	*Tower
	world *dev.World
	disk  *disk
	post  *post
	log   *scribe
	now   time.Time // of the tower's budgets

	owners, seats []*protocol.Key // the players' and the session keys
	opened        int             // how many channels were
	terms         protocol.Terms  // of the newest, as all that follows
	id            common.Hash
	match         protocol.MatchTerms
	matchID       common.Hash
	ledger        protocol.SignedLedger
}

const deposit = 1e18

func besiege(t *testing.T, change func(*Config)) *siege {
	t.Helper()
	return besiegeAt(t, chain.Blocks, change)
}

// besiegeAt is besiege with an Arena that counts in a unit.
func besiegeAt(t *testing.T, unit chain.Clock, change func(*Config)) *siege {
	t.Helper()
	w, err := dev.Start(t.Context(), devnet.Config{Accounts: 3, Manual: true}, games.Catalog{toy.Game()})
	if err != nil {
		t.Fatal(err)
	}
	if unit != chain.Blocks {
		arena, err := w.Chain.DeployArena(t.Context(), false, 20, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		w.Arena, w.From = arena.ContractAddress, arena.BlockNumber.Uint64()
	}
	s := &siege{
		T: t, world: w, disk: &disk{ops: map[storetest.Op]int{}}, post: new(post), log: new(scribe), now: time.Unix(1e9, 0),
		owners: []*protocol.Key{protocol.NewKey(w.Chain.Key(0)), protocol.NewKey(w.Chain.Key(1))},
		seats:  []*protocol.Key{key(t, 1), key(t, 2)},
	}
	t.Cleanup(func() { s.must(w.Close()) })
	config := Config{
		Store: &storetest.Faulty{Store: store.NewMemory(), Before: s.disk.before}, Chain: chain.Config{URL: w.URL}, Arena: w.Arena, From: w.From,
		Key: protocol.NewKey(w.Chain.Key(2)), GasPayer: chain.KeySigner(w.Chain.Key(2)), Games: w.Games, Rules: w.Rules,
		Network: func(protocol.Domain, transport.Handler) (Network, error) { return s.post, nil },
		Policy:  Policy{Confirmations: 1, Poll: 10 * time.Millisecond},
		Now:     func() time.Time { return s.now }, Log: slog.New(slog.NewTextHandler(s.log, nil)),
	}
	if change != nil {
		change(&config)
	}
	s.Tower, err = Start(t.Context(), config)
	s.must(err)
	t.Cleanup(func() { s.must(s.Close()) })
	s.open()
	return s
}

func key(t *testing.T, i byte) *protocol.Key {
	t.Helper()
	k, err := crypto.ToECDSA(bytes.Repeat([]byte{i}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return protocol.NewKey(k)
}

func (s *siege) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// open opens a channel, and has both seats sign a ledger that locks a match.
func (s *siege) open() {
	s.Helper()
	s.deposit()
	s.start()
}

// deposit pays in what a channel takes.
func (s *siege) deposit() {
	s.Helper()
	for i, k := range s.owners {
		s.act(i, onchain.Deposit{Account: k.Address(), Amount: *uint256.NewInt(deposit)})
	}
}

// start is open with what is paid in.
func (s *siege) start() {
	s.Helper()
	stake := uint256.NewInt(deposit / 4)
	s.terms = protocol.Terms{
		Players: []common.Address{s.owners[0].Address(), s.owners[1].Address()}, Signers: []common.Address{s.seats[0].Address(), s.seats[1].Address()},
		Deposits: []uint256.Int{*uint256.NewInt(deposit), *uint256.NewInt(deposit)}, Window: 40, OpenBy: 1 << 35, Salt: common.Hash{byte(s.opened)},
	}
	s.opened++
	s.id = s.terms.ID(s.domain)
	s.act(0, s.toOpen())
	s.mine(3)
	s.match = protocol.MatchTerms{ChannelID: s.id, Nonce: 2 << 8, Rules: s.world.Rules["toy"], Seats: []uint8{0, 1}, Stakes: []uint256.Int{*stake, *stake}, Params: toy.Params(0)}
	s.matchID = s.match.ID(s.domain)
	s.ledger = s.signed(2)
}

// toOpen opens the channel, in both players' names.
func (s *siege) toOpen() onchain.Open {
	open := onchain.Open{Terms: s.terms}
	for _, k := range s.owners {
		sig := s.sign(k, s.id)
		open.Signatures = append(open.Signatures, sig[:])
	}
	return open
}

// signed is a ledger that locks the match, signed by both seats.
func (s *siege) signed(version uint64) protocol.SignedLedger {
	rest := *uint256.NewInt(deposit / 4 * 3)
	l := protocol.Ledger{ChannelID: s.id, Version: version, Balances: []uint256.Int{rest, rest}, Locks: []protocol.Lock{{MatchID: s.matchID, Stakes: s.match.Stakes}}}
	return protocol.SignedLedger{Ledger: l, Signatures: []protocol.Signature{s.sign(s.seats[0], l.Digest(s.domain)), s.sign(s.seats[1], l.Digest(s.domain))}}
}

func (s *siege) sign(k *protocol.Key, digest common.Hash) protocol.Signature {
	s.Helper()
	sig, err := k.Sign(digest)
	s.must(err)
	return sig
}

// act has a player send a transaction, and makes a block of it.
func (s *siege) act(player int, a onchain.Action) {
	s.Helper()
	call, err := s.drive.Codec.Encode(a)
	s.must(err)
	s.send(player, s.world.Arena, call.Data, &call.Value)
}

// send has a player send a transaction, which must succeed.
func (s *siege) send(player int, to common.Address, data []byte, value *uint256.Int) {
	s.Helper()
	tx, err := s.world.Chain.Send(s.Context(), s.world.Chain.Key(player), types.DynamicFeeTx{To: &to, Data: data, Value: value.ToBig(), GasTipCap: big.NewInt(1)})
	s.must(err)
	s.must(s.world.Chain.Mine(1))
	client := s.world.Chain.Client()
	defer client.Close()
	receipt, err := client.TransactionReceipt(s.Context(), tx.Hash())
	s.must(err)
	if receipt.Status != types.ReceiptStatusSuccessful {
		s.Fatalf("a transaction to %s failed", to)
	}
}

// mine makes blocks, and waits until the tower has seen them.
func (s *siege) mine(n int) {
	s.Helper()
	s.must(s.world.Chain.Mine(n))
	s.must(s.Wait(s.Context(), func() (bool, error) { return s.Head().Block >= s.world.Chain.Head(), nil }))
}

// give hands the tower evidence in a player's name, and returns its answer.
func (s *siege) give(player int, e message.TowerEvidence) message.TowerReceipt {
	s.Helper()
	s.post.taken()
	handler{s.Tower}.Receive(s.owners[player].Address(), message.Envelope(s.id, e))
	answers := s.post.taken()
	if len(answers) != 1 {
		s.Fatalf("%d answers", len(answers))
	}
	r, ok := answers[0].(message.TowerReceipt)
	if !ok {
		s.Fatalf("answered with a %T", answers[0])
	}
	return r
}

// evidenceOf names the match; a test adds what is proved of it.
func (s *siege) evidenceOf() message.TowerEvidence {
	return message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}, MatchID: s.matchID}
}

// entrust gives the tower the ledger in the second player's name.
func (s *siege) entrust() {
	s.Helper()
	if r := s.give(1, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}); r.Refusal != "" {
		s.Fatal(r.Refusal)
	}
}

// support is the start of the match, signed by some seats.
func (s *siege) support(seats ...uint8) *protocol.Support {
	s.Helper()
	judge, err := protocol.NewJudge(s.domain, &s.terms, &s.match, toy.Rules{})
	s.must(err)
	start, err := judge.Start()
	s.must(err)
	out := &protocol.Support{Base: start}
	digest := protocol.Position{MatchID: s.matchID, State: protocol.StateHash(start)}.Digest(s.domain)
	for _, seat := range seats {
		out.Signatures = append(out.Signatures, protocol.SeatSignature{Seat: seat, Signature: s.sign(s.seats[seat], digest)})
	}
	return out
}

// agreement is an agreement to end the match at a turn, signed by both seats.
func (s *siege) agreement(turn protocol.Turn) *protocol.SignedAgreement {
	a := protocol.Agreement{MatchID: s.matchID, Turn: turn, Payouts: slices.Clone(s.match.Stakes)}
	d := a.Digest(s.domain)
	return &protocol.SignedAgreement{Agreement: a, Signatures: []protocol.Signature{s.sign(s.seats[0], d), s.sign(s.seats[1], d)}}
}

// contest posts a ledger for the first player.
func (s *siege) contest(l protocol.SignedLedger) {
	s.Helper()
	sig := s.sign(s.seats[0], protocol.Contest{ChannelID: s.id, Version: l.Version}.Digest(s.domain))
	s.act(0, onchain.ContestLedger{Terms: s.terms, Ledger: l, Seat: 0, Signature: sig[:]})
}

// first is version 1 of the ledger, which follows from the terms.
func (s *siege) first() protocol.SignedLedger {
	return protocol.SignedLedger{Ledger: protocol.FirstLedger(s.id, &s.terms)}
}
