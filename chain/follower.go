package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// ErrCursor says that a stored cursor can't be used: it is damaged, of another chain or Arena, or a
// newer program's.
var ErrCursor = errors.New("the stored cursor does not fit: use the data directory of this chain and Arena, or a newer program")

// Stage says what became of an event. Every event is reported once as Seen, and later once as Final
// or as Undone. Only a reorganisation deeper than the confirmations waited for, which raises an
// alarm, undoes what was Final.
type Stage uint8

// The stages of an event.
const (
	Seen Stage = iota + 1 // it is in a block, which may still leave the chain
	// its block left the chain, or its endpoint told it wrongly: it did not happen. It may be Seen
	// again
	Undone
	Final // its block is deep enough
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

// Event is an event of the Arena and its place in the chain.
type Event struct {
	onchain.Event
	Stage Stage
	Block Block
	Log   types.Log // what Event was decoded from; BlockHash and Index name the event
}

// Reach is how far a chain has been read.
type Reach struct {
	Head Block // the newest block of the endpoint that was asked
	// how far both endpoints are, with the earlier of their times: what can't be taken back waits
	// for it
	Shared Block
	// the number of the newest block that any endpoint told, for what must not be done too late;
	// one that lies can tell any above Head
	Highest uint64
	Behind  bool // there is more: it is asked for at once
	Whole   bool // all blocks up to Head are read
}

// Batch is what happened since a cursor.
type Batch struct {
	Reach
	// Events are first those undone, the newest first; then those seen, in the chain's order; each
	// block's finality after; and last those undone, the newest first, that are read again because
	// two endpoints differ about them.
	Events []Event
	Bad    []*BadLog // logs that could not be decoded and were passed over, and those of them undone
	Cursor []byte    // where to go on: durable no sooner than what the events caused
}

// FollowConfig says what to follow.
type FollowConfig struct {
	Arena common.Address
	From  uint64 // the block in which the Arena was deployed, or an earlier one

	// Kinds are the first topics of the logs to ask for; nil: all of the Arena's. Leave out logs
	// that anybody can cause for next to nothing: an endpoint may refuse to return a block that is
	// full of them.
	Kinds []common.Hash

	// Decode turns a log into an event; nil for a log of no interest. Keep calls it when everything
	// before the log is taken in. Return nil for channels of others: all else is stored for as long
	// as it may have to be undone.
	Decode func(types.Log) (onchain.Event, error)

	Confirmations uint64 // blocks, its own included, that make a block final, at most MaxConfirmations; 0: 12
	// blocks remembered, the deepest reorganisation that is survived; 0: 64, at least Confirmations
	Window   uint64
	MaxRange uint64 // blocks asked for at once when catching up; 0: 2000
	// blocks followed above the newest that is final, or that is at both endpoints and no more than
	// Window above: all are in the cursor; 0: 20,000
	MaxAhead uint64

	Poll  time.Duration                        // Keep asks this often; 0: a second
	After func(time.Duration) <-chan time.Time // nil: time.After
}

// Follower reports an Arena's events. It keeps nothing between calls: all it knows is in the
// cursor. It is safe for concurrent use.
type Follower struct {
	client *Client
	config FollowConfig
}

// source is what is asked for.
func (c *FollowConfig) source() source { return source{c.Arena, c.Kinds} }

// NewFollower returns a follower.
func NewFollower(client *Client, config FollowConfig) (*Follower, error) {
	config.Confirmations = cmp.Or(config.Confirmations, DefaultConfirmations)
	config.Window = cmp.Or(config.Window, max(64, config.Confirmations))
	config.MaxRange = cmp.Or(config.MaxRange, 2000)
	config.MaxAhead = cmp.Or(config.MaxAhead, mostAhead)
	config.Poll = cmp.Or(config.Poll, time.Second)
	if config.After == nil {
		config.After = time.After
	}
	if config.Confirmations > MaxConfirmations {
		return nil, fmt.Errorf("chain: %d confirmations: %d at most", config.Confirmations, MaxConfirmations)
	}
	if config.Decode == nil || config.Window < config.Confirmations {
		return nil, fmt.Errorf("chain: a follower needs a decoder, and a window (%d) of at least its confirmations (%d)", config.Window, config.Confirmations)
	}
	return &Follower{client: client, config: config}, nil
}

// Next returns what happened since a cursor; an empty one is the beginning. It does not wait: when
// nothing happened the batch has no events. A failure loses nothing: call again with the same
// cursor. ErrCursor and a *DeepReorg that is Forgotten need a person, other errors pass. The cursor
// includes all logs, however many: see Keep.
func (f *Follower) Next(ctx context.Context, stored []byte) (b Batch, err error) {
	at, err := f.restore(stored)
	if err == nil && len(new(shelf).named(at)) > 0 {
		err = fmt.Errorf("%w: its logs are in Keep's store", ErrCursor)
	}
	if err != nil {
		return Batch{}, err
	}
	s, err := f.next(ctx, at)
	if err != nil {
		return Batch{}, err
	}
	b.Reach = s.reach
	err = f.tell(s.news, &shelf{arena: f.config.Arena}, func(bad *BadLog) { b.Bad = append(b.Bad, bad) }, func(e *Event) error {
		b.Events = append(b.Events, *e)
		return nil
	})
	if err != nil {
		return Batch{}, err
	}
	b.Cursor, err = s.cursor.encode()
	return b, err
}

func (f *Follower) restore(stored []byte) (*cursor, error) {
	return decodeCursor(stored, f.client.ChainID(), f.config.Arena, f.config.From)
}

// next moves on from a cursor, as far as one call goes.
func (f *Follower) next(ctx context.Context, at *cursor) (s *step, err error) {
	ctx = As(ctx, Defence)
	err = f.client.use(ctx, func(e *endpoint) error {
		s = &step{FollowConfig: &f.config, client: f.client, began: time.Now(), endpoint: e, cursor: at.clone()}
		err := s.run(ctx)
		s.reach.Whole = s.cursor.next() > s.reach.Head.Number
		if err == nil {
			late := s.reach.Behind && s.late() && s.slow(at.next(), longest)
			f.client.bell.set(late, f.config.Arena.Hex()+", slow", &NotFollowing{Err: errSlow})
		}
		return f.client.unread(ctx, e, err)
	})
	return s, err
}

// unread is why an endpoint can't be followed. One that answers, and refuses blocks or logs, or
// contradicts itself or the other one about them, is Refusing: the other one is asked. One that was
// asked for too much at once is asked for less.
func (c *Client) unread(ctx context.Context, e *endpoint, err error) error {
	if c.second == nil || isDown(err) || errors.Is(err, errSlowly) || lost(err) || ctx.Err() != nil || errors.As(err, new(*Lagging)) || errors.As(err, new(*Refusing)) {
		return err
	}
	fault := &Refusing{Endpoint: e.name, What: "what is read of the chain", Err: err}
	c.bell.set(err != nil && !errors.Is(err, ErrUnknownBlock), e.name+", followed", fault)
	if err != nil {
		return fault
	}
	c.bell.set(false, e.name+", compared", fault) // what is read by itself is compared no more
	return nil
}

// tell hands over news, one event after the other. It keeps no events that nobody wants when their
// block is seen. What can't be decoded is kept, so that it can be told that it is undone.
func (f *Follower) tell(list []news, from *shelf, bad func(*BadLog), happened func(*Event) error) error {
	for _, n := range list {
		logs, err := from.logs(n.Block)
		if err != nil {
			return err
		}
		if n.Stage == Undone {
			slices.Reverse(logs)
		}
		var told []types.Log
		for _, log := range logs {
			event, err := f.config.Decode(log)
			if err != nil {
				told = append(told, log)
				if n.Stage != Final {
					bad(&BadLog{Block: n.Block.Block, Tx: log.TxHash, Err: err, Undone: n.Stage == Undone})
				}
				continue
			}
			if event == nil {
				continue
			}
			if err := happened(&Event{Event: event, Stage: n.Stage, Block: n.Block.Block, Log: log}); err != nil {
				return err
			}
			told = append(told, log)
		}
		if n.Stage == Seen {
			n.Block.Logs = entries(told)
		}
	}
	return nil
}
