package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
)

var scoreboard = sync.OnceValue(bindings.NewScoreboard)

// Record returns the call of the score board that counts results of one channel. Its error wraps
// ErrAction.
func Record(t *protocol.Terms, results []protocol.SignedResult) ([]byte, error) {
	var terms, list packer
	terms.terms(t)
	for i := range results {
		r := &results[i]
		list.uint64(r.Nonce)
		list.raw(r.Rules[:])
		for _, mask := range []uint16{r.Winners, r.Losers, r.Drawn} {
			list.raw(binary.BigEndian.AppendUint16(nil, mask))
		}
		for _, s := range r.Signatures {
			list.raw(s[:])
		}
	}
	if terms.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAction, terms.err)
	}
	data, err := scoreboard().TryPackRecord(terms.out, list.out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAction, err)
	}
	return data, nil
}

// RecordPaid returns the call of the score board that counts a match whose lock the Arena paid, by
// the record that it had then. Its error wraps ErrAction.
func RecordPaid(t *protocol.Terms, m *protocol.MatchTerms, r *protocol.Record) ([]byte, error) {
	var p parts
	data, err := scoreboard().TryPackRecordPaid(p.terms(t), p.match(m), p.record(r))
	if err = errors.Join(p.err, err); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAction, err)
	}
	return data, nil
}
