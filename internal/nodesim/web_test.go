package nodesim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
)

// web is the virtual network in the time of the bubble, for nodes that have goroutines. Safe for
// concurrent use.
type web struct {
	mu    sync.Mutex
	net   *memory.Network
	trace *trace
	began time.Time
	kick  chan struct{} // holds a token when something may happen sooner than was known
}

func newWeb(seed uint64, faults memory.Faults) *web {
	w := &web{net: memory.New(seed, faults), began: time.Now(), kick: make(chan struct{}, 1)}
	w.net.Apart(func(from, to common.Address) *rand.Rand { return chance(seed, fmt.Sprint("link ", from, to)) })
	return w
}

// run makes things happen when they are due, until the context ends.
func (w *web) run(ctx context.Context) {
	for ctx.Err() == nil {
		var due <-chan time.Time
		w.mu.Lock()
		w.catchUp()
		if next, waits := w.net.Next(); waits {
			due = time.After(next - w.net.Now())
		}
		w.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-due:
		case <-w.kick:
		}
	}
}

// catchUp moves the network to the present. The lock is held.
func (w *web) catchUp() { w.net.Run(time.Since(w.began) - w.net.Now()) }

// do does something with the network at the present.
func (w *web) do(f func()) {
	w.mu.Lock()
	w.catchUp()
	f()
	w.mu.Unlock()
	select {
	case w.kick <- struct{}{}:
	default:
	}
}

// join makes a place for an account, whose handler is called as transport.Handler says: in order
// for each peer.
func (w *web) join(account common.Address, h transport.Handler) node.Network {
	ctx, stop := context.WithCancel(context.Background())
	p := &place{web: w, account: account, ear: &ear{handler: h, ctx: ctx, peers: map[common.Address]chan func(){}}, stop: stop}
	w.do(func() { p.node = w.net.Join(account, p.ear) })
	return p
}

// place is an account's place in the web (node.Network, tower.Network).
type place struct {
	web     *web
	account common.Address
	node    *memory.Node
	ear     *ear
	stop    context.CancelFunc
}

func (p *place) Send(to common.Address, env *antev1.Envelope) (err error) {
	p.web.do(func() { err = p.node.Send(to, env) })
	p.web.trace.told(p.account, to, env, err)
	return err
}

func (p *place) Keep(account common.Address, addresses ...string) (err error) {
	p.web.do(func() { err = p.node.Keep(account, addresses...) })
	return err
}

func (p *place) Forget(account common.Address) {
	p.web.do(func() { p.node.Forget(account) })
}

func (p *place) Connect(ctx context.Context, account common.Address) (err error) {
	p.web.do(func() { err = p.node.Connect(ctx, account) })
	return err
}

func (p *place) Addresses() (list []string) {
	p.web.do(func() { list = p.node.Addresses() })
	return list
}

func (p *place) Peers() (list []transport.Peer) {
	p.web.do(func() { list = p.node.Peers() })
	return list
}

// Group gives every account a group of its own.
func (p *place) Group(account common.Address) string { return account.Hex() }

func (p *place) Close() (err error) {
	p.web.do(func() { err = p.node.Close() })
	p.stop()
	p.ear.done.Wait()
	return err
}

// instant is what a node takes for each thing that it hears or is told by its endpoint, so that
// what the one sets going has come to rest when the next comes.
const instant = time.Microsecond

// ear hands what the network says over to a handler, in a goroutine for each peer. The web's lock
// guards its peers.
type ear struct {
	handler transport.Handler
	ctx     context.Context
	peers   map[common.Address]chan func()
	done    sync.WaitGroup
}

func (e *ear) tell(account common.Address, what func()) {
	queue := e.peers[account]
	if queue == nil {
		queue = make(chan func(), 4096)
		e.peers[account] = queue
		e.done.Go(func() {
			for {
				select {
				case <-e.ctx.Done():
					return
				case f := <-queue:
					if time.Sleep(instant); e.ctx.Err() == nil {
						f()
					}
				}
			}
		})
	}
	if e.ctx.Err() == nil {
		queue <- what
	}
}

func (e *ear) Connected(a common.Address) { e.tell(a, func() { e.handler.Connected(a) }) }

func (e *ear) Receive(from common.Address, env *antev1.Envelope) {
	e.tell(from, func() { e.handler.Receive(from, env) })
}

func (e *ear) Copied(via common.Address) {
	if w, is := e.handler.(transport.Witness); is {
		e.tell(via, func() { w.Copied(via) })
	}
}

func (e *ear) Disconnected(a common.Address, why error) {
	e.tell(a, func() { e.handler.Disconnected(a, why) })
}
