package node

// # The order of locks
//
// A lock is taken while others are held only if they stand in lines above its own, and never while
// one of its own line is held:
//
//	meeting.pursuing, offers.resizing, funds.moving        held while the chain is asked
//	offers.records
//	defence.disputeLock                                    held while the chain is asked
//	channelState.mu
//	meeting.records, rounds.records, channels.results
//	every other mutex of the package: no lock is taken while it is held

// lock is a mutex that may be held while the chain is asked. Waiters wait on a channel, so that
// virtual time passes in a bubble of testing/synctest, as it does not for a sync.Mutex.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

func (l lock) Lock()   { l <- struct{}{} }
func (l lock) Unlock() { <-l }
