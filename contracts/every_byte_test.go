package contracts_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestAttack_EveryByte: what callers supply again is bound by fingerprints to the last byte.
// Whoever changes one either is refused or changes nothing (the zeros that fill up ABI words are
// read by nobody).
func TestAttack_EveryByte(t *testing.T) {
	for name, setup := range map[string]func(*testing.T) (*table, onchain.Action){
		"settle": func(t *testing.T) (*table, onchain.Action) {
			tb, m := gasMatch(t)
			m.coin().makeCode(0)
			tb.must(m.advance(m.support(3, 4, m.everyone(4))))
			tb.must(m.agree(m.agreement(4, half+half/3, half-half/3)))
			tb.must(tb.contest(*tb.newest, 0))
			tb.wait(window)
			return tb, tb.settle(*tb.newest, m)
		},
		"expire": func(t *testing.T) (*table, onchain.Action) {
			tb, m := gasMatch(t)
			m.coin().makeCode(0)
			tb.must(m.advance(m.support(3, 4, m.everyone(4)), m.demand(4, m.line[4].by)))
			tb.wait(window)
			return tb, m.expire(4)
		},
		"demand": func(t *testing.T) (*table, onchain.Action) {
			tb, m := gasMatch(t)
			m.coin().makeCode(0)
			tb.must(m.advance(m.support(3, 4, m.everyone(4))))
			return tb, m.demands(4, m.line[4].by)
		},
		"advance": func(t *testing.T) (*table, onchain.Action) {
			tb, m := gasMatch(t)
			m.coin().makeCode(0).guess(1)
			tb.must(m.advance(m.support(3, 4, m.everyone(4))))
			return tb, m.advance(m.support(4, 5))
		},
	} {
		t.Run(name, func(t *testing.T) {
			tb, action := setup(t)
			call, err := tb.codec.Encode(action)
			tb.ok(err)
			start := tb.checkpoint()
			want := tb.must(action)
			for i := 4; i < len(call.Data); i++ {
				for _, flip := range []byte{1, 0x80} {
					start()
					data := slices.Clone(call.Data)
					data[i] ^= flip
					r, err := tb.chain.Send(minichain.Tx{From: tb.sender, To: &tb.arena, Data: data, Gas: 3_000_000})
					if err == nil && !reflect.DeepEqual(tb.read(r), want) {
						t.Errorf("byte %d of %d changes what happens", i, len(call.Data))
					}
				}
			}
		})
	}
}
