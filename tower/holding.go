package tower

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ante-games/ante/disputes"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// holding sums up what is held for a seat; the evidence itself lies beside it, as the seat gave it.
type holding struct {
	message.Holding
	Ledger  int            // bytes of the ledger's evidence
	Bytes   int            // of all evidence
	Account common.Address // that was heard of last for the seat
}

func holdingKey(id common.Hash, seat int) string {
	return fmt.Sprintf("%s%s/%02d", holdingPrefix, id.Hex(), seat)
}

func proofsOf(id common.Hash) string { return proofPrefix + id.Hex() + "/" }

func proofsBy(id common.Hash, seat int) string { return fmt.Sprintf("%s%02d/", proofsOf(id), seat) }

func ledgerKey(id common.Hash, seat int) string { return proofsBy(id, seat) + "ledger" }

func matchKey(id common.Hash, seat int, match common.Hash) string {
	return proofsBy(id, seat) + "match/" + match.Hex()
}

// holding returns what is held for a seat, nil if nothing is. The caller holds the channel's lock.
func (t *Tower) holding(id common.Hash, seat int) (*holding, error) {
	value, err := t.config.Store.Get(holdingKey(id, seat))
	if err != nil || value == nil {
		return nil, err
	}
	return readHolding(value)
}

func readHolding(value []byte) (*holding, error) {
	h := new(holding)
	return h, json.Unmarshal(value, h)
}

// writeEvidence returns evidence as it is stored: as a message without its store mark.
func writeEvidence(id common.Hash, e message.TowerEvidence) ([]byte, error) {
	e.Mark = message.StoreMark{}
	return proto.MarshalOptions{Deterministic: true}.Marshal(message.Envelope(id, e))
}

func readEvidence(value []byte) (*message.TowerEvidence, error) {
	var env antev1.Envelope
	if err := proto.Unmarshal(value, &env); err != nil {
		return nil, err
	}
	_, m, err := message.FromEnvelope(&env)
	if err != nil {
		return nil, err
	}
	e, ok := m.(message.TowerEvidence)
	if !ok {
		return nil, fmt.Errorf("a %T where evidence is stored", m)
	}
	return &e, nil
}

// knows reports whether the tower holds anything for a seat of a channel, or can't say.
func (t *Tower) knows(id common.Hash) bool {
	holds := false
	err := t.config.Store.Scan(holdingPrefix+id.Hex()+"/", "", func(string, []byte) error {
		holds = true
		return store.ErrStop
	})
	return holds || err != nil
}

// stored returns a piece of evidence, nil if there is none.
func (t *Tower) stored(key string) (*message.TowerEvidence, int, error) {
	value, err := t.config.Store.Get(key)
	if err != nil || value == nil {
		return nil, 0, err
	}
	e, err := readEvidence(value)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", key, err)
	}
	return e, len(value), nil
}

// proofs returns all pieces of evidence under a prefix, of each seat the ledger first. The caller
// holds the channel's lock.
func (t *Tower) proofs(prefix string) (list []message.TowerEvidence, err error) {
	err = t.config.Store.Scan(prefix, "", func(key string, value []byte) error {
		e, err := readEvidence(value)
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		list = append(list, *e)
		return nil
	})
	return list, err
}

// piece is evidence that was read, and the hash of what the store has.
type piece struct {
	*message.TowerEvidence
	sum [sha256.Size]byte
}

// evidence returns what the planner may use for any seat: all that seats of the channel gave,
// because what all signed proves the same whoever shows it. What did not change is not read again.
// The caller holds the channel's lock.
func (t *Tower) evidence(id common.Hash, c *dispute) (disputes.Evidence, error) {
	out := disputes.Evidence{Matches: map[common.Hash]disputes.Match{}}
	var list []*message.TowerEvidence
	held := map[string]piece{}
	err := t.config.Store.Scan(proofsOf(id), "", func(key string, value []byte) error {
		p := piece{sum: sha256.Sum256(value)}
		if old := c.held[key]; old.sum == p.sum {
			p = old
		} else if e, err := readEvidence(value); err == nil {
			p.TowerEvidence = e
		} else {
			return fmt.Errorf("read %s: %w", key, err)
		}
		held[key], list = p, append(list, p.TowerEvidence)
		return nil
	})
	c.held = held
	for _, e := range list {
		if e.MatchID == (common.Hash{}) && (out.Ledger == nil || e.Ledger.Version > out.Ledger.Version) {
			out.Ledger, out.Closing = &e.Ledger, nil
			if e.Ledger.Closing {
				out.Closing = &e.Ledger
			}
		}
		for j := range e.Matches {
			match := e.Matches[j].ID(t.domain)
			m := out.Matches[match]
			m.Terms, m.Ledger = e.Matches[j], &e.Ledger
			if match == e.MatchID {
				add(&m, e)
			}
			out.Matches[match] = m
		}
	}
	return out, err
}

// add adds what a seat gave about a match.
func add(m *disputes.Match, e *message.TowerEvidence) {
	switch {
	case e.Support == nil:
	case m.Support == nil:
		m.Support = e.Support
	default:
		m.Also = append(m.Also, e.Support)
	}
	if e.Agreement != nil && (m.Agreement == nil || e.Agreement.Turn > m.Agreement.Turn) {
		m.Agreement = e.Agreement
	}
	m.Proofs = append(m.Proofs, e.Proofs...)
}

// release forgets the matches that a new ledger doesn't lock: no later one locks them again.
func (h *holding) release(l *protocol.Ledger) (gone []message.TowerMark) {
	h.Matches = slices.DeleteFunc(h.Matches, func(m message.TowerMark) bool {
		if l.Lock(m.MatchID) != nil {
			return false
		}
		gone = append(gone, m)
		return true
	})
	return gone
}
