package channel

import (
	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// encodeTower puts a message between a seat and a tower into an envelope.
func encodeTower(e *antev1.Envelope, m Message) {
	switch m := m.(type) {
	case TowerEvidence:
		out := &antev1.TowerEvidence{Mark: encodeStoreMark(&m.Mark), Ledger: encodeSignedLedger(&m.Ledger), Matches: encodeAll(m.Matches, encodeMatchTerms)}
		if m.Support != nil {
			out.Support = encodeSupport(m.MatchID, m.Support)
		}
		if m.Agreement != nil {
			out.Agreement = encodeSignedAgreement(m.Agreement)
		}
		out.Proofs = encodeAll(m.Proofs, encodeEquivocation)
		e.Body = &antev1.Envelope_TowerEvidence{TowerEvidence: out}
	case TowerAsk:
		e.Body = &antev1.Envelope_TowerAsk{TowerAsk: &antev1.TowerAsk{Mark: encodeStoreMark(&m.Mark), Show: m.Show}}
	case TowerReceipt:
		e.Body = &antev1.Envelope_TowerReceipt{TowerReceipt: &antev1.TowerReceipt{Version: m.Version,
			Matches: encodeAll(m.Matches, encodeTowerMark), Mark: encodeStoreMark(&m.Mark), Time: m.Time, Expiry: m.Expiry,
			Signature: encodeHeld(&m.Signature), Refusal: m.Refusal}}
	}
}

// tower reads a message between a seat and a tower, nil if it is none.
func (d *decoder) tower(e *antev1.Envelope) Message {
	switch b := e.GetBody().(type) {
	case *antev1.Envelope_TowerEvidence:
		return d.towerEvidence(b.TowerEvidence)
	case *antev1.Envelope_TowerAsk:
		if m := b.TowerAsk; d.need(m != nil, "question") {
			return TowerAsk{Mark: d.storeMark(m.Mark), Show: m.Show}
		}
	case *antev1.Envelope_TowerReceipt:
		if d.need(b.TowerReceipt != nil, "receipt") {
			return d.towerReceipt(b.TowerReceipt)
		}
	}
	return nil
}

func (d *decoder) towerEvidence(m *antev1.TowerEvidence) Message {
	if !d.need(m != nil, "evidence") {
		return nil
	}
	out := TowerEvidence{Mark: d.storeMark(m.Mark), Ledger: d.signedLedger(m.Ledger),
		Matches: decodeAll(d, m.Matches, MaxLocks, "matches", d.matchTerms)}
	if m.Support != nil {
		out.MatchID, out.Support = d.support(m.Support)
	}
	if m.Agreement != nil {
		a := d.signedAgreement(m.Agreement)
		if out.Support != nil && a.MatchID != out.MatchID {
			d.fail("a support and an agreement of different matches")
		}
		out.MatchID, out.Agreement = a.MatchID, &a
	}
	out.Proofs = decodeAll(d, m.Proofs, games.MaxSeats, "proofs", d.equivocation)
	for i := range out.Proofs {
		out.Proofs[i].MatchID = out.MatchID
	}
	switch about := out.Support != nil || out.Agreement != nil; {
	case about && len(out.Matches) != 1:
		d.fail("evidence of one match names %d", len(out.Matches))
	case !about && len(out.Proofs) > 0:
		d.fail("proofs of no match")
	}
	return out
}

func (d *decoder) towerReceipt(m *antev1.TowerReceipt) Message {
	out := TowerReceipt{Holding: Holding{Version: m.Version, Mark: d.storeMark(m.Mark), Time: m.Time, Expiry: m.Expiry,
		Matches: decodeAll(d, m.Matches, MaxLocks, "matches", d.towerMark)}, Refusal: d.text(m.Refusal, "refusal")}
	if len(m.Signature) > 0 {
		out.Signature = d.signature(m.Signature, "signature")
	}
	for i := range out.Matches {
		if i > 0 && out.Matches[i-1].MatchID.Cmp(out.Matches[i].MatchID) >= 0 {
			d.fail("the matches of a receipt do not ascend")
		}
	}
	return out
}

func (d *decoder) towerMark(m *antev1.TowerMark, what string) TowerMark {
	if !d.need(m != nil, what) {
		return TowerMark{}
	}
	return TowerMark{MatchID: d.hash(m.MatchId, "match id"), Rank: Rank{Agreed: Mark(m.Agreed), Turn: Mark(m.Turn)},
		Agreement: Mark(m.Agreement), Proved: d.mask(m.Proved)}
}

// storeMark reads a mark; none is given where nothing was told.
func (d *decoder) storeMark(m *antev1.StoreMark) StoreMark {
	if m == nil {
		return StoreMark{}
	}
	if m.Generation == 0 {
		d.fail("a store of no generation")
	}
	return StoreMark{Generation: m.Generation, Signature: d.signature(m.Signature, "signature of the store mark")}
}

func encodeStoreMark(m *StoreMark) *antev1.StoreMark {
	if m.Generation == 0 {
		return nil
	}
	return &antev1.StoreMark{Generation: m.Generation, Signature: m.Signature[:]}
}

func encodeTowerMark(m *TowerMark) *antev1.TowerMark {
	return &antev1.TowerMark{MatchId: m.MatchID[:], Agreed: uint64(m.Agreed), Turn: uint64(m.Turn), Agreement: uint64(m.Agreement),
		Proved: uint32(m.Proved)}
}
