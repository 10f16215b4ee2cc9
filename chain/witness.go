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

// witness returns how many of the blocks, from the first on, the other endpoint doesn't contradict: with another block, or
// other logs in it. That it is down or lags is no contradiction.
func (c *Client) witness(ctx context.Context, e *endpoint, arena common.Address, blocks []followed) (agreed int) {
	other := c.other(e)
	if other == nil {
		return len(blocks)
	}
	var fault *Lying
	err := c.ask(ctx, other, func(o *endpoint) error {
		agreed, fault = len(blocks), nil
		theirs, err := o.blocks(ctx, blocks[0].Number, blocks[len(blocks)-1].Number)
		if err != nil {
			return err
		}
		for i := range theirs {
			if theirs[i].Hash != blocks[i].Hash {
				agreed, fault = i, contradiction(e, o, blocks[i].Number, fmt.Sprintf("one has %v, the other %v", blocks[i].Hash, theirs[i].Hash))
				theirs = theirs[:i]
				break
			}
		}
		logs, err := o.logsOf(ctx, arena, theirs)
		if err != nil {
			return err
		}
		for i := range logs {
			if digest(logs[i]) != blocks[i].Digest {
				agreed, fault = i, contradiction(e, o, blocks[i].Number, "they tell different logs")
				break
			}
		}
		return nil
	})
	c.judge(err, e, other, fault)
	return agreed
}

// witnessRange is witness for a range of logs.
func (c *Client) witnessRange(ctx context.Context, e *endpoint, arena common.Address, first, last uint64, want common.Hash) bool {
	other := c.other(e)
	if other == nil {
		return true
	}
	var fault *Lying
	err := c.ask(ctx, other, func(o *endpoint) error {
		fault = nil
		logs, covered, err := o.logsIn(ctx, arena, first, last)
		for err == nil && covered < last {
			var more []types.Log
			if more, covered, err = o.logsIn(ctx, arena, covered+1, last); err == nil {
				logs = append(logs, more...)
			}
		}
		if err != nil {
			return err
		}
		head, err := o.head(ctx)
		if err == nil && head.Number >= last && digest(logs) != want {
			fault = contradiction(e, o, first, fmt.Sprintf("or in the blocks up to %d, they tell different logs", last))
		}
		return err
	})
	return c.judge(err, e, other, fault)
}

func contradiction(a, b *endpoint, number uint64, what string) *Lying {
	return &Lying{Endpoint: a.name + " or " + b.name, Number: number, What: what}
}

func (c *Client) judge(err error, e, other *endpoint, fault *Lying) bool {
	if err == nil {
		c.bell.set(fault != nil, e.name+" or "+other.name, orNew(fault))
	}
	return fault == nil
}
