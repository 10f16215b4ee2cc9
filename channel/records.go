package channel

import (
	"fmt"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// The keys under which a machine keeps itself. All but the first go with the id of a match.
const (
	channelKey   = "channel"
	matchPrefix  = "match/"
	linkPrefix   = "link/"   // an older position: the turn follows
	lockPrefix   = "lock/"   // the ledger that first locked it
	secretPrefix = "secret/" // the user's
)

// recordFormat is the version of these records alone; store/lineage.go has that of all the data.
const recordFormat = 1

func matchKey(id common.Hash) string  { return matchPrefix + common.Bytes2Hex(id[:]) }
func lockKey(id common.Hash) string   { return lockPrefix + common.Bytes2Hex(id[:]) }
func secretKey(id common.Hash) string { return secretPrefix + common.Bytes2Hex(id[:]) }

// keep persists a value with this step, beside the state and the matches that it changed.
func (t *txn) keep(key string, value []byte) {
	t.fx.Entries = append(t.fx.Entries, Entry{Key: key, Value: value})
}

// entries returns the records that the step changed, in a fixed order.
func (t *txn) entries() []Entry {
	for _, m := range t.matches {
		if m.edited {
			t.keepOlder(m, m.links[:m.recent()])
		}
	}
	out := slices.DeleteFunc(t.fx.Entries, func(e Entry) bool {
		return slices.ContainsFunc(t.dropped, func(id common.Hash) bool { return e.Key == lockKey(id) || e.Key == secretKey(id) })
	})
	if t.changed {
		out = append(out, Entry{Key: channelKey, Value: encodeRecord(t.encodeState())})
	}
	for _, m := range t.matches {
		if m.edited {
			out = append(out, Entry{Key: matchKey(m.id), Value: encodeRecord(m.encode())})
		}
	}
	for _, id := range t.dropped {
		out = append(out, Entry{Key: matchKey(id)}, Entry{Key: lockKey(id)}, Entry{Key: secretKey(id)})
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// encodeRecord cannot fail: every message is complete and valid by construction.
func encodeRecord(m proto.Message) []byte {
	b, _ := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	return b
}

func encodeLocked(l *protocol.SignedLedger) []byte { return encodeRecord(encoding.SignedLedger(l)) }

func (t *txn) encodeState() *antev1.ChannelRecord {
	s := t.state
	out := &antev1.ChannelRecord{Format: recordFormat, ChannelId: t.id[:], Restored: s.restored, Now: s.now,
		Ledger: encoding.SignedLedger(&s.full), SignedVersion: s.signed.version, SignedDigest: s.signed.digest[:],
		Loose: s.loose, Floor: s.floor, Early: encoding.All(s.early, encodeEarly), Offered: encoding.All(s.offered, encodeOffered),
		RefusedVersion: s.refused.version, RefusedCode: uint32(s.refused.code),
		Wants: encoding.All(s.wants, encoding.MatchTerms), WantClose: s.wantClose,
		Openings: encodeSightings(s.chain.openings), Contests: encodeSightings(s.chain.contests),
		Settlements: encodeSightings(s.chain.settlements), Closings: encodeSightings(s.chain.closings), Ended: s.chain.ended}
	if s.closing != nil {
		out.Closing = &antev1.Ledger{Balances: encoding.Amounts(s.closing)}
	}
	if p := s.chain.posted; p != nil {
		out.Posted = &antev1.PostedRecord{Version: p.version, Unpaid: encoding.All(p.unpaid, encoding.Hash)}
	}
	if p := s.pending; p != nil {
		out.Pending = &antev1.ProposalRecord{Propose: message.EncodePropose(&p.Propose), Asked: p.stage == stageAsked,
			Dead: p.dead(), Wait: p.stage == stageRefused}
	}
	return out
}

func encodeEarly(e *early) *antev1.EarlyRecord {
	return &antev1.EarlyRecord{Seat: uint32(e.seat),
		Approve: &antev1.Approve{Version: e.version, Digest: e.digest[:], Signature: e.signature[:]}}
}

func encodeOffered(o *offered) *antev1.OfferedRecord {
	return &antev1.OfferedRecord{Terms: encoding.MatchTerms(&o.MatchTerms), Refused: o.refused}
}

func encodeSightings(s sightings) *antev1.SightingsRecord {
	return &antev1.SightingsRecord{Seen: s.seen, Final: s.final}
}

func (m *match) encode() *antev1.MatchRecord {
	out := &antev1.MatchRecord{Format: recordFormat, Terms: encoding.MatchTerms(&m.terms), Links: encoding.All(m.links[m.recent():], encodeLink),
		Mark: uint64(m.mark), MarkState: m.markState[:], Offers: encoding.All(m.offers, encodeOffer), Released: m.released, Refused: m.refused, Promised: m.promised,
		Consented: uint64(m.consented), Consents: encoding.All(m.consents, encoding.Hash),
		Book: m.book, Started: m.started, Notified: uint64(m.notified), Alarmed: m.alarmed,
		Proofs: encoding.All(m.proofs, encoding.Equivocation), Records: encoding.All(m.records, encodeArena), Shown: encoding.All(m.shown, encodeLink)}
	if m.final != nil {
		out.Final = encodeArena(m.final)
	}
	return out
}

func encodeLink(l *link) *antev1.LinkRecord {
	return &antev1.LinkRecord{Turn: uint64(l.turn), State: l.state, Mover: uint32(l.mover), Move: l.move, By: uint32(l.by),
		Signatures: encoding.Signatures(l.sigs), All: l.all}
}

func encodeOffer(o *offer) *antev1.OfferRecord {
	return &antev1.OfferRecord{By: uint32(o.by),
		Agreement: encoding.SignedAgreement(&protocol.SignedAgreement{Agreement: o.Agreement, Signatures: o.sigs})}
}

func encodeArena(r *protocol.Record) *antev1.ArenaRecord {
	return &antev1.ArenaRecord{Status: uint32(r.Status), Turn: uint64(r.Turn), State: r.State[:], Mover: uint32(r.Mover),
		Marks: marksToWords(r.Marks), Spent: r.Spent, Flagged: uint32(r.Flagged), Since: r.Since, Clock: r.Clock,
		Deadline: r.Deadline, Block: r.Block, AgreedAt: uint64(r.AgreedAt), Payouts: encoding.Amounts(r.Payouts)}
}

func marksToWords(list []protocol.Mark) []uint64 {
	out := make([]uint64, len(list))
	for i, m := range list {
		out[i] = uint64(m)
	}
	return out
}

// Records returns everything the machine keeps, in a fixed order: what Restore takes.
func (m *Machine) Records() []Entry {
	t := m.begin()
	t.change()
	for _, x := range t.matches {
		x.edit().older = nil // in this copy
		if x.locked != nil {
			t.keep(lockKey(x.id), encodeLocked(x.locked))
		}
		if secret := x.secret.Expose(); len(secret) > 0 {
			t.keep(secretKey(x.id), secret)
		}
	}
	return t.entries()
}

// ErrRecords is wrapped by every error about records that Restore can't read.
var ErrRecords = fmt.Errorf("the channel's records are not readable: restore the store from a backup")
