package channel_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/holiman/uint256"
)

// Two seats propose at the same moment (go-perun#380): one of the two proposals wins, the other is
// made again on top.
func TestAttack_EqualVersion_Crossing(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	tb.must(1, tb.proposal(20))
	tb.deliverAll()
	for i, s := range tb.seats {
		l := s.m.Ledger()
		if len(l.Locks) != 2 || !slices.Equal(balances(l), []uint64{970, 970}) {
			t.Fatalf("seat %d: ledger %d has %d locks and %v", i, l.Version, len(l.Locks), balances(l))
		}
		if s.m.Proposal() != nil || len(s.m.Wanted()) != 0 {
			t.Fatalf("seat %d still wants something", i)
		}
	}
}

// A proposer signs two ledgers of its version and gives them to different seats.
func TestAttack_EqualVersion(t *testing.T) {
	tb := openTable(t, 3)
	first := tb.seats[0].m.Ledger().Ledger
	a, terms := tb.lockLedger(first, 4, 10)
	b, other := tb.lockLedger(first, 4, 20)
	if err := tb.says(1, 0, tb.propose(a, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := tb.says(1, 2, tb.propose(b, 1, []protocol.MatchTerms{other}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := tb.says(1, 0, tb.propose(b, 1, []protocol.MatchTerms{other}, nil)); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("a second ledger of the version: %v", err)
	}
	// The seats tell each other; neither signs what the other did, and the channel goes on with the
	// next version.
	for len(tb.queue) > 0 {
		if err := tb.deliver(0); err != nil && !errors.Is(err, channel.ErrPeer) {
			t.Fatal(err)
		}
	}
	if v := tb.seats[0].m.Ledger().Version; v != 1 {
		t.Fatalf("ledger %d became fully signed", v)
	}
}

// A seat must not sign another ledger at or below its mark, whatever happened in between: the mark
// is kept through a crash, a rejection and a time-out.
func TestAttack_SelfEquivocation(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	mark, digest := tb.seats[0].m.Signed()
	tb.queue = nil
	tb.restart(0)
	if v, d := tb.seats[0].m.Signed(); v != mark || d != digest {
		t.Fatalf("the mark after a crash is %d, was %d", v, mark)
	}
	tb.must(0, channel.Tick{})
	tb.must(0, channel.Connected{Seat: 1})
	// The peer says it refuses, so that another proposal is made: with another version.
	if err := tb.says(1, 0, message.Reject{Version: mark, Digest: digest, Code: message.Refused}); err != nil {
		t.Fatal(err)
	}
	tb.must(0, tb.proposal(30))
	if v, _ := tb.seats[0].m.Signed(); v <= mark {
		t.Fatalf("signed version %d again", v)
	}
	if got := happened[channel.ProposalRefused](tb.seats[0]); len(got) != 1 || got[0].By != 1 {
		t.Fatalf("told of refusals: %v", got)
	}
}

// A seat keeps its approval back and completes the ledger when it pays: the match that it locks is
// void, because the proposer does not sign its turn 0 any more, and what follows outranks it. A
// lock that is completed late, while the proposer's signature of a higher ledger without that lock
// is out, could be taken back at will by whoever holds that signature. So nothing is played in it
// before a higher ledger locks it as well. A seat that has signed a closing ledger signs nothing
// with other balances, though the answer is withheld. A booking is signed only of a match that is
// over for the signer, with the payouts of its rules. From the first sight of a contest,
// unconfirmed or not, no ledger is signed; the locked matches go on.
func TestAttack_SignWhileDisputed(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	contested := onchain.Contested{ChannelID: tb.id, Ledger: tb.seats[0].m.Ledger(), Deadline: 500}
	tb.must(0, channel.ChainSeen{Event: contested})
	tb.must(0, channel.ChainSeen{Event: contested}) // told twice
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 3, 50)
	if err := tb.says(1, 0, tb.propose(l, 2, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(0)); len(r) != 1 || r[0].Code != message.LedgerFrozen {
		t.Fatalf("answered %v", r)
	}
	if err := tb.step(0, tb.proposal(10)); !errors.Is(err, channel.ErrFrozen) {
		t.Fatalf("a proposal in a contested channel: %v", err)
	}
	tb.mustMove(0, id, Win)
	tb.deliverAll()
	if v := tb.seats[0].m.Ledger().Version; v != 2 {
		t.Fatalf("ledger %d is signed while the channel is contested", v)
	}
	// A reorganisation takes the contest back: the booking that waited is made.
	tb.must(0, channel.ChainUndone{Event: contested})
	tb.must(0, channel.Tick{})
	tb.deliverAll()
	if v := tb.seats[0].m.Ledger(); len(v.Locks) != 0 {
		t.Fatalf("ledger %d still locks the match", v.Version)
	}
}

// A restored store signs nothing, whatever a peer shows or asks, and takes over what is newer.
func TestAttack_HiddenNewer(t *testing.T) {
	tb := openTable(t, 2)
	backup := tb.records(0)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()

	m, err := channel.Restore(tb.seats[0].cfg, backup)
	if err != nil {
		t.Fatal(err)
	}
	tb.seats[0].m, tb.seats[0].store = m, map[string][]byte{}
	for _, e := range backup {
		tb.seats[0].store[e.Key] = e.Value
	}
	tb.must(0, channel.StoreRestored{})
	// The peer hides the running match and proposes something that the lost state has signed
	// another version of.
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 3, 50)
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if v, _ := tb.seats[0].m.Signed(); v != 0 || len(only[message.Approve](tb.answers(0))) != 0 {
		t.Fatal("a restored store signs")
	}
	for _, in := range []channel.Input{tb.proposal(1), channel.CloseChannel{}} {
		if err := tb.step(0, in); !errors.Is(err, channel.ErrRestored) {
			t.Fatalf("%T: %v", in, err)
		}
	}
	// An honest peer shows the newer state: it is taken over, for the chain, and not played on.
	tb.must(1, channel.Tick{})
	tb.deliverAll()
	tb.heal()
	if v := tb.seats[0].m.Ledger().Version; v != 2 {
		t.Fatalf("the newer ledger isn't taken over: %d", v)
	}
	if v := tb.view(0, id); v.Turn != 1 || v.Support == nil {
		t.Fatalf("the newer position isn't taken over: turn %s", v.Turn)
	}
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	tb.must(0, channel.Idle{})
	if v := tb.view(0, id); v.Mark != 0 || v.Turn != 2 {
		t.Fatalf("a restored store signs up to mark %d at turn %s", v.Mark, v.Turn)
	}
	if err := tb.move(0, id, Pass); !errors.Is(err, channel.ErrRestored) {
		t.Fatalf("a move from a restored store: %v", err)
	}
	draw := channel.OfferAgreement{MatchID: id, Turn: 2, Payouts: tb.view(0, id).Terms.Stakes}
	if err := tb.step(0, draw); !errors.Is(err, channel.ErrRestored) {
		t.Fatalf("a draw offered from a restored store: %v", err)
	}
}

// atLeast finds matches enforceable whose stakes sum to so much.
func atLeast(least uint64) func(*protocol.MatchTerms) error {
	return func(m *protocol.MatchTerms) error {
		var pot uint256.Int
		for i := range m.Stakes {
			pot.Add(&pot, &m.Stakes[i])
		}
		if pot.LtUint64(least) {
			return errors.New("too cheap")
		}
		return nil
	}
}

// Matches that Policy.Enforceable refuses are neither proposed nor approved.
func TestAttack_CheapMatch(t *testing.T) {
	tb := openTable(t, 2)
	tb.seats[0].cfg.Policy.Enforceable = atLeast(100)
	tb.restart(0)
	if err := tb.step(0, tb.proposal(49)); !errors.Is(err, channel.ErrCheap) {
		t.Fatalf("a cheap proposal of our own: %v", err)
	}
	tb.must(1, tb.proposal(49))
	tb.deliverAll()
	refused := happened[channel.ProposalRefused](tb.seats[1])
	if len(refused) != 1 || refused[0].Code != message.TooCheap {
		t.Fatalf("a peer's cheap match: %v", refused)
	}
	tb.must(1, tb.proposal(50))
	tb.deliverAll()
	if len(tb.seats[0].m.Ledger().Locks) != 1 {
		t.Fatal("a match that is worth it isn't locked")
	}
}

// A lock with other terms than its id, of another channel, with another version's nonce, of unknown
// rules, without money.
func TestAttack_LockMismatch(t *testing.T) {
	for name, spoil := range map[string]func(l *protocol.Ledger, terms *protocol.MatchTerms){
		"stakes": func(_ *protocol.Ledger, m *protocol.MatchTerms) {
			m.Stakes = []uint256.Int{*uint256.NewInt(1), *uint256.NewInt(19)}
		},
		"channel": func(_ *protocol.Ledger, m *protocol.MatchTerms) { m.ChannelID[0]++ },
		"nonce":   func(_ *protocol.Ledger, m *protocol.MatchTerms) { m.Nonce = 2 << 8 },
		"rules":   func(_ *protocol.Ledger, m *protocol.MatchTerms) { m.Rules[0]++ },
		"balance": func(l *protocol.Ledger, _ *protocol.MatchTerms) {
			l.Balances[0].AddUint64(&l.Balances[0], 1)
			l.Balances[1].SubUint64(&l.Balances[1], 1)
		},
	} {
		tb := openTable(t, 2)
		l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 3, 10)
		spoil(&l, &terms)
		if name == "channel" || name == "nonce" || name == "rules" {
			l.Locks[0].MatchID = terms.ID(tb.domain)
		}
		if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil && !errors.Is(err, channel.ErrPeer) {
			t.Fatalf("%s: %v", name, err)
		}
		if v, _ := tb.seats[0].m.Signed(); v != 0 {
			t.Errorf("%s: signed", name)
		}
	}
}

// A version far ahead would use up the versions that the Arena can hold.
func TestAttack_Overflow_Version(t *testing.T) {
	tb := openTable(t, 2)
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, protocol.MaxVersion-2, 10)
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("a version near the end: %v", err)
	}
	tb.must(0, tb.proposal(10))
	tb.deliverAll()
	if v := tb.seats[0].m.Ledger().Version; v != 2 {
		t.Fatalf("the next version is %d, want 2", v)
	}
}

// Ledgers, approvals and whole signed ledgers whose signatures are by somebody else.
func TestAttack_ForgedLedger(t *testing.T) {
	tb := openTable(t, 3)
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 4, 10)
	digest := l.Digest(tb.domain)
	forged := tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)
	forged.Signatures[1] = tb.sign(2, digest)
	if err := tb.says(2, 0, forged); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("a proposal in another's name: %v", err)
	}
	forged = tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)
	forged.Signatures[0] = tb.sign(1, digest)
	if err := tb.says(1, 0, forged); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("a proposal with our signature forged: %v", err)
	}
	if v, _ := tb.seats[0].m.Signed(); v != 0 {
		t.Fatal("signed")
	}
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := tb.says(2, 0, message.Approve{Version: 4, Digest: digest, Signature: tb.sign(1, digest)}); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("an approval by another key: %v", err)
	}
	if err := tb.says(2, 0, message.Approve{Version: 7, Digest: digest, Signature: tb.sign(1, digest)}); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("an early approval by another key: %v", err)
	}
	full := protocol.SignedLedger{Ledger: l, Signatures: []protocol.Signature{tb.sign(0, digest), tb.sign(1, digest), tb.sign(1, digest)}}
	if err := tb.says(2, 0, message.SyncReply{Ledger: &full, Matches: []protocol.MatchTerms{terms}}); !errors.Is(err, channel.ErrPeer) {
		t.Fatalf("a ledger that not all signed: %v", err)
	}
	if v := tb.seats[0].m.Ledger().Version; v != 1 {
		t.Fatalf("ledger %d counts as fully signed", v)
	}
}

// A match that was proposed, and refused, is completed after all once the closing ledger is signed:
// it can't be started, and nothing that follows from it is signed. While a signed ledger that still
// locks a match may be completed by others, the evidence for that match is kept, though the newest
// fully signed ledger has booked it. A seat refuses a match, and completes its lock later, when the
// moment suits it: its proposer doesn't start it any more. A lock that is completed late below
// another seat's ledger, which we have signed and which is lost, is signed again above that, so
// that the match can start. A proposal on a ledger that we don't know yet is no mistake: we ask for
// that ledger.
func TestAttack_Reorder_Proposals(t *testing.T) {
	tb := openTable(t, 3)
	tb.must(0, tb.proposal(10))
	proposed := tb.answers(0)[0]
	tb.must(1, channel.Received{From: 0, Message: proposed})
	tb.must(2, channel.Received{From: 0, Message: proposed})
	for _, from := range []int{1, 2} {
		if err := tb.says(from, 0, only[message.Approve](tb.answers(from))[0]); err != nil {
			t.Fatal(err)
		}
	}
	if tb.seats[0].m.Ledger().Version == tb.seats[1].m.Ledger().Version {
		t.Fatal("seat 1 knows the ledger")
	}
	tb.queue = nil
	tb.must(0, tb.proposal(20))
	tb.deliverAll()
	tb.heal()
	if l := tb.seats[1].m.Ledger(); len(l.Locks) != 2 || len(happened[channel.ProposalRefused](tb.seats[0])) != 0 {
		t.Fatalf("%d locks, refused %v", len(l.Locks), happened[channel.ProposalRefused](tb.seats[0]))
	}
}

// A refusal is for good: when the network repeats the proposal, nobody is asked again, and the
// answer is the same.
func TestAttack_Duplicate_Refused(t *testing.T) {
	tb := openTable(t, 2)
	tb.seats[1].cfg.Policy.Approve = nil
	tb.restart(1)
	tb.must(0, tb.proposal(10))
	p := only[message.Propose](tb.answers(0))[0]
	if err := tb.says(0, 1, p); err != nil {
		t.Fatal(err)
	}
	refusal := channel.RefuseProposal{Version: p.Ledger.Version, Reason: strings.Repeat("n", protocol.MaxText+1)}
	if err := tb.step(1, refusal); !errors.Is(err, protocol.ErrTerms) {
		t.Fatalf("too long a reason: %v", err)
	}
	refusal.Reason = refusal.Reason[1:] // the longest that there may be
	tb.must(1, refusal)
	tb.answers(1)
	tb.restart(1)
	if err := tb.says(0, 1, p); err != nil {
		t.Fatal(err)
	}
	if r := only[message.Reject](tb.answers(1)); len(r) != 1 || r[0].Code != message.Refused {
		t.Fatalf("answered %v", r)
	}
	if n := len(happened[channel.ProposalAsked](tb.seats[1])); n != 1 {
		t.Fatalf("asked %d times", n)
	}
	if err := tb.step(1, channel.ApproveProposal{Version: p.Ledger.Version}); !errors.Is(err, channel.ErrStale) {
		t.Fatalf("approved after all: %v", err)
	}
}

// A proposal on an old ledger is answered with the new one, whatever else would be wrong with it.
func TestAttack_StaleLedger_Proposal(t *testing.T) {
	tb := openTable(t, 2)
	first := tb.seats[0].m.Ledger().Ledger
	tb.match(0)
	l, terms := tb.lockLedger(first, 5, 10)
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	out := tb.answers(0)
	if replies := only[message.SyncReply](out); len(replies) != 1 || replies[0].Ledger == nil || len(only[message.Reject](out)) != 0 {
		t.Fatalf("answered %v", out)
	}
}

// A booking overtakes the move that ends its match: what is missing is asked for, and nothing is
// refused.
func TestAttack_Reorder_Booking(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Win)
	slices.Reverse(tb.queue)
	tb.deliverAll()
	for i, s := range tb.seats {
		if len(s.m.Ledger().Locks) != 0 {
			t.Fatalf("seat %d: the match isn't booked without a tick", i)
		}
	}
}

// A ledger that others may still complete is taken out of their hands by those whose match waits
// for it, not by who doesn't play in any.
func TestAttack_WithheldApproval_Passive(t *testing.T) {
	tb := openTable(t, 3)
	first := tb.seats[2].m.Ledger().Ledger
	lock := func(version uint64) message.Propose { // a match of seats 0 and 1
		terms := protocol.MatchTerms{ChannelID: tb.id, Nonce: version << 8, Rules: toyAddress, Seats: []uint8{0, 1},
			Stakes: []uint256.Int{*uint256.NewInt(50), *uint256.NewInt(50)}}
		l := protocol.Ledger{ChannelID: tb.id, Version: version, Balances: slices.Clone(first.Balances),
			Locks: []protocol.Lock{{MatchID: terms.ID(tb.domain), Stakes: terms.Stakes}}}
		for i := range 2 {
			l.Balances[i].SubUint64(&l.Balances[i], 50)
		}
		return tb.propose(l, first.Version, []protocol.MatchTerms{terms}, nil)
	}
	three, four := lock(3), lock(4)
	for i, p := range []message.Propose{three, four} {
		if err := tb.says(i, 2, p); err != nil {
			t.Fatal(err)
		}
	}
	if signed, _ := tb.seats[2].m.Signed(); signed != 4 {
		t.Fatalf("signed up to %d, want both", signed)
	}
	if err := tb.says(0, 2, tb.completed(three)); err != nil {
		t.Fatal(err)
	}
	if v := tb.seats[2].m.Ledger().Version; v != 3 {
		t.Fatalf("ledger %d, want 3", v)
	}
	tb.answers(2)
	tb.must(2, channel.Tick{})
	if got := only[message.Propose](tb.answers(2)); len(got) != 0 {
		t.Fatalf("proposes %v for a match in which it doesn't play", got)
	}
}

// A ledger from before the match stood, as everybody was away. Its balances hold the stakes:
// nothing is left to wait for.
func TestAttack_StaleLedger_Stood(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	stakes := tb.view(0, id).Terms.Stakes
	stale := protocol.SignedLedger{Ledger: protocol.Ledger{ChannelID: tb.id, Version: 1, Balances: tb.terms.Deposits}}
	settled := onchain.Settled{ChannelID: tb.id, Version: 1}
	for _, e := range []channel.ChainSeen{
		{Event: onchain.Contested{ChannelID: tb.id, Ledger: stale, Deadline: 100}, Final: true},
		{Event: settled},
	} {
		tb.must(0, e)
		if got := happened[channel.MatchReleased](tb.seats[0]); len(got) != 0 || len(tb.seats[0].m.Matches()) != 1 {
			t.Fatalf("%T: a match is given up before the settlement is final", e.Event)
		}
	}
	tb.must(0, channel.ChainSeen{Event: settled, Final: true})
	if got := happened[channel.MatchReleased](tb.seats[0]); len(got) != 1 || got[0].MatchID != id || !slices.Equal(got[0].Payouts, stakes) {
		t.Fatalf("told %v", got)
	}
	tb.restart(0)
	if tb.seats[0].m.Phase() != channel.Ended || tb.view(0, id).Locked {
		t.Fatal("the channel has not ended")
	}
}
