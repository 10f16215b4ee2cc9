package channel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// Restore makes the machine of a channel from all its records, as of any committed batch. It
// behaves exactly as the machine that wrote them. A match whose rules are missing is kept but can't
// be played.
func Restore(cfg Config, records []Entry) (*Machine, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m := newMachine(cfg)
	for _, e := range records {
		if e.Key == channelKey {
			if err := m.restoreState(e.Value); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrRecords, e.Key, err)
			}
		}
		if strings.HasPrefix(e.Key, matchPrefix) {
			if err := m.restoreMatch(e.Value); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrRecords, e.Key, err)
			}
		}
	}
	if m.state == nil {
		return nil, fmt.Errorf("%w: the channel's own record is missing", ErrRecords)
	}
	slices.SortFunc(m.matches, func(a, b *match) int { return a.id.Cmp(b.id) })
	for _, e := range records {
		if err := m.restoreExtra(e); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrRecords, e.Key, err)
		}
	}
	for _, x := range m.matches {
		if err := x.join(cfg.Terms.Seats()); err != nil {
			return nil, fmt.Errorf("%w: match %s: %w", ErrRecords, x.id, err)
		}
	}
	return m, nil
}

func (m *Machine) restoreState(b []byte) error {
	var r antev1.ChannelRecord
	if err := proto.Unmarshal(b, &r); err != nil {
		return err
	}
	if r.Format != recordFormat {
		return fmt.Errorf("format %d, this program reads %d", r.Format, recordFormat)
	}
	var d reader
	if id := d.Hash(r.ChannelId, "channel id"); id != m.id {
		return fmt.Errorf("it is of channel %s, not %s", id, m.id)
	}
	s := &state{restored: r.Restored, now: r.Now}
	s.ledgers = ledgers{full: d.SignedLedger(r.Ledger), loose: r.Loose, floor: r.Floor,
		refused: ledgerRefusal{version: r.RefusedVersion, code: message.RejectCode(r.RefusedCode)},
		signed:  ledgerMark{version: r.SignedVersion, digest: d.Hash(r.SignedDigest, "signed digest")},
		early:   encoding.DecodeAll(&d.Decoder, r.Early, games.MaxSeats, "approvals", d.early),
		offered: encoding.DecodeAll(&d.Decoder, r.Offered, maxOffered+protocol.MaxNew, "matches", d.offered),
		wants:   encoding.DecodeAll(&d.Decoder, r.Wants, protocol.MaxNew, "matches", d.MatchTerms), wantClose: r.WantClose}
	s.chain = onChain{openings: restoreSightings(r.Openings), contests: restoreSightings(r.Contests),
		settlements: restoreSightings(r.Settlements), closings: restoreSightings(r.Closings), ended: r.Ended}
	if p := r.Posted; p != nil {
		s.chain.posted = &posted{version: p.Version, unpaid: encoding.DecodeAll(&d.Decoder, p.Unpaid, protocol.MaxLocks, "locks", d.Hash)}
	}
	if r.Closing != nil {
		s.closing = d.Amounts(r.Closing.Balances, "balances")
	}
	if p := r.Pending; p != nil {
		s.pending = &proposal{Propose: message.DecodePropose(&d.Decoder, p.Propose), stage: restoreStage(p)}
		s.pending.digest = s.pending.Ledger.Digest(m.cfg.Domain)
	}
	m.state = s
	if d.Err != nil {
		return d.Err
	}
	if s.pending != nil && len(s.pending.Signatures) != m.cfg.Terms.Seats() {
		return fmt.Errorf("a pending ledger with %d signatures", len(s.pending.Signatures))
	}
	return s.full.Check(&m.cfg.Terms)
}

func restoreStage(p *antev1.ProposalRecord) stage {
	switch {
	case p.Asked:
		return stageAsked
	case p.Dead && p.Wait:
		return stageRefused
	case p.Dead:
		return stageLost
	}
	return stageSigned
}

func (d *reader) early(r *antev1.EarlyRecord, what string) early {
	a := r.GetApprove()
	return early{seat: d.Seat(r.GetSeat()), version: a.GetVersion(), digest: d.Hash(a.GetDigest(), what),
		signature: d.Signature(a.GetSignature(), what)}
}

func (d *reader) offered(r *antev1.OfferedRecord, what string) offered {
	return offered{MatchTerms: d.MatchTerms(r.GetTerms(), what), refused: r.GetRefused()}
}

func restoreSightings(r *antev1.SightingsRecord) sightings {
	return sightings{seen: r.GetSeen(), final: r.GetFinal()}
}

func (m *Machine) restoreMatch(b []byte) error {
	var r antev1.MatchRecord
	if err := proto.Unmarshal(b, &r); err != nil {
		return err
	}
	if r.Format != recordFormat {
		return fmt.Errorf("format %d, this program reads %d", r.Format, recordFormat)
	}
	var d reader
	x := &match{terms: d.MatchTerms(r.Terms, "match terms"), mark: protocol.Mark(r.Mark), markState: d.Hash(r.MarkState, "mark"),
		consented: protocol.Mark(r.Consented), consents: encoding.DecodeAll(&d.Decoder, r.Consents, maxConsents, "agreements signed", d.Hash),
		offers: encoding.DecodeAll(&d.Decoder, r.Offers, games.MaxSeats, "offers", d.offer), released: r.Released, refused: r.Refused, promised: r.Promised, book: r.Book,
		started: r.Started, notified: protocol.Mark(r.Notified), alarmed: r.Alarmed,
		// of any number, where the peer is gone and we go on from what is recorded
		links:   encoding.DecodeAll(&d.Decoder, r.Links, math.MaxUint16, "positions", d.link),
		proofs:  encoding.DecodeAll(&d.Decoder, r.Proofs, games.MaxSeats, "proofs", d.Equivocation),
		records: encoding.DecodeAll(&d.Decoder, r.Records, maxRecords, "records", d.record),
		shown:   encoding.DecodeAll(&d.Decoder, r.Shown, 2, "positions", d.link)}
	if r.Final != nil {
		final := d.record(r.Final, "record")
		x.final = &final
	}
	if d.Err != nil {
		return d.Err
	}
	if err := x.wellFormed(m.cfg.Terms.Seats()); err != nil {
		return err
	}
	x.id = x.terms.ID(m.cfg.Domain)
	x.seat = slices.Index(x.terms.Seats, uint8(m.cfg.Seat))
	for i := range x.proofs {
		x.proofs[i].MatchID = x.id
	}
	if x.seat >= 0 {
		x.judge, _ = m.judgeOf(&x.terms) // without its rules the match can't be played
	}
	m.matches = append(m.matches, x)
	return nil
}

// wellFormed keeps a damaged record from causing a panic later.
func (m *match) wellFormed(seats int) error {
	if err := m.terms.Check(seats); err != nil {
		return err
	}
	for i := range m.links {
		if len(m.links[i].sigs) != len(m.terms.Seats) || m.links[i].turn != m.links[0].turn+protocol.Turn(i) {
			return fmt.Errorf("position %d has %d signatures or is out of place", i, len(m.links[i].sigs))
		}
	}
	for i := range m.shown {
		if len(m.shown[i].sigs) != len(m.terms.Seats) {
			return fmt.Errorf("recorded position %d has %d signatures", i, len(m.shown[i].sigs))
		}
	}
	for i := range m.offers {
		if len(m.offers[i].sigs) != len(m.terms.Seats) || len(m.offers[i].Payouts) != len(m.terms.Seats) {
			return fmt.Errorf("offer %d is not for %d seats", i, len(m.terms.Seats))
		}
	}
	return nil
}

func (m *Machine) restoreExtra(e Entry) error {
	if name, ok := strings.CutPrefix(e.Key, lockPrefix); ok {
		var r antev1.SignedLedger
		if err := proto.Unmarshal(e.Value, &r); err != nil {
			return err
		}
		var d reader
		l := d.SignedLedger(&r)
		if x := findMatch(m.matches, common.HexToHash(name)); x != nil {
			x.locked = &l
		}
		return d.Err
	}
	if name, ok := strings.CutPrefix(e.Key, linkPrefix); ok {
		id, _, _ := strings.Cut(name, "/")
		if x := findMatch(m.matches, common.HexToHash(id)); x != nil {
			return x.restoreOlder(e.Value)
		}
	}
	if name, ok := strings.CutPrefix(e.Key, secretPrefix); ok {
		if x := findMatch(m.matches, common.HexToHash(name)); x != nil {
			x.secret = commit.Load(e.Value)
		}
	}
	return nil
}

func (d *reader) link(r *antev1.LinkRecord, what string) link {
	return link{turn: protocol.Turn(r.Turn), state: r.State, hash: protocol.StateHash(r.State), mover: uint8(r.Mover), move: r.Move, by: uint8(r.By),
		sigs: d.Signatures(r.Signatures, what), all: r.All}
}

func (d *reader) offer(r *antev1.OfferRecord, what string) offer {
	if !d.Need(r.GetAgreement() != nil, what) {
		return offer{}
	}
	a := d.SignedAgreement(r.Agreement)
	return offer{Agreement: a.Agreement, by: d.Seat(r.By), sigs: a.Signatures}
}

func (d *reader) record(r *antev1.ArenaRecord, what string) protocol.Record {
	out := protocol.Record{Status: protocol.MatchStatus(r.Status), Turn: protocol.Mark(r.Turn), State: d.Hash(r.State, what), Mover: uint8(r.Mover),
		Spent: r.Spent, Flagged: d.Mask(r.Flagged), Since: r.Since, Clock: r.Clock, Deadline: r.Deadline, Block: r.Block,
		AgreedAt: protocol.Mark(r.AgreedAt), Payouts: d.Amounts(r.Payouts, what)}
	for _, w := range r.Marks {
		out.Marks = append(out.Marks, protocol.Mark(w))
	}
	return out
}

// reader reads the fields of records.
type reader struct{ encoding.Decoder }
