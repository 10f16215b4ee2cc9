package node

// lock is a mutex that may be held while the chain is asked. Waiters wait on a channel, so that
// virtual time passes in a bubble of testing/synctest, as it does not for a sync.Mutex.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

func (l lock) Lock()   { l <- struct{}{} }
func (l lock) Unlock() { <-l }
