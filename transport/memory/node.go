package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// Node is an account's place in a Network. Its methods do what those of p2p.Host do.
type Node struct {
	network *Network
	account common.Address
	handler transport.Handler
	since   time.Duration
	closed  bool
	kept    map[common.Address]*kept
}

type kept struct {
	addresses []string
	err       error         // what the last try came to
	pause     time.Duration // before it takes the place of another of its account that has it
	waiting   bool          // to do that
}

const scheme = "/memory/"

const maxAddresses = 16

// Group implements node.Network: within a process there are no network addresses.
func (n *Node) Group(common.Address) string { return "" }

// Addresses returns the one address of the node, which is its account's.
func (n *Node) Addresses() []string { return []string{scheme + n.account.Hex()} }

// Send puts a message on its way.
func (n *Node) Send(to common.Address, env *antev1.Envelope) error {
	frame, err := wire.FrameEnvelope(env)
	if err != nil {
		return err
	}
	if n.closed {
		return transport.ErrClosed
	}
	l := n.network.link(n.account, to)
	side := l.side(n.account)
	if !l.holds(n) && (l.at[side] != n || l.told[side] == 0) {
		k := n.kept[to]
		if k == nil {
			return transport.Unknown(to)
		}
		return fmt.Errorf("%w to %s: %w", transport.ErrNotConnected, to, k.reason())
	}
	return l.send(side, frame)
}

// Keep remembers an account and connects to it, at once and whenever it isn't connected.
func (n *Node) Keep(account common.Address, addresses ...string) error {
	if len(addresses) > maxAddresses {
		return fmt.Errorf("%w: %d of them, at most %d", transport.ErrAddress, len(addresses), maxAddresses)
	}
	for _, a := range addresses {
		hex, ok := strings.CutPrefix(a, scheme)
		if !ok || !common.IsHexAddress(hex) {
			return fmt.Errorf("%w %q: it should look like %s", transport.ErrAddress, a, n.Addresses()[0])
		}
		if common.HexToAddress(hex) == n.account {
			return fmt.Errorf("%w %q: that is this node's own", transport.ErrAddress, a)
		}
	}
	if account == n.account || account == (common.Address{}) {
		return fmt.Errorf("%w: %s is this node's own account, or nobody's", transport.ErrAddress, account)
	}
	if n.closed {
		return transport.ErrClosed
	}
	k := n.kept[account]
	if k == nil {
		k = new(kept)
		n.kept[account] = k
	}
	for _, a := range addresses {
		if !slices.Contains(k.addresses, a) {
			k.addresses = append(k.addresses, a)
		}
	}
	l := n.network.link(n.account, account)
	l.try(0)
	l.contend(n)
	return nil
}

// Forget stops keeping an account, and lets it go.
func (n *Node) Forget(account common.Address) {
	if n.closed {
		return
	}
	delete(n.kept, account)
	if l := n.network.link(n.account, account); l.holds(n) {
		l.drop(fmt.Errorf("%w: let go by its user", transport.ErrClosed))
	}
}

// Connect connects to an account that is kept, now or never: in a network that runs step by step
// there is no waiting.
func (n *Node) Connect(_ context.Context, account common.Address) error {
	if n.closed {
		return transport.ErrClosed
	}
	l := n.network.link(n.account, account)
	if l.holds(n) {
		return nil
	}
	k := n.kept[account]
	if k == nil {
		return transport.Unknown(account)
	}
	if len(k.addresses) == 0 {
		return fmt.Errorf("%w to %s: %w", transport.ErrNotConnected, account, k.reason())
	}
	if k.err = l.blocked(); k.err == nil && !n.dials(account) {
		k.err = &transport.WrongAccountError{Want: account, Got: common.HexToAddress(strings.TrimPrefix(k.addresses[0], scheme))}
	}
	if k.err != nil {
		return k.err
	}
	l.takeOver(n)
	return nil
}

// dials reports whether the node keeps an account and knows where it is.
func (n *Node) dials(account common.Address) bool {
	k := n.kept[account]
	return k != nil && slices.Contains(k.addresses, scheme+account.Hex())
}

// reason says why an account that is kept isn't connected.
func (k *kept) reason() error { return transport.Unconnected(k.err, len(k.addresses) > 0) }

// Peers returns what is known of every account that is kept or connected, by ascending account.
func (n *Node) Peers() []transport.Peer {
	var list []transport.Peer
	for _, l := range n.network.links {
		if n.closed || l.ends[0] != n.account && l.ends[1] != n.account {
			continue
		}
		other := l.ends[1-l.side(n.account)]
		k := n.kept[other]
		if k == nil && !l.holds(n) {
			continue
		}
		p := transport.Peer{Account: other, Kept: k != nil, Connected: l.holds(n)}
		if k != nil {
			p.Addresses = slices.Clone(k.addresses)
		}
		if !p.Connected {
			p.Err = k.reason()
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y transport.Peer) int { return x.Account.Cmp(y.Account) })
	return list
}

// Close takes the node off the network, as a crash does: its handler isn't called again, and its
// peers notice.
func (n *Node) Close() error {
	if n.closed {
		return nil
	}
	n.closed = true
	n.network.nodes[n.account] = slices.DeleteFunc(n.network.nodes[n.account], func(of *Node) bool { return of == n })
	for _, l := range n.network.links {
		if (l.ends[0] == n.account || l.ends[1] == n.account) && l.at[l.side(n.account)] == n {
			l.told[l.side(n.account)] = 0
			l.drop(fmt.Errorf("the peer ended the stream: %w", transport.ErrClosed))
		}
	}
	return nil
}
