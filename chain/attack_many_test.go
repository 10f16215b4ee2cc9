package chain_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/store"
)

// TestAttack_FeeSpike_Many: many long answers wait at once, because somebody posted old ledgers of
// many channels, and gas gets dearer. All are priced again as often as it takes, and are kept,
// though together they are more than the store takes at once.
func TestAttack_FeeSpike_Many(t *testing.T) {
	skipLarge(t)
	kept := store.NewMemory()
	o := newOffice(t, func(c *chain.SenderConfig) { c.Store = kept })
	o.dearer(2)
	const long = 64 << 10
	var keys []string
	for size := 0; size < store.MaxCommit*5/4; size += 4 * long { // in hexadecimal, and signed beside what was asked for
		r := o.answer(fmt.Sprintf("%d", len(keys)), 1<<30)
		r.To, r.Data = o.chain.Address(0), bytes.Repeat([]byte{7}, long)
		if _, err := o.Submit(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, r.Key)
	}
	for _, tip := range []int{10, 20, 30, 40, 50} {
		o.dearer(tip)
		o.step(4)
	}
	o.restart()
	o.dearer(0)
	o.step(20)
	for _, key := range keys {
		if r := o.status(key); r.Progress < chain.Mined || r.Err != nil {
			t.Errorf("%s: %v, %v", key, r.Progress, r.Err)
		}
	}
}
