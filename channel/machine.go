package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// Machine is one seat's part in one channel. It is not safe for concurrent use.
type Machine struct {
	cfg     Config
	id      common.Hash
	state   *state   // never modified in place: a step works on a copy
	matches []*match // by ascending id; likewise
	used    []int    // by seat: of its allowance since the last Tick
	faults  []int    // by seat: messages that broke the protocol since then
}

// New starts a channel under complete terms whose opening is not confirmed yet.
func New(cfg Config) (*Machine, Effects, error) {
	if err := cfg.check(); err != nil {
		return nil, Effects{}, err
	}
	m := newMachine(cfg)
	m.state = &state{ledgers: ledgers{full: protocol.SignedLedger{Ledger: protocol.FirstLedger(m.id, &cfg.Terms)}}}
	t := m.begin()
	t.change()
	return m, t.commit(), nil
}

func newMachine(cfg Config) *Machine {
	return &Machine{cfg: cfg, id: cfg.Terms.ID(cfg.Domain), used: make([]int, cfg.Terms.Seats()), faults: make([]int, cfg.Terms.Seats())}
}

// Clone returns an independent machine in the same state, for trying out what could happen next.
// Its signer must have the same key.
func (m *Machine) Clone(s protocol.Signer) *Machine {
	c := *m
	c.cfg.Signer, c.used, c.faults = s, slices.Clone(m.used), slices.Clone(m.faults)
	return &c
}

// Step handles one input. When it returns an error, nothing has changed but what the peer is
// charged for, and there are no effects: the error says why the input was refused, and wraps
// ErrPeer where a peer is to blame. A repeated input changes nothing.
func (m *Machine) Step(in Input) (Effects, error) {
	t := m.begin()
	err := t.handle(in)
	m.charge(in, err, t.fx.Messages)
	if err == nil {
		err = t.ledgers().pursue()
	}
	if err != nil && t.copied != nil {
		found := *t.copied
		t, err = m.begin(), nil // nothing is taken from what it came with
		t.oldCopy(found)
	}
	if err != nil {
		return Effects{}, err
	}
	t.notify()
	return t.commit(), nil
}

func (t *txn) handle(in Input) error {
	switch in := in.(type) {
	case Received:
		return t.receive(in)
	case Shown:
		t.recogniseShown(&in.Evidence)
		return t.receiveShown(&in.Evidence)
	case Connected:
		return t.connected(in.Seat)
	case Idle:
		return t.idle()
	case Tick:
		return t.tick()
	case ClockAt:
		return t.clockAt(in.Now, in.Block)
	case StoreRestored:
		t.change().restored = true
		return nil
	case Hold:
		return t.hold(in.On)
	case ChainSeen:
		t.recogniseEvent(in.Event, in.Final)
		return t.chainSeen(in.Event, in.Final)
	case ChainUndone:
		return t.chainUndone(&in)
	case ChainTold:
		return t.recordTold(&in)
	case ProposeMatch:
		return t.ledgers().proposeMatch(in)
	case WithdrawMatches:
		return t.ledgers().withdrawMatches()
	case BookMatch:
		return t.ledgers().bookMatch(in.MatchID)
	case CloseChannel:
		return t.ledgers().closeChannel()
	case MakeMove:
		return t.makeMove(in)
	case SayNote:
		return t.sayNote(in)
	case OfferAgreement:
		return t.offerAgreement(in.MatchID, in.Turn, in.Payouts)
	case AcceptAgreement:
		return t.acceptAgreement(in)
	case Concede:
		return t.concede(in)
	case ApproveProposal:
		return t.ledgers().approveProposal(in.Version)
	case RefuseProposal:
		return t.ledgers().refuseProposal(in)
	default:
		return fmt.Errorf("unknown input %T", in)
	}
}

func (t *txn) receive(in Received) error {
	if in.From < 0 || in.From >= t.cfg.Terms.Seats() || in.From == t.cfg.Seat {
		return fmt.Errorf("%w: message from seat %d", ErrPeer, in.From)
	}
	if !t.state.opened() {
		return t.state.unopened()
	}
	if t.faults[in.From] >= maxFaults || work(in.Message) > 0 && t.used[in.From] >= allowance {
		return fmt.Errorf("%w: seat %d", ErrFlood, in.From)
	}
	t.recogniseMessage(in.Message)
	switch msg := in.Message.(type) {
	case message.Propose:
		return t.ledgers().receivePropose(in.From, &msg)
	case message.Approve:
		return t.ledgers().receiveApprove(in.From, &msg)
	case message.Reject:
		return t.ledgers().receiveReject(in.From, &msg)
	case message.Move:
		return t.receiveMove(in.From, &msg)
	case message.Countersign:
		return t.receiveCountersign(in.From, &msg)
	case message.Note:
		return t.receiveNote(in.From, &msg)
	case message.AgreementSignature:
		return t.receiveAgreement(in.From, &msg)
	case message.Sync:
		return t.receiveSync(in.From, &msg)
	case message.SyncReply:
		return t.receiveSyncReply(in.From, &msg)
	default:
		return fmt.Errorf("%w: a %T inside a channel", ErrPeer, msg)
	}
}

// txn is one step under way. It works on copies of the state and of the matches, so that an error
// leaves no trace.
type txn struct {
	*Machine
	state   *state
	matches []*match
	dropped []common.Hash // matches to forget
	changed bool          // the state is to be written
	all     bool          // something changed that may let any match go on
	copied  *OldCopyFound // a proof that the records are an old copy, or that a copy is in use
	fx      Effects
}

func (m *Machine) begin() *txn {
	s, copies, matches := *m.state, make([]match, len(m.matches)), make([]*match, len(m.matches))
	for i, x := range m.matches {
		copies[i], matches[i] = *x, &copies[i]
		copies[i].edited = false
	}
	if s.pending != nil {
		p := *s.pending
		s.pending = &p
	}
	return &txn{Machine: m, state: &s, matches: matches}
}

// change returns the channel's state for changing.
func (t *txn) change() *state {
	t.changed = true
	return t.state
}

// edit returns a step's copy of a match for changing.
func (m *match) edit() *match {
	m.edited = true
	return m
}

// add puts a new match in.
func (t *txn) add(m *match) {
	m.edited = true
	i, _ := slices.BinarySearchFunc(t.matches, m.id, compareID)
	t.matches = slices.Insert(slices.Clone(t.matches), i, m)
}

func (t *txn) drop(m *match) {
	t.matches = slices.DeleteFunc(slices.Clone(t.matches), func(o *match) bool { return o == m })
	t.dropped = append(t.dropped, m.id)
	t.keepOlder(m, nil)
}

// find returns a match, or nil.
func (t *txn) find(id common.Hash) *match { return findMatch(t.matches, id) }

func findMatch(list []*match, id common.Hash) *match {
	i, found := slices.BinarySearchFunc(list, id, compareID)
	if !found {
		return nil
	}
	return list[i]
}

func compareID(m *match, id common.Hash) int { return m.id.Cmp(id) }

func (t *txn) send(to int, msg message.Message) {
	t.fx.Messages = append(t.fx.Messages, Outgoing{To: to, Message: msg})
}

// broadcast sends to every other seat of the channel.
func (t *txn) broadcast(msg message.Message) {
	for seat := range t.cfg.Terms.Seats() {
		if seat != t.cfg.Seat {
			t.send(seat, msg)
		}
	}
}

// tell sends to every other seat of a match.
func (m side) tell(msg message.Message) {
	for i, seat := range m.terms.Seats {
		if i != m.seat {
			m.send(int(seat), msg)
		}
	}
}

func (t *txn) event(e Event) { t.fx.Events = append(t.fx.Events, e) }

// sign signs with the session key. The signature leaves in a batch that is durable first.
func (t *txn) sign(digest common.Hash) (protocol.Signature, error) {
	return t.cfg.Signer.Sign(digest)
}

// commit makes the step's result the machine's state and returns its effects.
func (t *txn) commit() Effects {
	for _, m := range t.matches {
		if m.edited {
			m.prune()
		}
	}
	t.Machine.state, t.Machine.matches = t.state, t.matches
	t.fx.Entries = t.entries()
	return t.fx
}
