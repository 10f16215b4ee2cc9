package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/core/types"
)

// other returns the endpoint to compare one with, nil if there is none.
func (c *Client) other(e *endpoint) *endpoint {
	if e == c.second {
		return c.first
	}
	return c.second
}

// errNotShown says that an endpoint doesn't tell a block far below the newest that it has.
var errNotShown = errors.New("it has newer blocks, and does not show this one")

// confirm returns how many of the followed blocks, from the first on, an endpoint has and tells as
// they were followed, and how it contradicts the next; nil if it only doesn't have it, or tells no
// more at once. It fails if that is the first: no block is compared that isn't deep below its
// newest one.
func (e *endpoint) confirm(ctx context.Context, from source, blocks []*followed) (same int, fault *Lying, err error) {
	theirs, err := e.blocks(ctx, blocks[0].Number, blocks[len(blocks)-1].Number)
	if err != nil {
		return 0, nil, err
	}
	if len(theirs) == 0 {
		return 0, nil, errNotShown
	}
	for same < len(theirs) && theirs[same].Hash == blocks[same].Hash {
		same++
	}
	if same < len(theirs) {
		fault = &Lying{Number: blocks[same].Number, What: fmt.Sprintf("one has %v, the other %v", blocks[same].Hash, theirs[same].Hash)}
	}
	if same == 0 {
		return 0, fault, nil
	}
	logs, err := e.logsOf(ctx, from, theirs[:same])
	if err != nil {
		return 0, nil, err
	}
	for i := range logs {
		if digest(logs[i]) != blocks[i].Digest {
			return i, &Lying{Number: blocks[i].Number, What: "they tell different logs"}, nil
		}
	}
	if len(logs) < same {
		fault = nil
	}
	return len(logs), fault, nil
}

// witness returns how many of the blocks, from the first on, another endpoint has as well, with the
// same logs in them. One that is down has no say.
func (c *Client) witness(ctx context.Context, e, other *endpoint, from source, blocks []*followed) (agreed int) {
	if other == nil {
		return len(blocks)
	}
	var fault *Lying
	err := c.ask(ctx, other, func(o *endpoint) (err error) {
		agreed, fault, err = o.confirm(ctx, from, blocks)
		return err
	})
	if isDown(err) {
		return len(blocks)
	}
	c.judge(ctx, err, e, other, fault)
	return agreed
}

// witnessRange is witness for a range of logs: it returns the first block of which another endpoint
// does not tell them as well. It asks once, and leaves what the answer does not cover for the next
// time: all that an endpoint invents, block by block, may be more than fits into memory.
func (c *Client) witnessRange(ctx context.Context, e, other *endpoint, from source, first, last uint64, logs []types.Log) (end uint64) {
	if other == nil {
		return last + 1
	}
	var fault *Lying
	err := c.ask(ctx, other, func(o *endpoint) error {
		theirs, covered, err := o.logsIn(ctx, from, first, last)
		if err != nil {
			return err
		}
		if end = differ(until(logs, covered+1), theirs, covered+1); end <= covered {
			fault = &Lying{Number: end, What: "they tell different logs"}
		}
		return nil
	})
	if isDown(err) {
		return last + 1
	}
	if c.judge(ctx, err, e, other, fault); err != nil {
		return first
	}
	return end
}

// until returns those logs, which are in order, that are in blocks before one.
func until(logs []types.Log, end uint64) []types.Log {
	if i := slices.IndexFunc(logs, func(l types.Log) bool { return l.BlockNumber >= end }); i >= 0 {
		return logs[:i]
	}
	return logs
}

// differ returns the first block of which there are different logs, or the end of those compared.
func differ(a, b []types.Log, end uint64) uint64 {
	same := 0
	for same < min(len(a), len(b)) && a[same].BlockNumber == b[same].BlockNumber && digest(a[same:same+1]) == digest(b[same:same+1]) {
		same++
	}
	for _, rest := range [][]types.Log{a[same:], b[same:]} {
		if len(rest) > 0 {
			end = min(end, rest[0].BlockNumber)
		}
	}
	return end
}

// vouch fails unless the other endpoint, too, has another block in the place of one that is said to
// have left the chain: one endpoint's word is not enough to undo what was final.
func (c *Client) vouch(ctx context.Context, e, other *endpoint, block *Block) error {
	if other == nil {
		return nil
	}
	var fault *Lying
	err := c.ask(ctx, other, func(o *endpoint) error {
		theirs, err := o.at(ctx, block.Number)
		if theirs.Hash == block.Hash {
			fault = &Lying{Number: block.Number, What: fmt.Sprintf("only one has %v", block.Hash)}
		}
		return err
	})
	if isDown(err) {
		return nil
	}
	c.judge(ctx, err, e, other, fault)
	if fault != nil {
		return fault
	}
	return err
}

// judge raises or ends the alarms about what another endpoint said.
func (c *Client) judge(ctx context.Context, err error, e, other *endpoint, fault *Lying) {
	if ctx.Err() != nil {
		return
	}
	refused := err != nil && !errors.Is(err, ErrUnknownBlock)
	c.bell.set(refused, other.name+", compared", &Refusing{Endpoint: other.name, What: "what it is to be compared by", Err: err})
	between := pair(e, other)
	if fault != nil {
		fault.Endpoint = between
	}
	if err == nil {
		c.bell.set(fault != nil, between, orNew(fault))
	}
}

// pair names two endpoints of which one is wrong, whichever of them was asked first.
func pair(a, b *endpoint) string { return min(a.name, b.name) + " or " + max(a.name, b.name) }
