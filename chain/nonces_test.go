package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
)

// nonces lists those of the jobs, as they lie in the book.
func nonces(b *book) (list []uint64) {
	for _, j := range b.Jobs {
		list = append(list, j.Nonce)
	}
	return list
}

// TestGapsAreFilled: nonces between those mined and the highest of ours that neither we use nor
// anybody who waits are filled, so many at once. Where there is no gap the endpoint isn't asked.
func TestGapsAreFilled(t *testing.T) {
	for _, c := range []struct {
		what          string
		ours          []uint64
		next, pending uint64 // of the account: mined, and waiting at the endpoint
		filled        []uint64
		asked         int
	}{
		{"nothing is on its way", nil, 5, 5, nil, 0},
		{"the next", []uint64{5}, 5, 5, nil, 0},
		{"the next three", []uint64{5, 6, 7}, 5, 5, nil, 0},
		{"some are mined", []uint64{3, 4, 5, 6}, 5, 5, nil, 0},
		{"all are mined", []uint64{3}, 5, 5, nil, 0},
		{"the last one is mined", []uint64{4}, 5, 5, nil, 0},
		{"one before it is missing", []uint64{6}, 5, 5, []uint64{5}, 1},
		{"somebody's waits there", []uint64{6}, 5, 6, nil, 1},
		{"one between them is missing", []uint64{5, 7}, 5, 5, []uint64{6}, 1},
		{"two are", []uint64{4, 6, 8}, 5, 5, []uint64{5, 7}, 1},
		{"many are", []uint64{21}, 5, 5, []uint64{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 1},
		{"too many are, by one endpoint's word", []uint64{22}, 5, 5, nil, 1},
	} {
		asked := 0
		u, _, rung := newUpkeep(t, func(endpoint, method string, _ []json.RawMessage) (any, error) {
			if method != "eth_getTransactionCount" {
				return nil, nil
			}
			if endpoint == "http://one" {
				asked++
			}
			return fmt.Sprintf("0x%x", c.pending), nil
		})
		u.nonce = c.next
		for _, nonce := range c.ours {
			u.book.Jobs = append(u.book.Jobs, &job{order: order{Key: fmt.Sprint(nonce)}, Nonce: nonce})
		}
		if err := u.fill(t.Context()); err != nil {
			t.Fatal(err)
		}
		var filled []uint64
		for _, j := range u.book.Jobs {
			if j.Key == "" {
				filled = append(filled, j.Nonce)
			}
		}
		if !slices.Equal(filled, c.filled) || !slices.IsSorted(nonces(u.book)) || asked != c.asked || len(rung.take()) != len(c.filled) {
			t.Errorf("%s: %v, filled %v, asked %d times; want %v, %d", c.what, nonces(u.book), filled, asked, c.filled, c.asked)
		}
	}
}

// TestATransactionWhoseNonceIsTaken: once it is final that somebody else's has it, it goes on with
// the next one, as urgent as before, unless there is nothing to go on with. Before that nothing
// changes.
func TestATransactionWhoseNonceIsTaken(t *testing.T) {
	revert := errors.New("execution reverted")
	for _, c := range []struct {
		what     string
		change   func(*upkeep, *job)
		final    any   // the account's nonce when the newest final block was made
		estimate error // of its gas
		balance  string
		nonce    uint64 // that it has then; 0: it is gone
		over     string // why
		asked    int    // how often for that nonce
		failed   bool
	}{
		{"it goes on", nil, "0x5", nil, "0xffffffffff", 9, "", 1, false},
		{"it is not taken", func(u *upkeep, _ *job) { u.nonce = 4 }, "0x5", nil, "0xffffffffff", 4, "", 0, false},
		{"that is not final", nil, "0x4", nil, "0xffffffffff", 4, "", 1, false},
		{"nothing is final yet", func(u *upkeep, _ *job) { u.head.Number = 10 }, "0x5", nil, "0xffffffffff", 4, "", 0, false},
		{"the first block is final", func(u *upkeep, _ *job) { u.head.Number = 11 }, "0x5", nil, "0xffffffffff", 9, "", 1, false},
		{"the endpoint can't tell", nil, errNo, nil, "0xffffffffff", 4, "", 1, true},
		{"it filled a gap", func(_ *upkeep, j *job) { j.Key = "" }, "0x5", nil, "0xffffffffff", 0, "", 1, false},
		{"it was cancelled", func(_ *upkeep, j *job) { j.Why = "no" }, "0x5", nil, "0xffffffffff", 0, "another transaction took its nonce", 1, false},
		{"it is refused by now", nil, "0x5", revert, "0xffffffffff", 0, "execution reverted", 1, false},
		{"the account can't pay", nil, "0x5", nil, "0x0", 4, "", 1, false},
		{"the endpoint is down", nil, "0x5", errAway, "0xffffffffff", 4, "", 1, true},
	} {
		asked := 0
		u, _, _ := newUpkeep(t, func(endpoint, method string, params []json.RawMessage) (any, error) {
			switch method {
			case "eth_getTransactionCount":
				if string(params[1]) == `"pending"` {
					return "0x7", nil
				}
				if endpoint == "http://one" {
					asked++
				}
				if string(params[1]) != `"0x59"` && string(params[1]) != `"0x0"` {
					return nil, fmt.Errorf("asked at %s", params[1])
				}
				if err, failed := c.final.(error); failed {
					return nil, err
				}
				return c.final, nil
			case "eth_estimateGas":
				return "0x186a0", c.estimate
			case "eth_getBlockByNumber":
				return told(Block{Number: 100, BaseFee: 10}), nil
			case "eth_maxPriorityFeePerGas":
				return "0x2", nil
			case "eth_call":
				return "0x", nil
			case "eth_getBalance":
				return c.balance, nil
			}
			return nil, nil
		})
		u.nonce = 5
		j := &job{order: order{Key: "a", For: "why", Deadline: 500, Defence: true, Most: 200_000, Usual: 150_000, Again: true}, Nonce: 4, Gas: 100_000, Asked: 33, First: 44, Price: money.Bid{Tip: 1, Cap: 1}}
		if c.change != nil {
			c.change(u, j)
		}
		key := j.Key
		u.book.Jobs = []*job{j, {order: order{Key: "b"}, Nonce: 8, Price: money.Bid{}}}
		err := u.displaced(t.Context(), j)
		switch {
		case (err != nil) != c.failed || asked != c.asked || !slices.IsSorted(nonces(u.book)):
			t.Errorf("%s: asked %d times, %v, %v", c.what, asked, nonces(u.book), err)
		case c.nonce == 0:
			o := u.over[key]
			if slices.Contains(nonces(u.book), 4) || (o == nil) != (key == "") || len(u.reports) != len(u.over) || o != nil && (o.Dropped != c.over || o.For != "why") {
				t.Errorf("%s: %v, outcome %+v, reports %+v", c.what, nonces(u.book), o, u.reports)
			}
		case c.nonce == 4:
			if j.Nonce != 4 || len(u.reports) != 0 {
				t.Errorf("%s: %+v, reports %+v", c.what, j, u.reports)
			}
		default:
			if j.Nonce != c.nonce || j.Asked != 33 || j.First != 44 || j.Deadline != 500 || !j.Defence || j.For != "why" || j.Gas != 125_000 || j.Most != 200_000 || j.Usual != 150_000 || !j.Again ||
				len(u.reports) != 1 || u.reports[0].Nonce != c.nonce || u.reports[0].Tx == (common.Hash{}) {
				t.Errorf("%s: %+v, reports %+v", c.what, j, u.reports)
			}
		}
	}
}
