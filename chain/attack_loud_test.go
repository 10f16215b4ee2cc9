package chain

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// speech is a log of an Arena that said so many bytes in a block.
func speech(arena common.Address, number uint64, bytes int) []types.Log {
	l := logAt(arena, number, 1)
	l.Topics, l.Data, l.BlockTimestamp = []common.Hash{{byte(number)}}, make([]byte, bytes), 10*number
	return []types.Log{l}
}

// loud is the block, followed.
func loud(arena common.Address, number uint64, bytes int) *followed {
	logs := speech(arena, number, bytes)
	return &followed{Block: line(number), Logs: entries(logs), Digest: digest(logs), By: "one"}
}

// TestAttack_LoudArena_Crash: the process dies before or after any of the commits by which a cursor
// comes in the place of another, and the Arena said more than fits into one. Either all that the
// old one remembers is there, or all of the new one; and nothing else stays.
func TestAttack_LoudArena_Crash(t *testing.T) {
	arena := common.Address{7}
	said := map[uint64]int{10: 100, 11: maxPart, 12: 3 * maxCommit, 13: maxCommit}
	disk, err := storetest.NewDisk().Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = disk.Close() }()
	left := -1 // commits until the process dies
	die := func(op storetest.Op) error {
		if op == storetest.Commit {
			if left == 0 {
				return storetest.ErrCrash
			}
			left--
		}
		return nil
	}
	s := &shelf{&storetest.Faulty{Store: disk, Before: die}, "cursor", arena}
	began := &cursor{Version: cursorVersion, Base: 10, Final: 10}
	if err := s.put(began, &cursor{Version: cursorVersion, Base: 10, Final: 10, Blocks: []*followed{loud(arena, 10, said[10]), loud(arena, 11, said[11])}}); err != nil {
		t.Fatal(err)
	}
	// read returns the first and the last block that are remembered after a restart.
	read := func() (first, last uint64) {
		stored, err := disk.Get("cursor")
		if err != nil {
			t.Fatal(err)
		}
		c, err := decodeCursor(stored, 0, common.Address{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.sweep(c); err != nil {
			t.Fatal(err)
		}
		parts := uint64(0)
		for _, b := range c.Blocks {
			logs, err := s.logs(b)
			if err != nil || !reflect.DeepEqual(logs, speech(arena, b.Number, said[b.Number])) {
				t.Errorf("block %d: %v, %d logs", b.Number, err, len(logs))
			}
			parts += b.Parts
		}
		if err := disk.Scan("cursor/", "", func(string, []byte) error { parts--; return nil }); err != nil || parts != 0 {
			t.Errorf("%d parts are missing: %v", parts, err)
		}
		return c.Base, c.next() - 1
	}
	for deaths := 0; ; deaths++ {
		left = -1
		if first, last := read(); first != 10 || last != 11 {
			t.Fatalf("after %d deaths blocks %d to %d are remembered", deaths, first, last)
		}
		stored, err := disk.Get("cursor")
		if err != nil {
			t.Fatal(err)
		}
		was, err := decodeCursor(stored, 0, common.Address{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		next := was.clone()
		next.Base, next.Blocks = 11, append(next.Blocks[1:], loud(arena, 12, said[12]), loud(arena, 13, said[13]))
		left = deaths
		if err := s.put(was, next); err == nil {
			if deaths < 4 {
				t.Errorf("it took %d commits", deaths)
			}
			break
		} else if !errors.Is(err, storetest.ErrCrash) {
			t.Fatal(err)
		}
	}
	left = -1
	if first, last := read(); first != 11 || last != 13 {
		t.Errorf("at last blocks %d to %d are remembered", first, last)
	}
	damaged := loud(arena, 11, said[11])
	damaged.Logs, damaged.Parts = nil, 1
	if err := disk.Commit(map[string][]byte{s.part(damaged, 0): {1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.logs(damaged); !errors.Is(err, ErrCursor) {
		t.Errorf("a damaged store: %v", err)
	}
}

// TestAttack_LoudArena_Blocks: blocks in which the Arena said much are followed a few at a time,
// however many there are; also if an endpoint says that it said little very often, or on very many
// topics.
func TestAttack_LoudArena_Blocks(t *testing.T) {
	arena := common.Address{7}
	const each, newest = maxSeen / 2, 4
	for what, c := range map[string]struct{ logs, topics, data int }{
		"data": {1, 1, each}, "logs": {each / entrySize, 1, 0}, "topics": {1, each / common.HashLength, 0},
	} {
		t.Run(what, func(t *testing.T) {
			client, _ := script(func(_, method string, params []json.RawMessage) (any, error) {
				switch method {
				case "eth_getBlockByNumber":
					if string(params[0]) == `"latest"` {
						return told(line(newest)), nil
					}
					number, _ := asked(t, params)
					return told(line(number)), nil
				case "eth_getLogs":
					var filter struct{ BlockHash common.Hash }
					if err := json.Unmarshal(params[0], &filter); err != nil {
						return nil, err
					}
					for number := uint64(1); number <= newest; number++ {
						if hashOf(number) != filter.BlockHash {
							continue
						}
						logs := make([]types.Log, c.logs)
						for i := range logs {
							logs[i] = logAt(arena, number, uint(i)) //nolint:gosec // not negative
							logs[i].Topics, logs[i].Data = make([]common.Hash, c.topics), make([]byte, c.data)
						}
						return logs, nil
					}
				}
				return nil, nil
			}).dial(t, Config{})
			f, err := NewFollower(client, FollowConfig{Arena: arena, From: 1, Decode: func(l types.Log) (onchain.Event, error) {
				return onchain.Closed{ChannelID: l.BlockHash}, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			var cursor []byte
			for want := 2; want <= newest; want += 2 {
				b, err := f.Next(t.Context(), cursor)
				if err != nil {
					t.Fatal(err)
				}
				if len(b.Events) != 2*c.logs || b.Events[c.logs].Block.Number != uint64(want) || b.Behind != (want < newest) || b.Whole == b.Behind {
					t.Fatalf("up to block %d: %d events, behind: %t, whole: %t", want, len(b.Events), b.Behind, b.Whole)
				}
				cursor = b.Cursor
			}
		})
	}
}
