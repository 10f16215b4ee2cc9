package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// seat is one player's machine: the real core over a store, the real watcher, and a player side
// that decides what to move. Whatever the core signs is durable before it leaves, as package
// channel asks of every caller. A seat that cheats is the same seat with hooks.
type seat struct {
	*history
	index   int
	honest  bool
	player  *protocol.Key
	cfg     channel.Config
	random  *rand.ChaCha8 // the seat's own randomness, for secrets and choices
	machine *channel.Machine
	store   map[string][]byte // the machine's durable records, by key
	watcher *disputes.Watcher
	hooks   hooks
	presence

	todo    []decision
	inbox   []news            // what the chain said while the seat was away
	known   []news            // what the chain said and did not take back
	waiting disputes.Owed     // for its peers
	orders  map[string]*order // by submission
	closing bool              // the user wants to leave
	// the block since which the seat wants to leave and can't propose to; 0: it doesn't, or did
	barred uint64

	wake    uint64 // when the watcher is to look again
	fresh   bool   // something happened since it looked
	effects int    // batches that were made durable
	crash   crash
	forgot  bool // the last input, because the process died before it was durable
	relapse

	bill   bill
	claims map[common.Hash]*claim
	forced int // moves that were made after the match came to the chain
}

// decision is a proposal to approve, or a turn to take.
type decision struct {
	version uint64 // of the proposal; 0: a turn
	matchID common.Hash
	turn    protocol.Turn
}

// order is what became of a submission.
type order struct {
	tx  *tx
	err error
}

// bill is what a seat spent on the chain.
type bill struct {
	Gas, Sent, Refused uint64
}

func (b *bill) add(gas uint64, accepted bool) {
	b.Gas += gas
	b.Sent++
	if !accepted {
		b.Refused++
	}
}

// relapse is when a seat copies its store, and when it goes back to the copy, in batches; 0: never.
type relapse struct {
	copyAt, backAt int
	kept           map[string][]byte
	admits         bool // and tells the core that it did
}

func (s *seat) fallBack() error {
	switch {
	case s.copyAt == 0:
	case s.effects >= s.copyAt && s.kept == nil:
		s.kept = maps.Clone(s.store)
	case s.effects >= s.backAt && s.kept != nil:
		s.note("seat %d goes back to an old copy of its store", s.index)
		s.store, s.copyAt = s.kept, 0
		if err := s.boot(); err != nil || !s.admits {
			return err
		}
		return s.feed(channel.StoreRestored{})
	}
	return nil
}

// crash is the batch at which the process dies, and where in it.
type crash struct {
	at    int // 0: never
	where int // 0: before the write; 1: after it; 2: after the write and half of the messages
}

func (s *seat) Read(p []byte) (int, error) { return s.random.Read(p) }

// boot makes the machine and the watcher out of what is durable.
func (s *seat) boot() error {
	var records []channel.Entry
	for _, k := range slices.Sorted(maps.Keys(s.store)) {
		records = append(records, channel.Entry{Key: k, Value: s.store[k]})
	}
	m, err := channel.Restore(s.cfg, records)
	if err != nil {
		return fmt.Errorf("seat %d cannot be restored from its own store: %w", s.index, err)
	}
	s.machine, s.fresh, s.todo = m, true, nil
	s.watcher = s.newWatcher()
	for _, n := range s.known {
		s.watcher.Happened(n.block, n.event)
	}
	s.remind()
	return nil
}

func (s *seat) newWatcher() *disputes.Watcher {
	return disputes.NewWatcher(disputes.Case{
		Domain: s.domain, Terms: s.terms, Seat: s.index, Rules: s.Rules, Policy: disputes.Policy{Margin: margin},
	}, s.cfg.Signer, s)
}

// remind notes what the machine waits for.
func (s *seat) remind() {
	if p := s.machine.Proposal(); p != nil && p.Asked {
		s.todo = append(s.todo, decision{version: p.Ledger.Version})
	}
	for _, m := range s.machine.Matches() {
		if m.MayMove {
			s.todo = append(s.todo, decision{matchID: m.ID, turn: m.Turn})
		}
	}
}

// feed gives the machine an input, and does what comes of it in the order that makes a crash
// harmless.
func (s *seat) feed(in channel.Input) error {
	key, noted := s.cfg.Signer.(*notary)
	if noted {
		key.step = nil
	}
	fx, err := s.machine.Step(in)
	if err != nil {
		return err
	}
	if len(fx.Entries) > 0 {
		s.progress, s.fresh = true, true
		s.effects++
	}
	dies := s.crash.at != 0 && s.effects == s.crash.at && len(fx.Entries) > 0
	if dies && s.crash.where == 0 {
		if noted {
			key.undo()
		}
		return s.restart(beforeWrite)
	}
	for _, e := range fx.Entries {
		if e.Value == nil {
			delete(s.store, e.Key)
		} else {
			s.store[e.Key] = bytes.Clone(e.Value)
		}
	}
	if dies {
		fx.Messages = fx.Messages[:len(fx.Messages)/2*(s.crash.where-1)]
	}
	s.witness(fx.Events)
	for _, o := range fx.Messages {
		s.say(o.To, o.Message)
	}
	s.follow(fx.Events)
	if dies {
		return s.restart("after a write")
	}
	return s.fallBack()
}

const beforeWrite = "before a write"

func (s *seat) restart(when string) error {
	s.crash.at = 0
	s.forgot = when == beforeWrite
	s.note("seat %d crashes %s", s.index, when)
	return s.boot()
}

// say sends a message to another seat, unless a hook swallows it.
func (s *seat) say(to int, msg message.Message) {
	if s.hooks.mail != nil {
		s.hooks.mail(to, msg)
		return
	}
	if s.node == nil || s.hooks.says != nil && !s.hooks.says(to, msg) {
		return
	}
	// What can't be sent is lost; peers sync when they are connected again.
	_ = s.node.Send(s.seats[to].player.Address(), message.Envelope(s.id, msg))
}

// follow notes what the machine's events ask for.
func (s *seat) follow(events []channel.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case channel.YourTurn:
			s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn})
		case channel.ChanceTurn:
			s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn})
		case channel.ProposalAsked:
			s.todo = append(s.todo, decision{version: e.Version})
		case channel.AgreementOffered:
			if s.hooks.mail == nil {
				s.offered(&e)
			}
		case channel.NoteHeard:
			if m, ok := s.machine.Match(e.MatchID); ok && m.MayMove && int(m.Mover) == m.Seat {
				s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn})
			}
		}
	}
}

func (s *seat) Connected(account common.Address) {
	s.try(channel.Connected{Seat: s.seatOf(account)})
}

func (s *seat) Receive(from common.Address, env *antev1.Envelope) {
	id, msg, err := message.FromEnvelope(env)
	if err != nil || id != s.id {
		return // a hostile seat said it
	}
	s.try(channel.Received{From: s.seatOf(from), Message: msg})
}

func (s *seat) Disconnected(common.Address, error) {}

// try feeds an input that may be refused, and what follows from it.
func (s *seat) try(in channel.Input) {
	if err := s.feed(in); err != nil {
		s.refused(err)
		return
	}
	s.decide()
}

// refused looks at what a machine refused: a store that doesn't restore is a defect whoever did
// what.
func (s *seat) refused(err error) {
	if errors.Is(err, channel.ErrRecords) {
		s.fail("seat %d: %v", s.index, err)
	}
}

// Submit implements disputes.Submitter: what was taken on is durable, as a sender's jobs are.
func (s *seat) Submit(_ context.Context, sub disputes.Submission) error {
	if o := s.orders[sub.ID]; o != nil {
		if o.err != nil {
			return fmt.Errorf("%w: %w", disputes.ErrFailed, o.err)
		}
		return nil
	}
	action := s.hooks.keeps(sub.Action)
	if action == nil {
		s.orders[sub.ID] = &order{}
		return nil
	}
	t, err := s.submit(s, sub.ID, action)
	if err != nil {
		return err
	}
	t.gas = sub.Usual // as a lying endpoint makes a sender believe
	s.orders[sub.ID] = &order{tx: t}
	s.progress = true
	s.note("seat %d sends: %s", s.index, sub.Why)
	return nil
}
