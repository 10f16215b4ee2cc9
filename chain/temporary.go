package chain

import (
	"errors"

	"github.com/ethereum/go-ethereum/rpc"
)

// Temporary reports whether an error may be over by itself: an endpoint doesn't answer, or not yet.
// An endpoint of another chain, and a contract that refuses, stay what they are.
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
