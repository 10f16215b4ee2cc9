package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/ante-games/ante/protocol/onchain"
)

// branch is the chain that an endpoint has: the line, and from a block on other blocks.
type branch struct {
	head  uint64
	from  uint64 // the first of the other blocks; 0: none
	mark  byte   // what tells their hashes apart
	logs  map[uint64][]types.Log
	most  uint64                                   // of how many blocks it tells the logs at once; 0: any number
	fails func(method string, number uint64) error // nil: nothing does
}

func (b *branch) block(number uint64) Block {
	block := line(number)
	if b.from != 0 && number >= b.from {
		block.Hash[0] = b.mark
	}
	if b.from != 0 && number > b.from {
		block.Parent[0] = b.mark
	}
	return block
}

func (b *branch) answer(t *testing.T, method string, params []json.RawMessage) (any, error) {
	fails := func(number uint64) error {
		if b.fails == nil {
			return nil
		}
		return b.fails(method, number)
	}
	switch method {
	case "eth_getBlockByNumber":
		number, given := asked(t, params)
		if !given {
			number = b.head
		}
		if err := fails(number); number > b.head || errors.Is(err, ErrUnknownBlock) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		return told(b.block(number)), nil
	case "eth_getLogs":
		var filter struct {
			BlockHash          *common.Hash
			FromBlock, ToBlock hexutil.Uint64
		}
		if err := json.Unmarshal(params[0], &filter); err != nil {
			return nil, err
		}
		if filter.BlockHash == nil && b.most != 0 && uint64(filter.ToBlock-filter.FromBlock) >= b.most {
			return nil, errNo
		}
		logs := []types.Log{}
		for number := range b.head + 1 {
			hash := b.block(number).Hash
			if filter.BlockHash != nil && *filter.BlockHash != hash || filter.BlockHash == nil && (number < uint64(filter.FromBlock) || number > uint64(filter.ToBlock)) {
				continue
			}
			if err := fails(number); err != nil {
				return nil, err
			}
			logs = append(logs, b.logs[number]...)
		}
		return logs, nil
	}
	return nil, nil
}

// followers is a follower of two branches, and where it is.
type followers struct {
	*Follower
	t        *testing.T
	rung     *rung
	one, two *branch
	cursor   []byte
}

var arenaOfTwo = common.Address{7}

func followTwo(t *testing.T, config FollowConfig, one, two *branch) *followers {
	t.Helper()
	client, rung := scriptOf(t, one, two).dial(t, Config{})
	return follow(t, client, rung, config, one, two)
}

// scriptOf is what endpoints answer that have two branches.
func scriptOf(t *testing.T, one, two *branch) script {
	return func(endpoint, method string, params []json.RawMessage) (any, error) {
		return map[string]*branch{"http://one": one, "http://two": two}[endpoint].answer(t, method, params)
	}
}

func follow(t *testing.T, client *Client, rung *rung, config FollowConfig, one, two *branch) *followers {
	t.Helper()
	config.Arena, config.Decode = arenaOfTwo, func(log types.Log) (onchain.Event, error) {
		return onchain.Closed{ChannelID: log.Topics[0]}, nil
	}
	follower, err := NewFollower(client, config)
	if err != nil {
		t.Fatal(err)
	}
	return &followers{Follower: follower, t: t, rung: rung, one: one, two: two}
}

// step asks once, and returns what it tells.
func (f *followers) step() Batch {
	f.t.Helper()
	batch, err := f.Next(f.t.Context(), f.cursor)
	if err != nil {
		f.t.Fatal(err)
	}
	f.cursor = batch.Cursor
	return batch
}

// read asks until there is no more, and tells the events as "seen 12", with their block.
func (f *followers) read() string {
	f.t.Helper()
	var events []string
	for {
		batch := f.step()
		for _, e := range batch.Events {
			events = append(events, fmt.Sprintf("%v %d", e.Stage, e.Block.Number))
		}
		if !batch.Behind {
			return strings.Join(events, ", ")
		}
	}
}

// remembers returns the first block that is remembered, and how many are.
func (f *followers) remembers() (base uint64, blocks int) {
	f.t.Helper()
	c, err := decodeCursor(f.cursor, 1, arenaOfTwo, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	return c.Base, len(c.Blocks)
}

func logsAt(numbers ...uint64) map[uint64][]types.Log {
	logs := map[uint64][]types.Log{}
	for _, number := range numbers {
		logs[number] = []types.Log{logAt(arenaOfTwo, number, 1)}
	}
	return logs
}
