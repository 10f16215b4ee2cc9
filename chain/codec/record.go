package codec

import (
	"fmt"

	"github.com/ante-games/ante/protocol"
)

// Sizes of a record's parts, in bytes.
const (
	recordSeat   = 8 + 6
	recordPayout = 32
)

// record packs what the Arena knows of a match; nothing at all when it knows nothing.
func (p *packer) record(r *protocol.Record) {
	if r.Status == protocol.MatchUnknown {
		return
	}
	if len(r.Marks) != len(r.Spent) {
		p.fail("a record with %d marks and %d clocks", len(r.Marks), len(r.Spent))
		return
	}
	p.hash(r.State)
	p.uint8(uint8(r.Status))
	p.uint8(r.Mover)
	p.uint64(uint64(r.Turn))
	if r.Status != protocol.MatchFinal {
		p.uint64(uint64(r.AgreedAt))
		p.uint64(r.Block)
		p.time(r.Since)
		p.time(r.Clock)
		p.time(r.Deadline)
	}
	for i := range r.Marks {
		p.uint64(uint64(r.Marks[i]))
		p.time(r.Spent[i])
	}
	p.amounts(r.Payouts)
}

func recordIn(in []byte) (protocol.Record, error) {
	if len(in) == 0 {
		return protocol.Record{}, nil
	}
	u := unpacker{in: in}
	r := protocol.Record{
		State: u.hash(), Status: protocol.MatchStatus(u.uint8()), Mover: u.uint8(),
		Turn: protocol.Mark(u.uint64()),
	}
	if r.Status != protocol.MatchFinal {
		r.AgreedAt, r.Block = protocol.Mark(u.uint64()), u.uint64()
		r.Since, r.Clock, r.Deadline = u.time(), u.time(), u.time()
	}
	seats, payouts := 0, 0
	switch r.Status {
	case protocol.MatchUnsigned, protocol.MatchLive:
		seats = len(u.in) / recordSeat
	case protocol.MatchAgreed, protocol.MatchOver:
		seats = len(u.in) / (recordSeat + recordPayout)
		payouts = seats
	case protocol.MatchFinal:
		payouts = len(u.in) / recordPayout
	default:
		return r, fmt.Errorf("a record of status %d", r.Status)
	}
	for range seats {
		r.Marks = append(r.Marks, protocol.Mark(u.uint64()))
		r.Spent = append(r.Spent, u.time())
	}
	r.Payouts = u.amounts(payouts)
	return r, u.end("record")
}
