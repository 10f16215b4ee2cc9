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

// IsUpkeep reports whether a transaction is a call that a game's rules contract needed.
func IsUpkeep(r *chain.Report) bool { return strings.HasPrefix(r.Key, upkeepPrefix) }

// Upkeep makes a call that a rules contract needs, before a time on the Arena's clock (0: no
// hurry). Asked for again it makes no other, unless the last one failed; nor does it where the
// contract has what comes of the call, by whomever.
func (d *Driver) Upkeep(ctx context.Context, rules common.Address, call *games.Call, before uint64) error {
	if call.Slot != (common.Hash{}) {
		// not known is not made
		if word, err := d.Client.Stored(ctx, rules, call.Slot); err == nil && word != (common.Hash{}) {
			return nil
		}
	}
	key, lost, err := d.attempt(fmt.Sprintf("%s%s/%x", upkeepPrefix, rules, crypto.Keccak256(call.Data)[:8]))
	if err != nil {
		return err
	}
	_, err = d.Sender.Submit(ctx, chain.Request{
		Key: key, Why: call.Why, To: rules, Data: call.Data, Deadline: before, Usual: 2 * call.Gas, Again: lost >= mostLost, Defence: true,
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
