package chain

import (
	"errors"

	"github.com/ethereum/go-ethereum/rpc"
)

// Temporary reports whether an error may pass by itself, such as an endpoint that doesn't answer
// yet. An endpoint of another chain, or a refusing contract, is permanent.
func Temporary(err error) bool {
	var (
		wrong    *WrongChain
		reverted *Reverted
		down     *Unreachable
		refusing *Refusing
		answered rpc.Error
	)
	if errors.As(err, &wrong) || errors.As(err, &reverted) || errors.Is(err, ErrNoArena) {
		return false
	}
	return errors.As(err, &down) || errors.As(err, &refusing) || errors.Is(err, ErrUnknownBlock) || errors.As(err, &answered)
}
