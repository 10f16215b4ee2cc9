package p2p

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/libp2p/go-libp2p/core/network"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// What a stream is reset with, so that the other side's people learn why. A code is a hint from
// somebody who may lie: it changes no decision but the text of an error.
const (
	codeOther        network.StreamErrorCode = 0
	codeHandshake    network.StreamErrorCode = 0xA001
	codeExpired      network.StreamErrorCode = 0xA002
	codeNoRoom       network.StreamErrorCode = 0xA003
	codeMisbehaved   network.StreamErrorCode = 0xA004
	codeWrongAccount network.StreamErrorCode = 0xA005
	codeReplaced     network.StreamErrorCode = 0xA006
	codeIdle         network.StreamErrorCode = 0xA007
	codeSlow         network.StreamErrorCode = 0xA008
	codeClosed       network.StreamErrorCode = 0xA009
)

var (
	errExpired = fmt.Errorf("%w: the proof's expiry is out of range; one of the two clocks is wrong by more than a day", transport.ErrHandshake)
	// the chain, which is asked about contract wallets, does not answer, or is not asked so often
	errUnchecked = fmt.Errorf("%w: for now nobody can check the proof", transport.ErrHandshake)
	errReplaced  = errors.New("the peer connected anew")
	errForgot    = fmt.Errorf("%w: let go by its user", transport.ErrClosed)
	errYielded   = fmt.Errorf("%w: the place went to another stranger", transport.ErrNoRoom)
	errBanned    = fmt.Errorf("%w a short while ago", transport.ErrMisbehaved)
)

// hearsay is a reason that the other side gave. It is for people to read, and punishes nobody.
type hearsay struct{ reason error }

func (e *hearsay) Error() string { return "the peer ended the stream: " + e.reason.Error() }
func (e *hearsay) Unwrap() error { return e.reason }

// punishable reports whether an error of ours about a stream is a reason to refuse the peer for a
// while: it sent what nobody honest sends. A clock may be wrong honestly, and so may an account
// that a listener proves to who expected another. What we can't check is nobody's fault.
func punishable(err error, dialled bool) bool {
	if errors.As(err, new(*hearsay)) {
		return false
	}
	return errors.Is(err, transport.ErrMisbehaved) || !dialled && errors.Is(err, transport.ErrHandshake) && !errors.Is(err, errExpired) && !errors.Is(err, errUnchecked)
}

// codeOf returns the code that tells the other side about an error of ours.
func codeOf(err error) network.StreamErrorCode {
	switch {
	case errors.Is(err, errExpired):
		return codeExpired
	case errors.As(err, new(*transport.WrongAccountError)):
		return codeWrongAccount
	case errors.Is(err, transport.ErrHandshake):
		return codeHandshake
	case errors.Is(err, transport.ErrNoRoom):
		return codeNoRoom
	case errors.Is(err, transport.ErrMisbehaved):
		return codeMisbehaved
	case errors.Is(err, errReplaced):
		return codeReplaced
	case errors.Is(err, transport.ErrIdle):
		return codeIdle
	case errors.Is(err, transport.ErrSlow):
		return codeSlow
	case errors.Is(err, transport.ErrClosed):
		return codeClosed
	default:
		return codeOther
	}
}

// explain turns what a stream failed with into one of transport's errors.
func explain(err error) error {
	var reset *network.StreamError
	var slow net.Error
	switch {
	case errors.Is(err, transport.ErrMisbehaved), errors.Is(err, transport.ErrHandshake), errors.Is(err, transport.ErrNoRoom):
		return err
	case errors.As(err, &reset) && reset.Remote:
		return &hearsay{reason(reset.ErrorCode)}
	case errors.Is(err, wire.ErrTooLarge), errors.Is(err, wire.ErrMalformed):
		return fmt.Errorf("%w: %w", transport.ErrMisbehaved, err)
	case errors.As(err, &slow) && slow.Timeout():
		// TCP's streams and QUIC's each have an error of their own for it
		return transport.ErrSlow
	case errors.Is(err, io.EOF):
		return &hearsay{transport.ErrClosed}
	default:
		return fmt.Errorf("%w: %w", transport.ErrNotConnected, err)
	}
}

func reason(code network.StreamErrorCode) error {
	switch code {
	case codeHandshake:
		return fmt.Errorf("%w: it does not accept our proof", transport.ErrHandshake)
	case codeExpired:
		return errExpired
	case codeNoRoom, network.StreamResourceLimitExceeded:
		return fmt.Errorf("%w: ask its player to add your account, or try later", transport.ErrNoRoom)
	case codeMisbehaved:
		return transport.ErrMisbehaved
	case codeWrongAccount:
		return fmt.Errorf("%w: it expected another account at our address", transport.ErrHandshake)
	case codeReplaced:
		return errReplaced
	case codeIdle:
		return transport.ErrIdle
	case codeSlow:
		return transport.ErrSlow
	default:
		return transport.ErrClosed
	}
}
