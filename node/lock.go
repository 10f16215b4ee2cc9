package node

// lock is a mutex that may be held while the chain is asked. Who waits for it waits for a channel:
// in a bubble of testing/synctest virtual time passes meanwhile, which it does not for a
// sync.Mutex.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

func (l lock) Lock()   { l <- struct{}{} }
func (l lock) Unlock() { <-l }
