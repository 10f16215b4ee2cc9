package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// founding is what a session is restored from, besides its machine's entries.
type founding struct {
	Terms      protocol.Terms `json:"terms"`
	Generation uint64         `json:"generation"` // of the store when the channel was begun
}

const (
	channelPrefix  = "channel/"
	foundingSuffix = "terms"
)

func (n *channels) newSession(t protocol.Terms, seat int) (*session, error) {
	signer, err := n.config.Sessions(t.Salt)
	if err != nil {
		return nil, fmt.Errorf("make the channel's session key: %w", err)
	}
	c := &channelState{member: member{node: n, id: t.ID(n.domain), terms: t, seat: seat}, signer: signer}
	c.failures.member = &c.member
	d := &decider{c, map[common.Hash]protocol.Turn{}, map[common.Hash]ask{}}
	f := &defence{channelState: c, decider: d, disputeLock: newLock(), owed: disputes.Owed{}, raised: map[string]Event{}}
	f.watcher = disputes.NewWatcher(c.disputeCase(), signer, n.drive)
	s := &session{channelState: c, decider: d, defence: f, channelTowers: &channelTowers{channelState: c, defence: f, towers: map[common.Address]*entrusted{}}}
	s.looking.member, s.looking.look = &c.member, s.look
	return s, nil
}

// found creates the session of a channel before this node signs its terms, so that no event of the
// channel is missed. It feeds the inputs to the machine, and commits the session together with
// their effects.
func (n *channels) found(t protocol.Terms, seat int, inputs ...channel.Input) (*session, error) {
	if s, err := n.session(t.ID(n.domain)); err == nil || !errors.Is(err, ErrUnknownChannel) {
		return s, err
	}
	generation, err := store.Generation(n.config.Store)
	if err != nil {
		return nil, err
	}
	s, err := n.newSession(t, seat)
	if err != nil {
		return nil, err
	}
	m, fx, err := channel.New(s.machineConfig())
	if err != nil {
		return nil, err
	}
	s.machine = m
	terms, err := json.Marshal(founding{t, generation})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range inputs {
		more, err := m.Step(in)
		if err != nil {
			return nil, err
		}
		fx.Entries, fx.Events = append(fx.Entries, more.Entries...), append(fx.Events, more.Events...)
	}
	if err := s.release(fx, along{changes: map[string][]byte{s.prefix() + foundingSuffix: terms}}); err != nil {
		return nil, err
	}
	n.enrol(s)
	return s, nil
}

// adopt makes the session of a channel of this player's that the store knows nothing of, because it
// was restored from a backup or another store opened it. Nothing is signed in it; the user can
// still get out. It returns nil for any other.
func (n *channels) adopt(e onchain.Event) (*session, error) {
	seat := n.seatIn(e)
	if seat < 0 {
		return nil, nil
	}
	t := e.(onchain.Opened).Terms
	signer, err := n.config.Sessions(t.Salt)
	if err != nil {
		return nil, err
	}
	if signer.Address() != t.Signers[seat] {
		id := t.ID(n.domain)
		n.warnOfLog(id, openingOf(id), fmt.Sprintf("channel %s of your account was opened with a session key that this node lacks: run the node that opened it", id))
		return nil, nil
	}
	s, err := n.found(t, seat, channel.StoreRestored{})
	if err == nil {
		s.mu.Lock()
		e := s.stopSigning("this channel was opened by another store of yours: nothing is signed in it here; leave it by a one-sided close")
		s.mu.Unlock()
		n.tell(e)
	}
	return s, err
}

// openingOf is the place of an alarm about a channel's opening.
func openingOf(channel common.Hash) string { return "opening of " + channel.Hex() }

// seatIn returns the seat of this node's player in a channel whose opening the chain tells, -1 for
// anything else.
func (n *channels) seatIn(e onchain.Event) int {
	opened, ok := e.(onchain.Opened)
	if !ok {
		return -1
	}
	return slices.Index(opened.Terms.Players, n.Account())
}

// restore makes the sessions of all channels in the store. After the store itself was restored from
// a backup, nothing is signed in the channels that it held then: the peers may know more.
func (n *channels) restore() error {
	var all []founding
	err := n.config.Store.Scan(channelPrefix, "", func(key string, value []byte) error {
		if !strings.HasSuffix(key, "/"+foundingSuffix) {
			return nil
		}
		var f founding
		if err := decode(key, value, &f); err != nil {
			return err
		}
		over, err := n.pastChannel(f.Terms.ID(n.domain))
		if over == nil { // else revive was cut off, and the chain tells again why, or it can't be read
			all = append(all, f)
		}
		return err
	})
	if err != nil {
		return err
	}
	restored, err := store.Restored(n.config.Store)
	if err != nil {
		return err
	}
	for i := range all {
		s, told, err := n.loadSession(&all[i], restored)
		if err == nil {
			err = n.takeUp(s, told)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadSession makes the session of a channel from what the store holds of it, and returns what its
// machine is to be told.
func (n *channels) loadSession(f *founding, restored uint64) (s *session, told []channel.Input, err error) {
	seat := slices.Index(f.Terms.Players, n.Account())
	if seat < 0 {
		return nil, nil, fmt.Errorf("the store holds a channel of other players (%s): it belongs to another account than %s", f.Terms.Players, n.Account())
	}
	if s, err = n.newSession(f.Terms, seat); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(load(n.config.Store, s.instructionsKey(), &s.instructions), s.loadWaits(), load(n.config.Store, s.asksKey(), &s.asks),
		s.load(), s.loadReceipts()); err != nil {
		return nil, nil, err
	}
	if told, err = s.refold(); err != nil {
		return nil, nil, err
	}
	if s.machine.Restored() {
		s.stopSigning(frozenSince)
	} else if f.Generation <= restored {
		err = s.freeze(fromBackup)
	}
	return s, told, err
}

func (n *channels) takeUp(s *session, told []channel.Input) error {
	n.enrol(s)
	if err := s.checkStale(); err != nil {
		return err
	}
	return s.taken(s.feed(told...), s.prefix()+"log/", channel.ChainTold{})
}

// forget drops a channel that can no longer be opened.
func (n *channels) forget(s *session) error {
	if err := store.Clear(n.config.Store, s.prefix()); err != nil {
		return err
	}
	n.dismiss(s)
	return nil
}

// session returns the session of a channel. It fails with ErrEnded when the channel is paid out and
// let go.
func (n *channels) session(id common.Hash) (*session, error) {
	if s := n.live(id); s != nil {
		return s, nil
	}
	c, err := n.pastChannel(id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	case c != nil:
		return nil, fmt.Errorf("%w: %s", ErrEnded, id)
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknownChannel, id)
}

// finished counts the matches that are paid out.
func (n *channels) finished(events []channel.Event) {
	for _, e := range events {
		if _, ok := e.(channel.MatchReleased); ok {
			n.over.Add(1)
		}
	}
}

// reads reports whether an event is about one of this player's channels, opens one, or may be,
// where the store does not say. A log that can't be read matters only to a channel that goes on.
func (n *channels) reads(id common.Hash, e onchain.Event) bool {
	_, err := n.session(id)
	return err == nil || e != nil && !errors.Is(err, ErrUnknownChannel) || n.seatIn(e) >= 0
}

// report tells the user and the watchers what became of a transaction.
func (n *channels) report(ctx context.Context, r *chain.Report) {
	text := fmt.Sprintf("%s: %s", r.Why, r.Progress)
	if r.Progress == chain.Done && r.Err != nil {
		text = r.Why + ": failed"
	}
	if r.GasUsed > 0 {
		text += fmt.Sprintf(", %d gas", r.GasUsed)
	}
	if r.Err != nil {
		text += ": " + r.Err.Error()
		for _, s := range n.allSessions() {
			s.disputeLock.Lock()
			s.watcher.Failed(r.Key, driver.Failure(r)) // which knows its own
			s.disputeLock.Unlock()
		}
	}
	n.tell(Event{Kind: Transaction, Text: text})
	if n.drive.LostUpkeep(ctx, r) { // of a dispute's the plan says so
		n.alarmText(common.Hash{}, text)
	}
}
