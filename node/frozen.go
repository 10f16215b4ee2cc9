package node

import (
	"fmt"

	"github.com/ante-games/ante/channel"
)

// A channel is frozen when its records may be older than what the peers hold: it signs nothing
// more. What it holds is still posted, and the alarm stands until the channel is paid out.

const (
	nothingSigned = ": nothing is signed in this channel any more, because the peers may know more than this store; " +
		"ask them to close it, or leave it by a one-sided close"
	oldCopy     = "this store is an old copy, put back from a backup, or another program uses its keys" + nothingSigned
	fromBackup  = "the store was restored from a backup" + nothingSigned
	frozenSince = "this channel was frozen before the node started" + nothingSigned
)

// freeze has a channel sign nothing more.
func (s *channelState) freeze(why string) error {
	if err := s.feed(channel.StoreRestored{}); err != nil {
		return err
	}
	s.mu.Lock()
	e := s.stopSigning(why)
	s.mu.Unlock()
	s.node.tell(e)
	return nil
}

// stopSigning has an alarm stand that says why the machine signs nothing more, and returns it. The
// lock is held.
func (s *channelState) stopSigning(why string) Event {
	s.frozen = Event{Kind: Alarm, Time: s.node.config.Now().Unix(), Channel: s.id, Text: why}
	s.node.config.Log.Error(why, "channel", s.id)
	return s.frozen
}

// copyOf says which evidence shows that another copy of the records is, or was, in use.
func copyOf(e channel.OldCopyFound) string {
	what := fmt.Sprintf("ledger %d", e.Version)
	if e.Version == 0 {
		what = fmt.Sprintf("turn %s of match %s", e.Turn, e.MatchID)
	}
	return fmt.Sprintf("somebody shows a signature of yours for %s that this store did not make: stop every other program that uses your keys; %s", what, oldCopy)
}
