package chain

import (
	"errors"

	"github.com/ethereum/go-ethereum/rpc"
)

// Temporary reports whether an error may pass by itself, such as an endpoint that doesn't answer
// yet. An endpoint of another chain, or a refusing contract, is permanent.
func Temporary(err error) bool {
	if errors.As(err, new(*WrongChain)) || refused(err) || errors.Is(err, ErrNoArena) {
		return false
	}
	return errors.As(err, new(*Unreachable)) || errors.As(err, new(*Refusing)) || errors.Is(err, ErrUnknownBlock) || errors.As(err, new(rpc.Error))
}
