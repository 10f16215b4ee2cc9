package node_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// reading is a store that notes which results are read: each value that is given out is decoded by
// somebody.
type reading struct {
	store.Store
	mu   sync.Mutex
	read []common.Hash
}

func (r *reading) note(key string) {
	if id, is := strings.CutPrefix(key, "result/"); is {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.read = append(r.read, common.HexToHash(id))
	}
}

func (r *reading) Get(key string) ([]byte, error) {
	r.note(key)
	return r.Store.Get(key)
}

func (r *reading) Scan(prefix, from string, visit func(string, []byte) error) error {
	return r.Store.Scan(prefix, from, func(key string, value []byte) error {
		r.note(key)
		return visit(key, value)
	})
}

// since returns which results were read since the last call.
func (r *reading) since() []common.Hash {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.read
	r.read = nil
	return list
}

// TestResultsAreNotReadOnConnecting: a player that connects costs a read for each result that lacks
// its signature, and none for all the others, however many matches were played.
func TestResultsAreNotReadOnConnecting(t *testing.T) {
	t.Parallel()
	s := new(reading)
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			s.Store, c.Store = c.Store, s
		}
	})
	alice, bob := tb.players[0], tb.players[1]
	var signed []common.Hash
	for range 5 {
		id := tb.match(t, "toy", "")
		tb.play(t, alice, id, "win 0")
		signed = append(signed, id)
	}
	tb.wait(t, alice, func() bool {
		list, err := alice.Results()
		return err == nil && len(list) == len(signed) && !slices.ContainsFunc(list, func(r node.Result) bool {
			return len(r.Signatures) != 2 || slices.Contains(r.Signatures, protocol.Signature{})
		})
	})
	bob.restart(t)
	s.since()
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	last := tb.match(t, "toy", "") // its messages come after what is done on connecting
	for _, id := range s.since() {
		if id != last {
			t.Errorf("result %v is read again", id)
		}
	}
}
