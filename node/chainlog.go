package node

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/core/types"
)

// logKey names a log by its place, so that logs sort in the order in which they happened.
func (s *member) logKey(e *chain.Event) string {
	return fmt.Sprintf("%slog/%016x/%08x/%s", s.prefix(), e.Block.Number, e.Log.Index, e.Block.Hash.Hex())
}

// notedLog is a log as it is stored.
type notedLog struct {
	Log   types.Log `json:"log"`
	Final bool      `json:"final,omitempty"` // the machine knows that it is final
}

// happened handles one event of this channel exactly once at each stage: it stores the log with its
// consequences. It fails only when the store does. If the machine or the session's store refuses,
// it tells the user until the event is undone, and goes on, because the follower repeats an event
// until it is handled, even a false one. Decisions wait until the session looks at the block: the
// follower never waits for a game.
func (s *defence) happened(e *chain.Event) error {
	if e.Stage == chain.Undone {
		s.node.logUndone(s.logKey(e))
	}
	return s.taken(s.takeIn(e), s.logKey(e), e.Event)
}

// taken tells the user of what could not be taken in, from a place. It returns what the store fails
// for.
func (s *defence) taken(err error, place string, what any) error {
	if err == nil || errors.Is(err, ErrStore) && !errors.Is(err, store.ErrTooLarge) || errors.Is(err, ErrClosed) {
		return err
	}
	s.node.warnOfLog(s.id, place, fmt.Sprintf("the channel cannot take in what the chain says of it (%T); look for a newer version: %v", what, err))
	return nil
}

func (s *defence) takeIn(e *chain.Event) error {
	s.disputeLock.Lock()
	defer s.disputeLock.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil
	}
	key := s.logKey(e)
	had, err := stored[notedLog](s.node.config.Store, key)
	if errors.Is(err, errUnreadable) { // the event says the same, but not whether it was final
		s.node.Warn("log "+s.id.Hex(), fmt.Sprintf("what is kept of channel %s is damaged, and taken from the chain again: %v", s.id, err))
		had = &notedLog{Log: e.Log, Final: e.Stage == chain.Undone}
		err = s.node.persist(key, had) // a start needs it
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	switch {
	case e.Stage == chain.Undone && had != nil:
		with := along{changes: map[string][]byte{key: nil}, events: s.texts().describeChain(e.Event), then: func() {
			s.watcher.Unhappened(e.Block.Number)
			s.watched()
		}}
		for i := range with.events {
			with.events[i].Text = "no longer true, the chain was reorganised: " + with.events[i].Text
		}
		undone := channel.ChainUndone{Event: e.Event, Final: had.Final}
		if had.Final {
			before := s.watcher.View().Clone()
			before.Unhappened(e.Block.Number)
			undone.Ledger, _ = before.Ledger()
		}
		return s.stepLocked(with, undone)
	case e.Stage == chain.Seen && had == nil:
		with := along{
			changes: map[string][]byte{},
			events:  s.texts().describeChain(e.Event),
			then: func() {
				s.watcher.Happened(e.Block.Number, e.Event)
				s.watched()
			},
		}
		if with.changes[key], err = json.Marshal(notedLog{Log: e.Log}); err != nil {
			return fmt.Errorf("encode a log: %w", err)
		}
		return s.stepLocked(with, channel.ChainSeen{Event: e.Event})
	case e.Stage == chain.Final && had != nil && !had.Final:
		had.Final = true
		with := along{changes: map[string][]byte{}}
		if with.changes[key], err = json.Marshal(had); err != nil {
			return fmt.Errorf("encode a log: %w", err)
		}
		if err := s.history(with.changes).verdict(e.Event); err != nil {
			return err
		}
		return s.stepLocked(with, channel.ChainSeen{Event: e.Event, Final: true})
	}
	return nil
}

// refold tells the watcher again what the stored logs say. It returns what the machine is to be
// told of their records.
func (s *defence) refold() (told []channel.Input, err error) {
	err = s.node.config.Store.Scan(s.prefix()+"log/", "", func(key string, value []byte) error {
		var l notedLog
		if err := decode(key, value, &l); err != nil {
			return err
		}
		e, err := s.node.drive.Codec.Decode(l.Log)
		if err != nil {
			return fmt.Errorf("read %s: %w: %w", key, errUnreadable, err)
		}
		s.watcher.Happened(l.Log.BlockNumber, e)
		s.watched()
		if r, ok := e.(onchain.Recorded); ok {
			told = append(told, channel.ChainTold{Event: r, Final: l.Final})
		}
		return nil
	})
	return told, err
}
