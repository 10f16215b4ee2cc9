package channel_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// An old copy of the records learns from a tower how far it was: it takes the ledger, the match and
// the agreement of one piece of evidence, and signs nothing more.
func TestAttack_OldBackup_Shown(t *testing.T) {
	tb := openTable(t, 2)
	old := tb.records(0)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	v, ledger := tb.view(0, id), tb.seats[0].m.Ledger()
	agreement := tb.agreedByAll(id, v.Turn)
	tb.reload(0, old)
	m := tb.seats[0].m
	tb.must(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: ledger, Matches: []protocol.MatchTerms{v.Terms},
		MatchID: id, Support: v.Support, Agreement: agreement}})
	got := tb.view(0, id)
	if m.Ledger().Version != ledger.Version || got.Turn != v.Turn || got.Agreement == nil {
		t.Errorf("ledger %d, turn %s, agreement %v", m.Ledger().Version, got.Turn, got.Agreement)
	}
	if found := happened[channel.OldCopyFound](tb.seats[0]); len(found) != 1 || !m.Restored() {
		t.Errorf("the store is found to be an old copy %d times", len(found))
	}
}

// What a tower shows is verified, and of no use before the channel is open, about a match that is
// not ours, or without its rules.
func TestAttack_LyingTower_Refused(t *testing.T) {
	unopened := newTable(t, 2)
	unopened.quiet("before the opening", 0, channel.Shown{}, channel.ErrNotOpen)

	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	v := tb.view(0, id)
	show := func(name string, e message.TowerEvidence, want error) {
		t.Helper()
		tb.quiet(name, 0, channel.Shown{Evidence: e}, want)
	}
	full := tb.seats[0].m.Ledger()
	l, terms := tb.lockLedger(full.Ledger, full.Version+2, 10)
	forged := protocol.SignedLedger{Ledger: l, Signatures: []protocol.Signature{tb.sign(1, l.Digest(tb.domain)), tb.sign(1, l.Digest(tb.domain))}}
	show("a forged ledger", message.TowerEvidence{Ledger: forged, Matches: []protocol.MatchTerms{terms}}, channel.ErrPeer)
	show("another match", message.TowerEvidence{Ledger: full, MatchID: common.Hash{1}, Support: v.Support}, nil)

	tb.withRules(0, nil)
	beyond := *v.Support // a signature of ours beyond our mark
	beyond.Moves = append(beyond.Moves[:len(beyond.Moves):len(beyond.Moves)], []byte{Pass})
	at := uint16(len(beyond.Moves))
	beyond.Signatures = append(beyond.Signatures[:len(beyond.Signatures):len(beyond.Signatures)], protocol.SeatSignature{At: at, Seat: 0,
		Signature: tb.signPosition(0, id, beyond.Turn+protocol.Turn(at), play(t, v.State, Pass))})
	show("without the rules", message.TowerEvidence{Ledger: full, MatchID: id, Support: &beyond}, nil)
}

// Without a signer what a tower shows is taken over whole or not at all.
func TestShownWithoutSigner(t *testing.T) {
	tb, full := unheardLedger(t)
	tb.loseSigner(1, 0)
	tb.quiet("a ledger that locks a match", 1, channel.Shown{Evidence: message.TowerEvidence{Ledger: full}}, errNoSigner)

	tb = openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Keep)
	tb.queue = nil
	tb.loseSigner(0, 0)
	tb.quiet("a move to countersign", 0, channel.Shown{Evidence: message.TowerEvidence{Ledger: tb.seats[0].m.Ledger(), MatchID: id,
		Support: tb.view(1, id).Support}}, errNoSigner)
}

// An agreement that the chain or a tower shows ends the match if it is of that match, as it stands,
// and all its seats signed it: otherwise a seat would stop moving while its clock runs.
func TestAgreementsThatAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*table, *protocol.SignedAgreement)
		reached int
	}{
		"as it stands":  {func(*table, *protocol.SignedAgreement) {}, 1},
		"an older turn": {func(tb *table, a *protocol.SignedAgreement) { *a = *tb.agreedByAll(a.MatchID, 0) }, 0},
		"another match": {func(tb *table, a *protocol.SignedAgreement) {
			other := tb.match(0)
			tb.mustMove(0, other, Keep)
			tb.deliverAll()
			tb.consents(other, 1)
			*a = *tb.agreedByAll(other, 1)
		}, 0},
		"one signature":   {func(_ *table, a *protocol.SignedAgreement) { a.Signatures = a.Signatures[:1] }, 0},
		"three":           {func(_ *table, a *protocol.SignedAgreement) { a.Signatures = append(a.Signatures, a.Signatures[0]) }, 0},
		"other payouts":   {func(_ *table, a *protocol.SignedAgreement) { a.Payouts = slices.Repeat(a.Payouts[:1], 3) }, 0},
		"known, and told": {func(tb *table, a *protocol.SignedAgreement) { tb.agree(a) }, 1},
	} {
		for _, chain := range []bool{false, true} {
			tb := openTable(t, 2)
			id := tb.match(0)
			tb.consents(id, 0)
			tb.mustMove(0, id, Keep)
			tb.deliverAll()
			if name != "known, and told" {
				tb.consents(id, 1)
			}
			a := tb.agreedByAll(id, 1)
			c.change(tb, a)
			tb.queue = nil
			if chain {
				tb.must(0, channel.ChainSeen{Event: onchain.Recorded{ChannelID: tb.id, MatchID: id, Agreement: a,
					Record: protocol.Record{Status: protocol.MatchLive, Turn: 2}}})
			} else {
				tb.must(0, channel.Shown{Evidence: message.TowerEvidence{Ledger: tb.seats[0].m.Ledger(), MatchID: id, Agreement: a}})
			}
			if got := len(happened[channel.AgreementReached](tb.seats[0])); got != c.reached || tb.view(0, id).MayMove != (c.reached == 0) {
				t.Errorf("%s, on-chain %v: reached %d times, may move %v", name, chain, got, tb.view(0, id).MayMove)
			}
		}
	}
}

// consents has seat 0 offer, to nobody who hears it, to take the stakes back.
func (tb *table) consents(id common.Hash, turn protocol.Turn) {
	tb.t.Helper()
	tb.must(0, channel.OfferAgreement{MatchID: id, Turn: turn, Payouts: tb.view(0, id).Terms.Stakes})
	tb.queue = nil
}

// agree lets the seats of a table of two come to an agreement. It is not booked.
func (tb *table) agree(a *protocol.SignedAgreement) {
	tb.t.Helper()
	tb.must(1, channel.OfferAgreement{MatchID: a.MatchID, Turn: a.Turn, Payouts: a.Payouts})
	offer := only[message.AgreementSignature](tb.answers(1))[0]
	if err := tb.says(1, 0, offer); err != nil {
		tb.t.Fatal(err)
	}
	tb.must(0, channel.AcceptAgreement{MatchID: a.MatchID, Turn: a.Turn, Seat: 1, Payouts: a.Payouts})
}

// agreedByAll is an agreement that both seats of a match signed, to take the stakes back.
func (tb *table) agreedByAll(id common.Hash, turn protocol.Turn) *protocol.SignedAgreement {
	return tb.signedAgreement(protocol.Agreement{MatchID: id, Turn: turn, Payouts: tb.view(0, id).Terms.Stakes}, 0, 1)
}
