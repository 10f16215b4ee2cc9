package chain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// ErrCursor says that a stored cursor can't be used: it is damaged, or of another chain or Arena.
var ErrCursor = errors.New("the stored cursor does not fit: use the data directory of this chain and Arena, or a new one")

// Stage says what became of an event. Every event is told once as Seen, and later once as Final or as Undone. Only a
// reorganisation deeper than the confirmations waited for, which raises an alarm, undoes what was Final.
type Stage uint8

// The stages of an event.
const (
	Seen   Stage = iota + 1 // it is in a block, which may still leave the chain
	Undone                  // its block left the chain, or its endpoint told it wrongly: it did not happen. It may be Seen again
	Final                   // its block is deep enough
)

func (s Stage) String() string {
	switch s {
	case Seen:
		return "seen"
	case Undone:
		return "undone"
	case Final:
		return "final"
	}
	return fmt.Sprintf("stage %d", uint8(s))
}

// Event is something that the Arena said, and where.
type Event struct {
	channel.ChainEvent
	Stage Stage
	Block Block
	Log   types.Log // what ChainEvent was decoded from; BlockHash and Index name the event
}

// Batch is what happened since a cursor.
type Batch struct {
	// Events are first those undone, the newest first; then those seen, in the chain's order; each block's finality after; and
	// last those undone, the newest first, that are read again because two endpoints differ about them.
	Events []Event
	Bad    []*BadLog // logs that could not be decoded and were passed over
	Head   Block     // the newest block of the endpoint that was asked
	Shared Block     // how far both endpoints are, with the earlier of their times: what can't be taken back waits for it
	Cursor []byte    // where to go on: durable no sooner than what the events caused
	Behind bool      // there is more: ask again at once
	Whole  bool      // all blocks up to Head are read
}

// FollowConfig says what to follow.
type FollowConfig struct {
	Arena common.Address
	From  uint64 // the block in which the Arena was deployed, or an earlier one

	// Kinds are the first topics of the logs that are asked for; nil: all of the Arena's. What anybody can have it say for next to nothing
	// is better left out: an endpoint may refuse to tell a block that is full of it.
	Kinds []common.Hash

	// Decode turns a log into an event; nil for a log that nobody here cares about. It must give the same for the same
	// log every time. Leave out the channels of others: what is kept is part of the cursor.
	Decode func(types.Log) (channel.ChainEvent, error)

	Confirmations uint64 // blocks, its own included, that make a block final; 0: 12
	Window        uint64 // blocks remembered, the deepest reorganisation that is survived; 0: 64, at least Confirmations
	MaxRange      uint64 // blocks asked for at once when catching up; 0: 2000
	MaxAhead      uint64 // blocks followed above the newest that is final or at both endpoints: all are in the cursor; 0: 50,000

	Poll  time.Duration                        // Run asks this often; 0: a second
	After func(time.Duration) <-chan time.Time // nil: time.After
}

// Follower tells what an Arena says. It keeps nothing between calls: all it knows is in the cursor. It is safe for
// concurrent use.
type Follower struct {
	client *Client
	config FollowConfig
}

// source is what is asked for.
func (c *FollowConfig) source() source { return source{c.Arena, c.Kinds} }

// NewFollower returns a follower.
func NewFollower(client *Client, config FollowConfig) (*Follower, error) {
	if config.Confirmations == 0 {
		config.Confirmations = DefaultConfirmations
	}
	if config.Window == 0 {
		config.Window = max(64, config.Confirmations)
	}
	if config.MaxRange == 0 {
		config.MaxRange = 2000
	}
	if config.MaxAhead == 0 {
		config.MaxAhead = 50_000
	}
	if config.Poll == 0 {
		config.Poll = time.Second
	}
	if config.After == nil {
		config.After = time.After
	}
	if config.Decode == nil || config.Window < config.Confirmations {
		return nil, fmt.Errorf("chain: a follower needs a decoder, and a window (%d) of at least its confirmations (%d)", config.Window, config.Confirmations)
	}
	return &Follower{client: client, config: config}, nil
}

// Next returns what happened since a cursor, an empty one standing for the beginning. It does not wait: when nothing
// happened the batch has no events. A failure loses nothing: ask again with the same cursor. ErrCursor and a *DeepReorg
// that is Forgotten are for people to solve, other errors pass.
func (f *Follower) Next(ctx context.Context, stored []byte) (Batch, error) {
	batch, _, err := f.next(ctx, place{stored: stored})
	return batch, err
}

// place is where following goes on: a stored cursor, and what it says if that was read before.
type place struct {
	stored []byte
	cursor *cursor // nil: not read yet
}

// next is Next from a place on, and returns the next place. A cursor is some ten kilobytes: it is read once, and written when it
// changed.
func (f *Follower) next(ctx context.Context, at place) (batch Batch, to place, err error) {
	ctx = As(ctx, Defence)
	err = f.client.use(ctx, func(e *endpoint) (err error) {
		if at.cursor == nil {
			if at.cursor, err = decodeCursor(at.stored, f.client.ChainID(), f.config.Arena, f.config.From); err != nil {
				return err
			}
		}
		s := &step{FollowConfig: &f.config, client: f.client, endpoint: e, cursor: at.cursor.clone()}
		if err := s.run(ctx); err != nil {
			return err
		}
		s.batch.Whole = s.cursor.next() > s.batch.Head.Number
		if s.batch.Cursor = at.stored; len(at.stored) == 0 || !s.cursor.same(at.cursor) {
			s.batch.Cursor, err = s.cursor.encode()
		}
		batch, to = s.batch, place{s.batch.Cursor, s.cursor}
		return err
	})
	return batch, to, err
}
