package message

import (
	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
)

// encodeTower puts a message between a seat and a tower into an envelope.
func encodeTower(e *antev1.Envelope, m Message) {
	switch m := m.(type) {
	case TowerEvidence:
		out := &antev1.TowerEvidence{Mark: encodeStoreMark(&m.Mark), Ledger: encoding.SignedLedger(&m.Ledger), Matches: encoding.All(m.Matches, encoding.MatchTerms)}
		if m.Support != nil {
			out.Support = encoding.Support(m.MatchID, m.Support)
		}
		if m.Agreement != nil {
			out.Agreement = encoding.SignedAgreement(m.Agreement)
		}
		out.Proofs = encoding.All(m.Proofs, encoding.Equivocation)
		e.Body = &antev1.Envelope_TowerEvidence{TowerEvidence: out}
	case TowerAsk:
		e.Body = &antev1.Envelope_TowerAsk{TowerAsk: &antev1.TowerAsk{Mark: encodeStoreMark(&m.Mark), Show: m.Show}}
	case TowerReceipt:
		e.Body = &antev1.Envelope_TowerReceipt{TowerReceipt: &antev1.TowerReceipt{Version: m.Version,
			Matches: encoding.All(m.Matches, encodeTowerMark), Mark: encodeStoreMark(&m.Mark), Time: m.Time, Expiry: m.Expiry,
			Signature: encoding.Held(&m.Signature), Refusal: m.Refusal}}
	}
}

// tower reads a message between a seat and a tower, nil if it is none.
func (d *decoder) tower(e *antev1.Envelope) Message {
	switch b := e.GetBody().(type) {
	case *antev1.Envelope_TowerEvidence:
		return d.towerEvidence(b.TowerEvidence)
	case *antev1.Envelope_TowerAsk:
		if m := b.TowerAsk; d.Need(m != nil, "question") {
			return TowerAsk{Mark: d.storeMark(m.Mark), Show: m.Show}
		}
	case *antev1.Envelope_TowerReceipt:
		if d.Need(b.TowerReceipt != nil, "receipt") {
			return d.towerReceipt(b.TowerReceipt)
		}
	}
	return nil
}

func (d *decoder) towerEvidence(m *antev1.TowerEvidence) Message {
	if !d.Need(m != nil, "evidence") {
		return nil
	}
	out := TowerEvidence{Mark: d.storeMark(m.Mark), Ledger: d.SignedLedger(m.Ledger),
		Matches: encoding.DecodeAll(&d.Decoder, m.Matches, protocol.MaxLocks, "matches", d.MatchTerms)}
	if m.Support != nil {
		out.MatchID, out.Support = d.Support(m.Support)
	}
	if m.Agreement != nil {
		a := d.SignedAgreement(m.Agreement)
		if out.Support != nil && a.MatchID != out.MatchID {
			d.Fail("a support and an agreement of different matches")
		}
		out.MatchID, out.Agreement = a.MatchID, &a
	}
	out.Proofs = encoding.DecodeAll(&d.Decoder, m.Proofs, games.MaxSeats, "proofs", d.Equivocation)
	for i := range out.Proofs {
		out.Proofs[i].MatchID = out.MatchID
	}
	switch about := out.Support != nil || out.Agreement != nil; {
	case about && len(out.Matches) != 1:
		d.Fail("evidence of one match names %d", len(out.Matches))
	case !about && len(out.Proofs) > 0:
		d.Fail("proofs of no match")
	}
	return out
}

func (d *decoder) towerReceipt(m *antev1.TowerReceipt) Message {
	out := TowerReceipt{Holding: Holding{Version: m.Version, Mark: d.storeMark(m.Mark), Time: m.Time, Expiry: m.Expiry,
		Matches: encoding.DecodeAll(&d.Decoder, m.Matches, protocol.MaxLocks, "matches", d.towerMark)}, Refusal: d.Text(m.Refusal, "refusal")}
	if len(m.Signature) > 0 {
		out.Signature = d.Signature(m.Signature, "signature")
	}
	for i := range out.Matches {
		if i > 0 && out.Matches[i-1].MatchID.Cmp(out.Matches[i].MatchID) >= 0 {
			d.Fail("the matches of a receipt do not ascend")
		}
	}
	return out
}

func (d *decoder) towerMark(m *antev1.TowerMark, what string) TowerMark {
	if !d.Need(m != nil, what) {
		return TowerMark{}
	}
	return TowerMark{MatchID: d.Hash(m.MatchId, "match id"), Rank: protocol.Rank{Agreed: protocol.Mark(m.Agreed), Turn: protocol.Mark(m.Turn)},
		Agreement: protocol.Mark(m.Agreement), Proved: d.Mask(m.Proved)}
}

// storeMark reads a mark; none is given where nothing was told.
func (d *decoder) storeMark(m *antev1.StoreMark) StoreMark {
	if m == nil {
		return StoreMark{}
	}
	if m.Generation == 0 {
		d.Fail("a store of no generation")
	}
	return StoreMark{Generation: m.Generation, Signature: d.Signature(m.Signature, "signature of the store mark")}
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
