package channel_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"google.golang.org/protobuf/proto"
)

// table is a channel with all its seats in one process: machines with real keys, each with a store
// of its own, and the messages between them in a queue that a test delivers from as it likes.
type table struct {
	t      testing.TB
	domain protocol.Domain
	terms  protocol.Terms
	id     common.Hash
	keys   []*protocol.Key
	seats  []*seat
	queue  []packet
	audit  *auditor
}

type seat struct {
	cfg    channel.Config
	m      *channel.Machine
	store  map[string][]byte
	events []channel.Event
}

type packet struct {
	from, to int
	msg      message.Message
}

const deposit = 1000

// newTable opens a channel of n seats. Its machines wait for the opening.
func newTable(t testing.TB, n int) *table {
	return newTableAt(t, protocol.Domain{ChainID: 1337, Arena: common.HexToAddress("0xa7e4a")}, n)
}

// newTableAt is newTable at an Arena.
func newTableAt(t testing.TB, domain protocol.Domain, n int) *table {
	tb := &table{t: t, domain: domain, audit: newAuditor()}
	for i := range n {
		key := protocoltest.Key(fmt.Sprintf("signer %d", i))
		tb.keys = append(tb.keys, key)
		tb.terms.Players = append(tb.terms.Players, protocoltest.Key(fmt.Sprintf("player %d", i)).Address())
		tb.terms.Signers = append(tb.terms.Signers, key.Address())
		tb.terms.Deposits = append(tb.terms.Deposits, *uint256.NewInt(deposit))
	}
	tb.terms.Window, tb.terms.OpenBy, tb.terms.Salt = 100, 1000, common.Hash{7}
	tb.id = tb.terms.ID(tb.domain)
	for i := range n {
		s := &seat{store: map[string][]byte{}, cfg: channel.Config{Domain: tb.domain, Terms: tb.terms, Seat: i,
			Signer: tb.keys[i], Rules: toyResolver{}}}
		m, fx, err := channel.New(s.cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.m = m
		tb.seats = append(tb.seats, s)
		tb.release(i, tb.persist(i, fx))
	}
	return tb
}

// openTable opens a channel and confirms it; every match is approved without asking.
func openTable(t testing.TB, n int) *table {
	tb := newTable(t, n)
	for i := range tb.seats {
		tb.seats[i].cfg.Policy.Approve = func(*protocol.MatchTerms) bool { return true }
		tb.restart(i)
		tb.must(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: tb.id, Terms: tb.terms}, Final: true})
	}
	tb.deliverAll()
	return tb
}

// step gives an input to a seat, makes the records durable and lets the messages leave.
func (tb *table) step(i int, in channel.Input) error {
	fx, err := tb.seats[i].m.Step(in)
	if err != nil {
		return err
	}
	tb.release(i, tb.persist(i, fx))
	return nil
}

func (tb *table) must(i int, in channel.Input) {
	tb.t.Helper()
	if err := tb.step(i, in); err != nil {
		tb.t.Fatalf("seat %d: %T: %v", i, in, err)
	}
}

func (tb *table) persist(i int, fx channel.Effects) channel.Effects {
	for _, e := range fx.Entries {
		if e.Value == nil {
			delete(tb.seats[i].store, e.Key)
		} else {
			tb.seats[i].store[e.Key] = bytes.Clone(e.Value)
		}
	}
	return fx
}

func (tb *table) release(i int, fx channel.Effects) {
	tb.t.Helper()
	s := tb.seats[i]
	s.events = append(s.events, fx.Events...)
	tb.audit.heard(tb, fx.Events)
	for _, o := range fx.Messages {
		msg := overTheWire(tb.t, tb.id, o.Message)
		tb.audit.released(tb, i, msg)
		tb.queue = append(tb.queue, packet{from: i, to: o.To, msg: msg})
	}
	tb.check(i)
}

// overTheWire encodes and decodes a message as a transport does.
func overTheWire(t testing.TB, id common.Hash, msg message.Message) message.Message {
	t.Helper()
	b, err := proto.Marshal(message.Envelope(id, msg))
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 256<<10 {
		t.Fatalf("a %T of %d bytes", msg, len(b))
	}
	var e antev1.Envelope
	if err := proto.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}
	got, back, err := message.FromEnvelope(&e)
	if err != nil {
		t.Fatalf("%T: %v", msg, err)
	}
	if got != id {
		t.Fatalf("%T of channel %s, want %s", msg, got, id)
	}
	return back
}

// records returns what a seat has durable, in order.
func (tb *table) records(i int) []channel.Entry {
	var out []channel.Entry
	for k, v := range tb.seats[i].store {
		out = append(out, channel.Entry{Key: k, Value: v})
	}
	slices.SortFunc(out, func(a, b channel.Entry) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) })
	return out
}

// restart throws a seat's machine away and restores it from its store.
func (tb *table) restart(i int) {
	tb.t.Helper()
	m, err := channel.Restore(tb.seats[i].cfg, tb.records(i))
	if err != nil {
		tb.t.Fatalf("restore seat %d: %v", i, err)
	}
	tb.seats[i].m = m
}

// reload lets a seat go on from other records. What it was told is forgotten.
func (tb *table) reload(i int, records []channel.Entry) {
	tb.t.Helper()
	s := tb.seats[i]
	s.events = nil
	clear(s.store)
	for _, e := range records {
		s.store[e.Key] = e.Value
	}
	tb.restart(i)
}

// check holds what must be true of a seat after every step.
func (tb *table) check(i int) {
	tb.t.Helper()
	s := tb.seats[i]
	if s.m == nil {
		return
	}
	stored, live := tb.records(i), s.m.Records()
	if !reflect.DeepEqual(stored, live) {
		tb.t.Fatalf("seat %d: the store is not what the machine is:\n%v\n%v", i, keys(stored), keys(live))
	}
	m, err := channel.Restore(s.cfg, stored)
	if err != nil {
		tb.t.Fatalf("restore seat %d: %v", i, err)
	}
	if !reflect.DeepEqual(m.Records(), live) {
		tb.t.Fatalf("seat %d: restoring changes the records", i)
	}
	l := s.m.Ledger()
	if err := l.Check(&tb.terms); err != nil {
		tb.t.Fatalf("seat %d: %v", i, err)
	}
	tb.audit.full(tb, l)
}

func keys(list []channel.Entry) (out []string) {
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s:%x", e.Key, crypto.Keccak256(e.Value)[:4]))
	}
	return out
}

// deliver hands the packet at an index of the queue over. What a peer's message is refused for is
// returned.
func (tb *table) deliver(index int) error {
	p := tb.queue[index]
	tb.queue = slices.Delete(tb.queue, index, index+1)
	return tb.step(p.to, channel.Received{From: p.from, Message: p.msg})
}

// deliverAll delivers in order until the network is quiet. Nothing may be refused.
func (tb *table) deliverAll() {
	tb.t.Helper()
	tb.deliverUnless(func(error) bool { return false })
}

// deliverUnless is deliverAll, but that some messages may be refused.
func (tb *table) deliverUnless(refused func(error) bool) {
	tb.t.Helper()
	for n := 0; len(tb.queue) > 0; n++ {
		p := tb.queue[0]
		if err := tb.deliver(0); err != nil && !refused(err) {
			tb.t.Fatalf("seat %d refuses %T of seat %d: %v", p.to, p.msg, p.from, err)
		}
		if n > 3000 {
			tb.t.Fatal("the seats never stop talking")
		}
	}
}

// heal ticks all seats and delivers until nothing changes any more. Seats that propose against each
// other without end, as three may, refuse more of it until the next tick.
func (tb *table) heal() {
	tb.t.Helper()
	for range 4 {
		for i := range tb.seats {
			tb.must(i, channel.Idle{})
			tb.must(i, channel.Tick{})
		}
		tb.deliverUnless(func(err error) bool { return errors.Is(err, channel.ErrFlood) })
	}
}

// match starts a match between all seats with stakes of 100 and returns its id.
func (tb *table) match(proposer int) common.Hash {
	tb.t.Helper()
	tb.must(proposer, tb.proposal(100))
	tb.deliverAll()
	for i := range tb.seats {
		tb.must(i, channel.Idle{})
	}
	tb.deliverAll()
	locks := tb.seats[0].m.Ledger().Locks
	if len(locks) == 0 {
		tb.t.Fatal("no match was locked")
	}
	return newest(tb.seats[0].m)
}

// locked lets a seat propose a match, which all approve, and returns its id.
func (tb *table) locked(proposer int, p channel.ProposeMatch) common.Hash {
	tb.t.Helper()
	tb.must(proposer, p)
	tb.deliverAll()
	return newest(tb.seats[0].m)
}

// newest returns the match with the highest nonce.
func newest(m *channel.Machine) (id common.Hash) {
	var nonce uint64
	for _, v := range m.Matches() {
		if v.Terms.Nonce >= nonce {
			id, nonce = v.ID, v.Terms.Nonce
		}
	}
	return id
}

func (tb *table) proposal(stake uint64, seats ...uint8) channel.ProposeMatch {
	p := channel.ProposeMatch{Rules: toyAddress, Seats: seats}
	if len(seats) == 0 {
		for i := range tb.seats {
			p.Seats = append(p.Seats, uint8(i))
		}
	}
	for range p.Seats {
		p.Stakes = append(p.Stakes, *uint256.NewInt(stake))
	}
	return p
}

// move makes a move of a seat of the channel from the newest position that it knows.
func (tb *table) move(i int, id common.Hash, move ...byte) error {
	v, _ := tb.seats[i].m.Match(id)
	return tb.step(i, channel.MakeMove{MatchID: id, Turn: v.Turn, Move: move})
}

func (tb *table) mustMove(i int, id common.Hash, move ...byte) {
	tb.t.Helper()
	if err := tb.move(i, id, move...); err != nil {
		tb.t.Fatalf("seat %d: %v", i, err)
	}
}

func (tb *table) view(i int, id common.Hash) channel.MatchView {
	tb.t.Helper()
	v, ok := tb.seats[i].m.Match(id)
	if !ok {
		tb.t.Fatalf("seat %d doesn't know match %s", i, id)
	}
	return v
}

// balances returns a ledger's balances as plain numbers.
func balances(l protocol.SignedLedger) (out []uint64) {
	for i := range l.Balances {
		out = append(out, l.Balances[i].Uint64())
	}
	return out
}

// happened returns the events of one kind that a seat was told.
func happened[E channel.Event](s *seat) (out []E) {
	for _, e := range s.events {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}
