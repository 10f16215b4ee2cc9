package node

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// between is a store that has something else happen when a result is looked up or results are
// forgotten.
type between struct {
	store.Store
	read, forgotten func()
}

func (b *between) Get(key string) ([]byte, error) {
	value, err := b.Store.Get(key)
	if strings.HasPrefix(key, resultPrefix) && b.read != nil {
		b.read()
	}
	return value, err
}

func (b *between) Scan(prefix, after string, visit func(string, []byte) error) error {
	if prefix == winPrefix {
		b.forgotten()
	}
	return b.Store.Scan(prefix, after, visit)
}

func (b *between) Commit(changes map[string][]byte) error {
	for key := range changes {
		if strings.HasPrefix(key, tallyPrefix) {
			b.forgotten()
		}
	}
	return b.Store.Commit(changes)
}

// TestForgottenOnce: a peer signs a result at the moment in which it is forgotten. It does not come
// back, so it counts once in the own score.
func TestForgottenOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := &between{Store: store.NewMemory()}
	n, bob := l.node(func(c *Config) { c.Store = b }), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, n, bob)
	s := l.session(n, id)
	r := Result{
		Match: common.Hash{1}, Channel: id, Paid: true, Payouts: stakes(2, 0), Signatures: make([]protocol.Signature, 2),
		Terms: protocol.MatchTerms{ChannelID: id, Rules: toyRules, Seats: []uint8{0, 1}, Stakes: stakes(1, 1)},
	}
	l.put(n, resultPrefix+r.Match.Hex(), r)
	result := r.result()
	sig, err := l.session(bob, id).signer.Sign(result.Digest(n.domain))
	l.must(err)
	alone := func() bool {
		free := n.channels.results.TryLock()
		if free {
			n.channels.results.Unlock()
		}
		return !free
	}
	b.forgotten = func() {
		if !alone() {
			t.Error("a result can change while it is forgotten")
		}
	}
	b.read = func() {
		b.read = nil
		if !alone() {
			l.must(n.forgetPast(0, 0))
		}
	}
	l.must(s.takeResult(1, message.ResultSignature{MatchID: r.Match, Signature: sig, Reply: true}))
	l.must(n.forgetPast(0, 0))
	if got, err := n.OwnScore(); err != nil || !slices.Equal(got, []Score{{Game: "toy", Wins: 1}}) {
		t.Errorf("its score is %v, %v", got, err)
	}
	if list, err := n.Results(); err != nil || len(list) != 0 {
		t.Errorf("%d results are back, %v", len(list), err)
	}
}
