package channel_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol/protocoltest"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// change rewrites the first record under a prefix; without a function it loses the record.
func change[M proto.Message](t testing.TB, records []channel.Entry, prefix string, r M, f func(M)) []channel.Entry {
	t.Helper()
	out := make([]channel.Entry, 0, len(records))
	found := false
	for _, e := range records {
		if found || !strings.HasPrefix(e.Key, prefix) {
			out = append(out, e)
			continue
		}
		found = true
		if f == nil {
			continue
		}
		if err := proto.Unmarshal(e.Value, r); err != nil {
			t.Fatal(err)
		}
		f(r)
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, channel.Entry{Key: e.Key, Value: b})
	}
	if !found {
		t.Fatalf("no record under %q", prefix)
	}
	return out
}

// A damaged record is an error when a machine is restored, never a panic later and never a machine
// that knows less than it signed.
func TestRestoreRefuses(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.mustMove(1, id, Pass)
	tb.deliverAll()
	tb.must(0, tb.proposal(10)) // pending
	cfg, records := tb.seats[0].cfg, tb.records(0)

	ofChannel := func(f func(*antev1.ChannelRecord)) func(*testing.T) []channel.Entry {
		return func(t *testing.T) []channel.Entry { return change(t, records, "channel", &antev1.ChannelRecord{}, f) }
	}
	ofMatch := func(f func(*antev1.MatchRecord)) func(*testing.T) []channel.Entry {
		return func(t *testing.T) []channel.Entry { return change(t, records, "match/", &antev1.MatchRecord{}, f) }
	}
	torn := func(prefix string) func(*testing.T) []channel.Entry {
		return func(*testing.T) (out []channel.Entry) {
			for _, e := range records {
				if strings.HasPrefix(e.Key, prefix) {
					// no such wire type: the rest of a longer record
					e.Value = append(bytes.Clone(e.Value), 0x0f)
				}
				out = append(out, e)
			}
			return out
		}
	}
	agreement := &antev1.SignedAgreement{MatchId: id[:], Payouts: [][]byte{{100}, {100}}, Signatures: [][]byte{{}, {}}}
	link := func(f func(*antev1.LinkRecord)) *antev1.LinkRecord {
		l := &antev1.LinkRecord{Turn: 1, State: []byte{1}, Signatures: [][]byte{{}, {}}}
		f(l)
		return l
	}
	older := func(f func(*antev1.LinkRecord)) func(*testing.T) []channel.Entry {
		return func(t *testing.T) []channel.Entry {
			key := "link/" + common.Bytes2Hex(id[:])
			return change(t, append(slices.Clip(records), channel.Entry{Key: key}), key, link(func(*antev1.LinkRecord) {}), f)
		}
	}
	for name, damaged := range map[string]func(*testing.T) []channel.Entry{
		"no channel":                       ofChannel(nil),
		"a torn channel":                   torn("channel"),
		"a torn match":                     torn("match/"),
		"a torn lock":                      torn("lock/"),
		"a channel of a later program":     ofChannel(func(r *antev1.ChannelRecord) { r.Format++ }),
		"a match of a later program":       ofMatch(func(r *antev1.MatchRecord) { r.Format++ }),
		"another channel":                  ofChannel(func(r *antev1.ChannelRecord) { r.ChannelId = bytes.Repeat([]byte{1}, 32) }),
		"half a digest that was signed":    ofChannel(func(r *antev1.ChannelRecord) { r.SignedDigest, r.Pending = r.SignedDigest[:16], nil }),
		"a ledger that loses money":        ofChannel(func(r *antev1.ChannelRecord) { r.Ledger.Ledger.Balances[0] = []byte{1} }),
		"half a proposal's signatures":     ofChannel(func(r *antev1.ChannelRecord) { r.Pending.Propose.Signatures = r.Pending.Propose.Signatures[:1] }),
		"half a state that was signed":     ofMatch(func(r *antev1.MatchRecord) { r.MarkState = r.MarkState[:16] }),
		"a match of nobody":                ofMatch(func(r *antev1.MatchRecord) { r.Terms.Seats = []byte{2, 3} }),
		"a position of one signature":      ofMatch(func(r *antev1.MatchRecord) { r.Links[0].Signatures = r.Links[0].Signatures[:1] }),
		"a position out of place":          ofMatch(func(r *antev1.MatchRecord) { r.Links[len(r.Links)-1].Turn++ }),
		"an older position out of place":   older(func(l *antev1.LinkRecord) { l.Turn, l.Signatures = 7, [][]byte{{}, {}} }),
		"half a signature of an older one": older(func(l *antev1.LinkRecord) { l.Signatures = [][]byte{{1}, {}} }),
		"a torn older position": func(t *testing.T) []channel.Entry {
			records := older(func(*antev1.LinkRecord) {})(t)
			records[len(records)-1].Value = []byte{0x0f}
			return records
		},
		"a recorded position of one": ofMatch(func(r *antev1.MatchRecord) {
			r.Shown = append(r.Shown, link(func(l *antev1.LinkRecord) { l.Signatures = l.Signatures[:1] }))
		}),
		"too many recorded positions": ofMatch(func(r *antev1.MatchRecord) {
			r.Shown = slices.Repeat([]*antev1.LinkRecord{link(func(*antev1.LinkRecord) {})}, 3)
		}),
		"an offer of nothing": ofMatch(func(r *antev1.MatchRecord) { r.Offers = append(r.Offers, &antev1.OfferRecord{}) }),
		"an offer to one": ofMatch(func(r *antev1.MatchRecord) {
			r.Offers = offered(agreement, func(a *antev1.SignedAgreement) { a.Payouts = a.Payouts[:1] })
		}),
		"an offer signed by three": ofMatch(func(r *antev1.MatchRecord) {
			r.Offers = offered(agreement, func(a *antev1.SignedAgreement) { a.Signatures = make([][]byte, 3) })
		}),
		"a proof of one state": ofMatch(func(r *antev1.MatchRecord) {
			r.Proofs = append(r.Proofs, &antev1.Equivocation{States: [][]byte{id[:]}, Signatures: slices.Repeat([][]byte{protocoltest.Signature()}, 2)})
		}),
		"a proof of one signature": ofMatch(func(r *antev1.MatchRecord) {
			r.Proofs = append(r.Proofs, &antev1.Equivocation{States: [][]byte{id[:], id[:]}, Signatures: [][]byte{protocoltest.Signature()}})
		}),
		"a final record of half a state": ofMatch(func(r *antev1.MatchRecord) { r.Final = &antev1.ArenaRecord{State: id[:16]} }),
		"a record of no channel's ledger": func(t *testing.T) []channel.Entry {
			return change(t, records, "lock/", &antev1.SignedLedger{}, func(l *antev1.SignedLedger) { l.Ledger.ChannelId = nil })
		},
	} {
		if _, err := channel.Restore(cfg, damaged(t)); !errors.Is(err, channel.ErrRecords) {
			t.Errorf("%s: %v", name, err)
		}
	}

	// The same records as they are, with an offer that is in order.
	whole := ofMatch(func(r *antev1.MatchRecord) { r.Offers = offered(agreement, func(*antev1.SignedAgreement) {}) })(t)
	if m, err := channel.Restore(cfg, whole); err != nil {
		t.Error(err)
	} else if v, ok := m.Match(id); !ok || len(v.Offers) != 1 {
		t.Errorf("restored %+v", v)
	}
}

// offered is a table with one offer that differs from an agreement.
func offered(a *antev1.SignedAgreement, f func(*antev1.SignedAgreement)) []*antev1.OfferRecord {
	c := proto.CloneOf(a)
	f(c)
	return []*antev1.OfferRecord{{Agreement: c}}
}
