package chain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
)

const cursorVersion = 3 // 1 and 2 were JSON; in 1 all logs were in place

// mostAhead bounds the blocks of a cursor, so that a store takes it at once.
const mostAhead = 20_000

// cursor is how far a chain has been followed. It remembers the newest blocks, so that the logs
// told from them can be told to be undone.
type cursor struct {
	Version uint64         `json:"version"`
	Chain   uint64         `json:"chain"`
	Arena   common.Address `json:"arena"`
	Base    uint64         `json:"base"`   // Blocks[i] has the number Base+i
	Final   uint64         `json:"final"`  // blocks below this number have been told as Final
	Blocks  []*followed    `json:"blocks"` // each the child of the one before

	// parts of the journal, if something was about to be told
	Telling uint64 `json:"telling"`
}

// origin is how a cursor of any version begins, also of one that this program doesn't know.
type origin struct {
	Version uint64
	Chain   uint64
	Arena   common.Address
	Rest    []rlp.RawValue `rlp:"tail" json:"-"`
}

// followed is a block whose events have been told as Seen.
type followed struct {
	Block
	Logs  []entry `json:"logs"`  // those that were told, until they are on a shelf
	Parts uint64  `json:"parts"` // how many a shelf has of them; see there
	// of all the Arena's logs in the block, for comparison with another endpoint
	Digest common.Hash `json:"digest"`
	By     string      `json:"by"` // the id of the endpoint that told it
}

// Followed returns the id of the chain on which Keep followed an Arena before, with this store and
// key; 0: on none.
func Followed(store Store, key string, arena common.Address) (chainID uint64, err error) {
	stored, err := store.Get(key)
	if err != nil || len(stored) == 0 {
		return 0, err
	}
	var of origin
	if decode(stored, &of) != nil || of.Arena != arena {
		return 0, nil // which Keep reports
	}
	return of.Chain, nil
}

// next returns the number of the first block that hasn't been followed.
func (c *cursor) next() uint64 { return c.Base + uint64(len(c.Blocks)) }

// at returns the followed block with a number, or nil if it isn't remembered.
func (c *cursor) at(number uint64) *followed {
	if number < c.Base || number >= c.next() {
		return nil
	}
	return c.Blocks[number-c.Base]
}

// tip returns the newest followed block, or nil if none is remembered.
func (c *cursor) tip() *followed {
	if len(c.Blocks) == 0 {
		return nil
	}
	return c.Blocks[len(c.Blocks)-1]
}

// forget drops the oldest blocks until at most keep are left, but none that isn't final.
func (c *cursor) forget(keep uint64) {
	if n := uint64(len(c.Blocks)); n > keep {
		drop := min(n-keep, c.Final-c.Base)
		c.Base += drop
		c.Blocks = c.Blocks[drop:]
	}
}

// clone returns a cursor that goes on from here on its own.
func (c *cursor) clone() *cursor {
	own := *c
	own.Blocks = slices.Clone(c.Blocks)
	return &own
}

// same reports whether two cursors of one chain are equally far, and remember the same blocks.
func (c *cursor) same(as *cursor) bool {
	return c.Base == as.Base && c.Final == as.Final && slices.EqualFunc(c.Blocks, as.Blocks, func(a, b *followed) bool {
		return a.Block == b.Block && a.Digest == b.Digest && a.By == b.By
	})
}

func (c *cursor) encode() ([]byte, error) { return rlp.EncodeToBytes(c) }

// decode reads a cursor or a journal of any version.
func decode(stored []byte, into any) error {
	if bytes.HasPrefix(stored, []byte("{")) {
		return json.Unmarshal(stored, into)
	}
	return rlp.DecodeBytes(stored, into)
}

// decodeCursor reads a stored cursor; an empty one starts at a block.
func decodeCursor(stored []byte, chainID uint64, arena common.Address, from uint64) (*cursor, error) {
	if len(stored) == 0 {
		return &cursor{Version: cursorVersion, Chain: chainID, Arena: arena, Base: from, Final: from}, nil
	}
	var of origin
	if err := decode(stored, &of); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	if of.Version < 1 || of.Version > cursorVersion || of.Chain != chainID || of.Arena != arena {
		return nil, fmt.Errorf("%w: it is of version %d, for Arena %v on chain %d, not of version %d, for %v on %d",
			ErrCursor, of.Version, of.Arena, of.Chain, cursorVersion, arena, chainID)
	}
	c := new(cursor)
	if err := decode(stored, c); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	c.Version = cursorVersion
	return c, nil
}

// entry is what consensus agrees on of a log in a block.
type entry struct {
	Tx     common.Hash
	Index  uint
	Topics []common.Hash
	Data   []byte
}

// UnmarshalJSON reads an entry of a cursor before version 3, which was a whole log.
func (e *entry) UnmarshalJSON(encoded []byte) error {
	var log types.Log
	err := json.Unmarshal(encoded, &log)
	*e = entry{log.TxHash, log.Index, log.Topics, log.Data}
	return err
}

func entries(logs []types.Log) []entry {
	list := make([]entry, len(logs))
	for i := range logs {
		list[i] = entry{logs[i].TxHash, logs[i].Index, logs[i].Topics, logs[i].Data}
	}
	return list
}

// digest sums up logs, those fields that consensus agrees on.
func digest(logs []types.Log) common.Hash {
	hash := crypto.NewKeccakState()
	if err := rlp.Encode(hash, entries(logs)); err != nil {
		return common.Hash{} // a keccak state takes all that is written
	}
	return common.BytesToHash(hash.Sum(nil))
}
