package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestBlocksAreOneChain: blocks count as far as each has the number that was asked for and the one
// before for its parent.
func TestBlocksAreOneChain(t *testing.T) {
	var instead map[uint64]any // of an honest answer
	client, _ := script(func(_, method string, params []json.RawMessage) (any, error) {
		if method != "eth_getBlockByNumber" {
			return nil, nil
		}
		number, _ := asked(t, params)
		if answer, ok := instead[number]; ok {
			return answer, nil
		}
		return told(line(number)), nil
	}).dial(t, Config{})
	stranger, orphan := line(12), line(12)
	stranger.Number, orphan.Parent = 13, common.Hash{1}
	for _, c := range []struct {
		what    string
		instead any
		first   uint64
		found   int
	}{
		{"a chain", told(line(12)), 10, 5}, {"another number", told(stranger), 10, 2}, {"another parent", told(orphan), 10, 2},
		{"another parent of the second", told(orphan), 11, 1}, {"of the first", told(orphan), 12, 3}, {"none", nil, 10, 2},
	} {
		instead = map[uint64]any{12: c.instead}
		if blocks, err := client.first.blocks(t.Context(), c.first, 14); err != nil || len(blocks) != c.found || blocks[0].Number != c.first {
			t.Errorf("%s: %v, %v, want %d", c.what, blocks, err, c.found)
		}
	}
	instead = map[uint64]any{0: nil}
	if blocks, err := client.first.blocks(t.Context(), 0, 4); err != nil || len(blocks) != 0 {
		t.Errorf("no block at the beginning: %v, %v", blocks, err)
	}
	for _, c := range []struct {
		what    string
		instead any
		want    error
	}{{"the block", told(line(12)), nil}, {"another number", told(stranger), new(Lying)}, {"none", nil, ErrUnknownBlock}} {
		instead = map[uint64]any{12: c.instead}
		block, err := client.first.at(t.Context(), 12)
		if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", c.want) || err == nil && block != line(12) || err != nil && block != (Block{}) {
			t.Errorf("%s: %+v, %v", c.what, block, err)
		}
	}
}

// TestLogsOfARange: the logs of a range are of its blocks. Less is asked for only where an endpoint
// refuses, and never less than a block.
func TestLogsOfARange(t *testing.T) {
	arena := common.Address{7}
	var answer func(first, last uint64) (any, error)
	var requests int
	client, _ := script(func(_, method string, params []json.RawMessage) (any, error) {
		if method != "eth_getLogs" {
			return nil, nil
		}
		if requests++; requests > 9 {
			return nil, errAway
		}
		var filter struct{ FromBlock, ToBlock hexutil.Uint64 }
		if err := json.Unmarshal(params[0], &filter); err != nil {
			return nil, err
		}
		return answer(uint64(filter.FromBlock), uint64(filter.ToBlock))
	}).dial(t, Config{})
	logs := func(numbers ...uint64) func(uint64, uint64) (any, error) {
		var list []types.Log
		for _, number := range numbers {
			list = append(list, logAt(arena, number, 1))
		}
		return func(uint64, uint64) (any, error) { return list, nil }
	}
	for _, c := range []struct {
		what     string
		answer   func(first, last uint64) (any, error)
		covered  uint64
		requests int
		fault    error
	}{
		{"all of them", logs(10, 19), 19, 1, nil},
		{"one before", logs(9, 19), 0, 1, new(Lying)},
		{"one after", logs(10, 20), 0, 1, new(Lying)},
		{"no order", logs(11, 10), 19, 1, new(Lying)},
		{"no answer", func(uint64, uint64) (any, error) { return nil, errAway }, 0, 1, new(Unreachable)},
		{"no more than three blocks", func(first, last uint64) (any, error) {
			if last-first > 2 {
				return nil, errNo
			}
			return []types.Log{}, nil
		}, 12, 3, nil},
		{"no more than two", func(first, last uint64) (any, error) {
			if last-first > 1 {
				return nil, errNo
			}
			return []types.Log{}, nil
		}, 11, 2, nil}, // it remembers that three fitted
		{"it fits", logs(10, 11), 11, 1, nil},
		{"not one block", func(uint64, uint64) (any, error) { return nil, errNo }, 0, 2, errNo},
	} {
		answer, requests = c.answer, 0
		_, covered, err := client.first.logsIn(t.Context(), source{contract: arena}, 10, 19)
		kind := fmt.Sprintf("%T", err) == fmt.Sprintf("%T", c.fault) || errors.Is(c.fault, errNo) && err.Error() == errNo.Error()
		if covered != c.covered || requests != c.requests || !kind {
			t.Errorf("%s: up to %d after %d requests, %v; want %d, %d, %v", c.what, covered, requests, err, c.covered, c.requests, c.fault)
		}
	}
}

// TestLogsOfBlocks: a log of another block than that which was asked about, by hash or by number,
// is no answer.
func TestLogsOfBlocks(t *testing.T) {
	arena := common.Address{7}
	fork, number := logAt(arena, 11, 1), logAt(arena, 11, 1)
	fork.BlockHash, number.BlockNumber = common.Hash{1}, 12
	for what, log := range map[string]types.Log{"right": logAt(arena, 11, 1), "hash": fork, "number": number, "contract": logAt(common.Address{8}, 11, 1)} {
		client, _ := script(func(_, method string, _ []json.RawMessage) (any, error) {
			if method != "eth_getLogs" {
				return nil, nil
			}
			return []types.Log{log}, nil
		}).dial(t, Config{})
		logs, err := client.first.logsOf(t.Context(), source{contract: arena}, []Block{line(11)})
		if lying := new(Lying); (err == nil) != (what == "right") || err != nil && !errors.As(err, &lying) || err == nil && len(logs[0]) != 1 {
			t.Errorf("%s: %v, %v", what, logs, err)
		}
	}
}
