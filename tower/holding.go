package tower

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// holding is what is held for a seat, in short; the evidence itself lies beside it, as the seat gave it.
type holding struct {
	channel.Holding
	Ledger int // bytes of the ledger's evidence
	Bytes  int // of all evidence
}

func holdingKey(id common.Hash, seat int) string {
	return fmt.Sprintf("%s%s/%02d", holdingPrefix, id.Hex(), seat)
}

func proofsOf(id common.Hash, seat int) string {
	return fmt.Sprintf("%s%s/%02d/", proofPrefix, id.Hex(), seat)
}

func ledgerKey(id common.Hash, seat int) string { return proofsOf(id, seat) + "ledger" }

func matchKey(id common.Hash, seat int, match common.Hash) string {
	return proofsOf(id, seat) + "match/" + match.Hex()
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
func writeEvidence(id common.Hash, e channel.TowerEvidence) ([]byte, error) {
	e.Mark = channel.StoreMark{}
	return proto.MarshalOptions{Deterministic: true}.Marshal(channel.Envelope(id, e))
}

func readEvidence(value []byte) (*channel.TowerEvidence, error) {
	var env antev1.Envelope
	if err := proto.Unmarshal(value, &env); err != nil {
		return nil, err
	}
	_, m, err := channel.FromEnvelope(&env)
	if err != nil {
		return nil, err
	}
	e, ok := m.(channel.TowerEvidence)
	if !ok {
		return nil, fmt.Errorf("a %T where evidence is stored", m)
	}
	return &e, nil
}

// stored returns a piece of evidence, nil if there is none.
func (t *Tower) stored(key string) (*channel.TowerEvidence, int, error) {
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

// proofs returns all pieces of evidence that a seat gave, the ledger first. The caller holds the channel's lock.
func (t *Tower) proofs(id common.Hash, seat int) (list []channel.TowerEvidence, err error) {
	err = t.config.Store.Scan(proofsOf(id, seat), "", func(key string, value []byte) error {
		e, err := readEvidence(value)
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		list = append(list, *e)
		return nil
	})
	return list, err
}

// evidence returns what the planner may go by for a seat. The caller holds the channel's lock.
func (t *Tower) evidence(id common.Hash, seat int) (disputes.Evidence, error) {
	out := disputes.Evidence{Matches: map[common.Hash]disputes.Match{}}
	list, err := t.proofs(id, seat)
	for i := range list {
		e := &list[i]
		if e.MatchID != (common.Hash{}) {
			out.Matches[e.MatchID] = disputes.Match{Terms: e.Matches[0], Ledger: &e.Ledger, Support: e.Support, Agreement: e.Agreement, Proofs: e.Proofs}
			continue
		}
		out.Ledger = &e.Ledger
		if e.Ledger.Closing {
			out.Closing = &e.Ledger
		}
		for j := range e.Matches {
			out.Matches[e.Matches[j].ID(t.domain)] = disputes.Match{Terms: e.Matches[j], Ledger: &e.Ledger}
		}
	}
	return out, err
}

// release forgets the matches that a new ledger doesn't lock: no later one locks them again.
func (h *holding) release(l *channel.Ledger) (gone []channel.TowerMark) {
	h.Matches = slices.DeleteFunc(h.Matches, func(m channel.TowerMark) bool {
		if l.Lock(m.MatchID) != nil {
			return false
		}
		gone = append(gone, m)
		return true
	})
	return gone
}
