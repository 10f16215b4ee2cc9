package transport

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// Errors of Send, Keep, Connect and Dial. The errors returned wrap these and say what to do next.
var (
	// ErrUnknownPeer: the account was never kept, and isn't connected. Keep it with its addresses
	// first.
	ErrUnknownPeer = errors.New("unknown peer")

	// ErrNotConnected: there is no stream now. Nothing was sent or stored: Sync when Connected is
	// called.
	ErrNotConnected = errors.New("not connected")

	// ErrQueueFull: the peer takes messages more slowly than they come. This one is lost: Sync
	// later.
	ErrQueueFull = errors.New("the peer's queue is full")

	// ErrAddress: an address that is no multiaddr ending in /p2p/ and a peer id, or that is our
	// own.
	ErrAddress = errors.New("bad address")

	// ErrUnreachable: nobody answers at any of the addresses.
	ErrUnreachable = errors.New("unreachable")

	// ErrOtherNetwork: the peer answers, but doesn't speak Ante for our chain and Arena.
	ErrOtherNetwork = errors.New("the peer is on another chain or Arena, or does not run Ante")

	// ErrHandshake: one side did not prove its account to the other.
	ErrHandshake = errors.New("handshake refused")

	// ErrNoRelay: no relay passes on to us what those say whom we can't dial.
	ErrNoRelay = errors.New("no relay takes this node: players whom it can't dial don't reach it")

	// ErrNoRoom: the peer takes no more strangers, or we don't.
	ErrNoRoom = errors.New("no room for strangers")

	// ErrSlow: a message that had begun did not get through in time.
	ErrSlow = errors.New("the connection is too slow")

	// ErrMisbehaved: the peer was cut off for what it sent, or for how much, and is refused for a
	// while.
	ErrMisbehaved = errors.New("cut off for misbehaving")

	// ErrIdle: a stranger that said nothing for a while was disconnected.
	ErrIdle = errors.New("idle stranger let go")

	// ErrClosed: the transport, or the peer, is closed.
	ErrClosed = errors.New("closed")
)

// Unknown says that an account was never kept, and what to do.
func Unknown(account common.Address) error {
	return fmt.Errorf("%w %s: keep it with its addresses first", ErrUnknownPeer, account)
}

// Unconnected says why an account that is kept isn't connected: what the last attempt failed with,
// if anything, and else what is waited for. An account of which no address is known isn't dialled.
func Unconnected(failed error, dials bool) error {
	switch {
	case failed != nil:
		return failed
	case !dials:
		return fmt.Errorf("%w: no address is known for it, so it has to connect to us", ErrUnreachable)
	default:
		return fmt.Errorf("%w: still trying", ErrUnreachable)
	}
}

// WrongAccountError says that somebody else answers where an account was expected.
type WrongAccountError struct {
	Want, Got common.Address
}

func (e *WrongAccountError) Error() string {
	return fmt.Sprintf("%s answers at the address given for %s: ask the player for the right one", e.Got, e.Want)
}
