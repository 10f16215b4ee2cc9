package dev

import (
	"context"
	"errors"
	"sync"

	"github.com/ante-games/ante/node"
)

// PassTime makes blocks until stopped or the world's nodes are closed, each when every one of the
// nodes has done what it does about the block before: however slow the machine is, none of them
// misses a deadline for it.
func (w *World) PassTime(ctx context.Context, nodes ...*node.Node) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			for _, n := range nodes {
				err := n.Wait(ctx, func() (bool, error) { return n.Head().Block >= w.Chain.Head(), nil })
				if err != nil && !errors.Is(err, node.ErrClosed) {
					return
				}
			}
			if ctx.Err() == nil && w.Chain.Mine(1) != nil {
				return // closing
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
