package node

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
)

// Finished waits until a number of matches of a channel are played and their stakes paid, and
// returns how the last of those ended. It counts the results that the node keeps: see Result.
func (n *channels) Finished(ctx context.Context, channelID common.Hash, matches int) (r Result, err error) {
	err = n.Wait(ctx, func() (bool, error) {
		list, err := n.Results()
		paid := 0
		for i := range list {
			if list[i].Channel == channelID && list[i].Paid {
				if paid++; paid == matches {
					r = list[i]
					return true, err
				}
			}
		}
		return false, err
	})
	return r, err
}

// Closed waits until a channel is paid out.
func (n *channels) Closed(ctx context.Context, channelID common.Hash) error {
	return n.Wait(ctx, func() (bool, error) {
		c, err := n.Channel(channelID)
		return c.Status == ChannelEnded, err
	})
}
