package chain

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// other returns the endpoint to compare one with, nil if there is none.
func (c *Client) other(e *endpoint) *endpoint {
	if e == c.second {
		return c.first
	}
	return c.second
}

// checkAge raises alarms about endpoints that lag behind the time, or behind each other.
func (c *Client) checkAge(ctx context.Context, e *endpoint, head Block) {
	fault := &Lagging{Endpoint: e.name}
	if age := c.config.Now().Sub(time.Unix(int64(head.Time), 0)); c.config.MaxAge > 0 && age > c.config.MaxAge {
		fault.Age = age.Truncate(time.Second)
	}
	other := c.other(e)
	if other != nil {
		var theirs Block
		err := c.ask(ctx, other, func(o *endpoint) (err error) {
			theirs, err = o.head(ctx)
			return err
		})
		if err == nil {
			c.bell.set(head.Number > theirs.Number+c.config.MaxLag, other.name, &Lagging{Endpoint: other.name, Blocks: head.Number - theirs.Number})
			if theirs.Number > head.Number+c.config.MaxLag {
				fault.Blocks = theirs.Number - head.Number
			}
		}
	}
	c.bell.set(fault.Age != 0 || fault.Blocks != 0, e.name, fault)
}

// confirm returns how many of the followed blocks, from the first on, an endpoint has and tells as they were followed, and
// how it contradicts the next; nil if it only doesn't have it.
func (e *endpoint) confirm(ctx context.Context, arena common.Address, blocks []followed) (same int, fault *Lying, err error) {
	theirs, err := e.blocks(ctx, blocks[0].Number, blocks[len(blocks)-1].Number)
	if err != nil {
		return 0, nil, err
	}
	for i := range theirs {
		if theirs[i].Hash != blocks[i].Hash {
			fault = &Lying{Number: blocks[i].Number, What: fmt.Sprintf("one has %v, the other %v", blocks[i].Hash, theirs[i].Hash)}
			theirs = theirs[:i]
			break
		}
	}
	logs, err := e.logsOf(ctx, arena, theirs)
	if err != nil {
		return 0, nil, err
	}
	for i := range logs {
		if digest(logs[i]) != blocks[i].Digest {
			return i, &Lying{Number: blocks[i].Number, What: "they tell different logs"}, nil
		}
	}
	return len(theirs), fault, nil
}

// witness returns how many of the blocks, from the first on, the other endpoint doesn't contradict: with another block, or
// other logs in it. That it is down or lags is no contradiction.
func (c *Client) witness(ctx context.Context, e *endpoint, arena common.Address, blocks []followed) (agreed int) {
	other := c.other(e)
	if other == nil {
		return len(blocks)
	}
	var fault *Lying
	agreed = len(blocks)
	err := c.ask(ctx, other, func(o *endpoint) (err error) {
		same := 0
		if same, fault, err = o.confirm(ctx, arena, blocks); fault != nil {
			agreed, fault.Endpoint = same, e.name+" or "+o.name
		}
		return err
	})
	c.judge(err, e, other, fault)
	return agreed
}

// vouch fails if the other endpoint has a block of which one says that it left the chain: one endpoint's word is not enough to
// undo what was final.
func (c *Client) vouch(ctx context.Context, e *endpoint, block *Block) error {
	other := c.other(e)
	if other == nil {
		return nil
	}
	var fault *Lying
	err := c.ask(ctx, other, func(o *endpoint) error {
		theirs, err := o.at(ctx, block.Number)
		if err == nil && theirs.Hash == block.Hash {
			fault = &Lying{Endpoint: e.name + " or " + o.name, Number: block.Number, What: fmt.Sprintf("only one has %v", block.Hash)}
		}
		return err
	})
	if c.judge(err, e, other, fault) {
		return nil
	}
	return fault
}

// witnessRange is witness for a range of logs, except that an endpoint which does not have all the blocks yet is waited for: what is
// told of a range is final at once.
func (c *Client) witnessRange(ctx context.Context, e *endpoint, arena common.Address, first, last uint64, want common.Hash) bool {
	other := c.other(e)
	if other == nil {
		return true
	}
	var fault *Lying
	behind := false
	err := c.ask(ctx, other, func(o *endpoint) error {
		fault = nil
		head, err := o.head(ctx)
		if behind = err == nil && head.Number < last; behind || err != nil {
			return err
		}
		logs, covered, err := o.logsIn(ctx, arena, first, last)
		for err == nil && covered < last {
			var more []types.Log
			if more, covered, err = o.logsIn(ctx, arena, covered+1, last); err == nil {
				logs = append(logs, more...)
			}
		}
		if err == nil && digest(logs) != want {
			what := fmt.Sprintf("or in the blocks up to %d, they tell different logs", last)
			fault = &Lying{Endpoint: e.name + " or " + o.name, Number: first, What: what}
		}
		return err
	})
	return !behind && c.judge(err, e, other, fault)
}

func (c *Client) judge(err error, e, other *endpoint, fault *Lying) bool {
	if err == nil {
		c.bell.set(fault != nil, e.name+" or "+other.name, orNew(fault))
	}
	return fault == nil
}
