package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// Proposals that no honest seat makes are refused before anything is taken from them.
func TestProposalsRefused(t *testing.T) {
	tb := openTable(t, 3)
	for name, c := range map[string]struct {
		version uint64
		ledger  func(*protocol.Ledger) // before seats 1 and 2 sign it
		signed  func(*message.Propose) // and afterwards
	}{
		"of another channel":  {4, func(l *protocol.Ledger) { l.ChannelID[0]++ }, nil},
		"more than there is":  {4, func(l *protocol.Ledger) { l.Balances[0].SetUint64(deposit) }, nil},
		"too few balances":    {4, func(l *protocol.Ledger) { l.Balances = l.Balances[:2] }, nil},
		"too few signatures":  {4, nil, func(p *message.Propose) { p.Signatures = p.Signatures[:2] }},
		"too many signatures": {4, nil, func(p *message.Propose) { p.Signatures = append(p.Signatures, p.Signatures[1]) }},
		"not by its proposer": {4, nil, func(p *message.Propose) { p.Signatures[1] = protocol.Signature{} }},
		"in our name":         {3, nil, nil},
	} {
		l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, c.version, 10)
		if c.ledger != nil {
			c.ledger(&l)
		}
		p := message.Propose{Ledger: l, Base: 1, Matches: []protocol.MatchTerms{terms}, Signatures: make([]protocol.Signature, 3)}
		for seat := 1; seat < 3; seat++ {
			p.Signatures[seat] = tb.sign(seat, l.Digest(tb.domain))
		}
		if c.signed != nil {
			c.signed(&p)
		}
		tb.heard(name, 1, 0, p, channel.ErrPeer)
	}
}

// rejected delivers a proposal, which must be answered to everybody with a refusal, and nothing
// else.
func (tb *table) rejected(name string, from, to int, p message.Propose, want message.RejectCode) {
	tb.t.Helper()
	tb.answers(to)
	before, _ := tb.seats[to].m.Signed()
	if err := tb.says(from, to, p); err != nil {
		tb.t.Errorf("%s: %v", name, err)
	}
	said := tb.answers(to)
	refusals := only[message.Reject](said)
	if len(said) != len(tb.seats)-1 || len(refusals) != len(said) || refusals[0].Code != want {
		tb.t.Errorf("%s: answered %+v, want a refusal with code %d", name, said, want)
	}
	if after, _ := tb.seats[to].m.Signed(); after != before || tb.seats[to].m.Ledger().Version == p.Ledger.Version {
		tb.t.Errorf("%s: signed", name)
	}
}

// A match for more than a seat has is refused, also with a ledger that doesn't lock it.
func TestUnlockedMatchIsRefused(t *testing.T) {
	tb := openTable(t, 2)
	l := tb.seats[0].m.Ledger().Ledger
	l.Version = 3
	_, terms := tb.lockLedger(l, 3, deposit+1)
	tb.rejected("too expensive", 1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil), message.WrongLedger)
}

// A seat that wants the channel closed signs no new match, also while its own last proposal keeps
// it from closing.
func TestNoMatchBeforeClosing(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, tb.proposal(10))
	tb.must(0, channel.CloseChannel{})
	if p := tb.seats[0].m.Proposal(); p == nil || p.Ledger.Closing {
		t.Fatalf("proposed %+v", p)
	}
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 5, 10)
	tb.rejected("a match", 1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil), message.LedgerFrozen)
}

// A restored store doesn't know what it has signed: it says nothing at all to a proposal, for
// whatever it says may be false.
func TestAttack_HiddenNewer_Silent(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(0, channel.StoreRestored{})
	l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 3, 10)
	if err := tb.says(1, 0, tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)); err != nil {
		t.Fatal(err)
	}
	if said := tb.answers(0); len(said) != 0 {
		t.Errorf("answered %+v", said)
	}
}

// A proposal that is passed on with the signatures of others counts as approved by them, whichever
// of them was missing.
func TestProposalPassedOn(t *testing.T) {
	for _, seat := range []int{0, 2} {
		tb := openTable(t, 3)
		l, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, 4, 10)
		p := tb.propose(l, 1, []protocol.MatchTerms{terms}, nil)
		tb.must(seat, channel.Received{From: 1, Message: p})
		if fx, err := tb.seats[seat].m.Step(channel.Received{From: 1, Message: p}); err != nil || len(fx.Entries) != 0 {
			t.Errorf("seat %d keeps the same proposal twice: %v, %v", seat, fx.Entries, err)
		}
		for i := range tb.seats {
			p.Signatures[i] = tb.sign(i, l.Digest(tb.domain))
		}
		tb.must(seat, channel.Received{From: 1, Message: p})
		if v := tb.seats[seat].m.Ledger().Version; v != 4 {
			t.Errorf("seat %d: ledger %d", seat, v)
		}
	}
}

// When the signer does not answer, the last signature of a ledger is not taken, in whatever message
// it comes: what has to be signed with it would be missing.
func TestLastSignatureWithoutSigner(t *testing.T) {
	tb := openTable(t, 2)
	tb.must(1, tb.proposal(10))
	p := only[message.Propose](tb.answers(1))[0]
	digest := p.Ledger.Digest(tb.domain)
	tb.loseSigner(1, 0)
	tb.heard("approved", 0, 1, message.Approve{Version: p.Ledger.Version, Digest: digest, Signature: tb.sign(0, digest)}, errNoSigner)
	p.Signatures[0] = tb.sign(0, digest)
	tb.heard("passed on", 0, 1, p, errNoSigner)
}
