package chain

import "context"

// Class says on whose behalf the chain is asked. The requests that an endpoint allows are shared
// out by class: see gate.
type Class uint8

// The classes, the least urgent last.
const (
	Defence Class = iota + 1 // following the chain, and the transactions that defend money
	// what the player's own channels and offers need; the class of a context without one
	Play
	User     // what a person looks at
	Stranger // what somebody makes a node ask with whom it has no open channel
)

type classKey struct{}

// As returns a context whose calls are of a class.
func As(ctx context.Context, c Class) context.Context { return context.WithValue(ctx, classKey{}, c) }

// classOf returns the class of a context's calls.
func classOf(ctx context.Context) Class {
	if c, ok := ctx.Value(classKey{}).(Class); ok {
		return c
	}
	return Play
}
