package codec

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
)

var scoreboard = sync.OnceValue(bindings.NewScoreboard)

// Record returns the call of the score board that counts results of one channel. Its error wraps
// ErrAction.
func Record(t *protocol.Terms, results []protocol.SignedResult) ([]byte, error) {
	var p parts
	list := p.pack(func(to *packer) {
		for i := range results {
			r := &results[i]
			to.uint64(r.Nonce)
			to.raw(r.Rules[:])
			for _, mask := range []uint16{r.Winners, r.Losers, r.Drawn} {
				to.raw(binary.BigEndian.AppendUint16(nil, mask))
			}
			to.signatures(r.Signatures)
		}
	})
	call, err := p.call(scoreboard().TryPackRecord(p.terms(t), list))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAction, err)
	}
	return call.Data, nil
}

// RecordPaid returns the call of the score board that counts a match whose lock the Arena paid, by
// the record that it had then. Its error wraps ErrAction.
func RecordPaid(t *protocol.Terms, m *protocol.MatchTerms, r *protocol.Record) ([]byte, error) {
	var p parts
	call, err := p.call(scoreboard().TryPackRecordPaid(p.terms(t), p.match(m), p.record(r)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAction, err)
	}
	return call.Data, nil
}
