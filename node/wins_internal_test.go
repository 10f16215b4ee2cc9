package node

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestPublishesWins: a node publishes its wins by itself where it is told to and there is a score
// board, and waits while gas is dear.
func TestPublishesWins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wins     uint64
		board    common.Address
		price    uint64
		want     bool
		attempts bool
	}{
		"it is told to": {1, common.Address{1}, dearPublication, true, true}, "it is not": {0, common.Address{1}, 1, false, false},
		"there is no board": {1, common.Address{}, 1, false, false}, "gas is dear": {1, common.Address{1}, dearPublication + 1, true, false},
	} {
		l := newLab(t)
		n := l.node(func(config *Config) {
			config.Scoreboard, config.Policy.PublishWins, config.Policy.GasPrice = c.board, c.wins, *uint256.NewInt(c.price)
		})
		r := &Result{Match: common.Hash{1}, Channel: common.Hash{2}}
		l.must(n.config.Store.Commit(map[string][]byte{winKey(r): []byte(unsent)}))
		if got := n.publishes(); got != c.want {
			t.Errorf("%s: it publishes: %t", name, got)
		}
		// there is no result of it
		if err := n.tendWins(t.Context()); errors.Is(err, ErrUnknownMatch) != c.attempts {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWinsUnderWay: a win waits for the score board while no transaction of it is sent, or mined,
// or one is not known any more.
func TestWinsUnderWay(t *testing.T) {
	t.Parallel()
	chained := Join(t, func(c *Config) { c.Policy.Confirmations = 1000 })
	n := part(t, chained, nil)
	r := &Result{Match: common.Hash{1}, Channel: common.Hash{2}}
	key := "score/1"
	waits := func() bool {
		list, err := n.waitingWins()
		if err != nil {
			t.Fatal(err)
		}
		return len(list[r.Channel]) == 1 && list[r.Channel][0] == r.Match
	}
	for _, tx := range []string{unsent, key} {
		if err := n.config.Store.Commit(map[string][]byte{winKey(r): []byte(tx)}); err != nil {
			t.Fatal(err)
		}
		if !waits() {
			t.Errorf("it is %s, and doesn't wait", tx)
		}
	}
	sent, err := n.drive.Sender.Submit(t.Context(), chain.Request{Key: key, Why: "count it", To: common.Address{9}})
	if err != nil || sent.Progress != chain.Waiting {
		t.Fatalf("%+v, %v", sent, err)
	}
	if waits() {
		t.Error("it is sent, and waits")
	}
	err = chained.Wait(t.Context(), func() (bool, error) {
		_, err := n.drive.Sender.Step(t.Context())
		if err != nil {
			return false, err
		}
		sent, err = n.drive.Sender.Status(key)
		return sent.Progress != chain.Waiting, err
	})
	if err != nil || sent.Progress != chain.Mined {
		t.Fatalf("%+v, %v", sent, err)
	}
	if waits() {
		t.Error("it is mined, and waits")
	}
}
