package chain

import (
	"context"
	"fmt"
	"time"
)

// heads are the newest blocks of the endpoints.
type heads struct {
	newest  Block  // of the endpoint that is asked
	shared  Block  // how far both are: never later than newest
	highest uint64 // the higher of both numbers: never lower than newest's, and it may be invented
	// the other one, whose word counts as much; nil: there is none, or it is down or stuck
	other *endpoint
	stuck bool // the other one is
}

// heads asks both endpoints for their newest blocks, and raises alarms about one that lags behind
// the time or behind the other. One that is behind in blocks or in time, and whose newest block is
// old, is stuck: calls of it fail, and as the other endpoint it does not count.
func (c *Client) heads(ctx context.Context, e *endpoint) (h heads, err error) {
	if h.newest, err = c.newest(ctx, e); err != nil {
		return h, err
	}
	h.shared, h.highest = h.newest, h.newest.Number
	early := c.early(h.newest)
	c.bell.set(early != 0, e.name+", clock", &WrongClock{Endpoint: e.name, Behind: early})
	own := &Lagging{Endpoint: e.name, Age: c.Age(h.newest)}
	theirs, err := c.otherHead(ctx, e)
	if err == nil && theirs != nil {
		other := c.other(e)
		h.highest = max(h.highest, theirs.Number)
		late := &Lagging{Endpoint: other.name, Blocks: behind(*theirs, h.newest)}
		if late.Blocks > 0 || theirs.Time < h.newest.Time {
			late.Age = c.Age(*theirs)
		}
		c.bell.set(late.Age != 0 || late.Blocks > c.config.MaxLag, other.name, late)
		own.Blocks = behind(h.newest, *theirs)
		if h.stuck = late.Age != 0; !h.stuck {
			h.other, h.shared = other, earlier(h.newest, *theirs)
		}
	}
	if ctx.Err() == nil {
		c.alone.Store(c.second != nil && h.other == nil)
	}
	c.bell.set(own.Age != 0 || own.Blocks > c.config.MaxLag, e.name, own)
	if own.Age != 0 && (own.Blocks > 0 || h.other != nil && h.newest.Time < theirs.Time) {
		return h, own
	}
	if h.other != nil {
		// later than the other one and this computer tell: by that no clock has run out
		h.newest.Time = min(h.newest.Time, max(theirs.Time, uint64(c.config.Now().Unix()))) //nolint:gosec // after 1970
	}
	return h, nil
}

// at returns a block of an endpoint that the other one has as well.
func (h *heads) at(ctx context.Context, e *endpoint, number uint64) (Block, error) {
	return agreed(h, e, func(e *endpoint) (Block, error) { return e.at(ctx, number) }, func(own, theirs Block) *Lying {
		if own.Hash == theirs.Hash {
			return nil
		}
		return &Lying{Number: number, What: fmt.Sprintf("one has %v, the other %v", own.Hash, theirs.Hash)}
	})
}

// agreed returns what an endpoint answers and the other one as well; lie tells what it is if their
// answers differ, and nil if they don't. One that is down has no say from then on.
func agreed[T any](h *heads, e *endpoint, ask func(*endpoint) (T, error), lie func(own, theirs T) *Lying) (T, error) {
	own, err := ask(e)
	if err != nil || h.other == nil {
		return own, err
	}
	theirs, err := ask(h.other)
	if isDown(err) {
		h.other = nil
		return own, nil
	}
	if err != nil {
		return own, err
	}
	if l := lie(own, theirs); l != nil {
		l.Endpoint = pair(e, h.other)
		return own, l
	}
	return own, nil
}

// otherHead returns the newest block of the other endpoint, nil if there is none or it doesn't
// answer.
func (c *Client) otherHead(ctx context.Context, e *endpoint) (head *Block, err error) {
	other := c.other(e)
	if other == nil {
		return nil, nil
	}
	err = c.ask(ctx, other, func(o *endpoint) error {
		theirs, err := c.newest(ctx, o)
		head = &theirs
		return err
	})
	return head, err
}

// newest returns the newest block of an endpoint. One that answers, and doesn't tell it, is
// Refusing: the other one is asked.
func (c *Client) newest(ctx context.Context, e *endpoint) (Block, error) {
	block, err := e.head(ctx)
	if isDown(err) || ctx.Err() != nil {
		return block, err
	}
	fault := &Refusing{Endpoint: e.name, What: "its newest block", Err: err}
	if c.second != nil && classOf(ctx) != Stranger {
		c.bell.set(err != nil, e.name+", newest block", fault)
	}
	if err != nil {
		return block, fault
	}
	return block, nil
}

// Age returns how old a block is by the local clock, in whole seconds; 0 if it is no older than
// Config.MaxAge.
func (c *Client) Age(b Block) time.Duration {
	age := c.config.Now().Sub(time.Unix(int64(b.Time), 0))
	if c.config.MaxAge == 0 || age <= c.config.MaxAge {
		return 0
	}
	return age.Truncate(time.Second)
}

// clockTolerance is how far ahead of this computer's clock a block may be before an alarm.
const clockTolerance = 10 * time.Minute

// early returns by how much this computer's clock is behind a block that has been made, in minutes;
// 0 if that is no cause for an alarm. Chains without a MaxAge may run ahead of time.
func (c *Client) early(b Block) time.Duration {
	behind := time.Unix(int64(b.Time), 0).Sub(c.config.Now())
	if c.config.MaxAge == 0 || behind <= clockTolerance {
		return 0
	}
	return behind.Truncate(time.Minute)
}

// behind returns by how many blocks one block comes before another.
func behind(b, other Block) uint64 {
	return other.Number - min(b.Number, other.Number)
}

// earlier returns the lower of two blocks, with the earlier of their times: a time that only one
// tells may be invented.
func earlier(a, b Block) Block {
	if b.Number < a.Number {
		a, b = b, a
	}
	a.Time = min(a.Time, b.Time)
	return a
}
