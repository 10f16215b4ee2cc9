package driver

import (
	"context"
	"fmt"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

const upkeepPrefix = "upkeep/"

// LostUpkeep reports whether a transaction was a call that a game's rules contract needed, failed
// for good, and nobody else's did it: the contract doesn't have what comes of it.
func (d *Driver) LostUpkeep(ctx context.Context, r *chain.Report) bool {
	call, is := strings.CutPrefix(r.Key, upkeepPrefix)
	if !is || r.Progress < chain.Done || r.Err == nil {
		return false
	}
	call, _, _ = strings.Cut(call, "#")
	rules, of, _ := strings.Cut(call, "/")
	_, slot, known := strings.Cut(of, "/")
	return !known || !d.has(ctx, common.HexToAddress(rules), common.HexToHash(slot))
}

// has reports whether a rules contract is known to have what comes of a call.
func (d *Driver) has(ctx context.Context, rules common.Address, slot common.Hash) bool {
	word, err := d.Client.Stored(ctx, rules, slot)
	return err == nil && word != common.Hash{}
}

// Upkeep makes a call that a rules contract needs, before a time on the Arena's clock (0: no
// hurry). Asked for again it makes no other, unless the last one failed; nor does it where the
// contract has what comes of the call, by whomever.
func (d *Driver) Upkeep(ctx context.Context, rules common.Address, call *games.Call, before uint64) error {
	ctx = chain.Hasty(ctx)
	name := fmt.Sprintf("%s%s/%x", upkeepPrefix, rules, crypto.Keccak256(call.Data)[:8])
	if call.Slot != (common.Hash{}) {
		if d.has(ctx, rules, call.Slot) {
			return nil
		}
		name = fmt.Sprintf("%s/%s", name, call.Slot)
	}
	key, lost, err := d.attempt(name)
	if err != nil {
		return err
	}
	_, err = d.Sender.Submit(ctx, chain.Request{
		Key: key, Why: call.Why, To: rules, Data: call.Data, Deadline: before, Usual: 2 * call.Gas, Failed: lost > 0, Again: lost >= mostLost, Defence: true, Hurry: before != 0,
	})
	return err
}

// attempt names the transaction that does something, after so many that were to do it failed.
func (d *Driver) attempt(key string) (name string, lost int, err error) {
	for name = key; ; name = fmt.Sprintf("%s#%d", key, lost) {
		r, err := d.Sender.Status(name)
		if err != nil || r.Err == nil {
			return name, lost, err
		}
		lost++
	}
}
