package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// Wait waits until something is true, and looks again whenever something happened or a block came.
func (n *Node) Wait(ctx context.Context, ready func() (bool, error)) error {
	for {
		_, woken := n.log.visible()
		ok, err := ready()
		if ok || err != nil {
			return err
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return ctx.Err()
		case <-n.run.Done():
			return ErrClosed
		}
	}
}

// Mined waits until a transaction of this node is in a block, and fails as the transaction does.
func (n *Node) Mined(ctx context.Context, key string) (r chain.Report, err error) {
	err = n.Wait(ctx, func() (bool, error) {
		if r, err = n.status(key); err != nil {
			return false, err
		}
		return r.Progress > chain.Waiting, r.Err
	})
	return r, err
}

// Opened waits until the channel of an offer is open for play. It fails with ErrDeclined when the offer is declined or
// lapses.
func (n *Node) Opened(ctx context.Context, offer common.Hash) (c Channel, err error) {
	err = n.Wait(ctx, func() (bool, error) {
		o, err := n.offer(offer)
		if err != nil {
			return false, err
		}
		if o.State == OfferDeclined || o.State == OfferLapsed {
			return false, fmt.Errorf("%w: offer %s is %s: %s", ErrDeclined, offer, o.State, o.Reason)
		}
		if c, err = n.Channel(o.Terms.ID(n.domain)); errors.Is(err, ErrUnknownChannel) {
			return false, nil // not signed by all yet
		}
		if err != nil {
			return false, err
		}
		return c.Status != ChannelOpening, nil
	})
	return c, err
}

// Finished waits until a number of matches of a channel are played and their stakes paid, and returns how the last of those
// ended. It counts results that are kept: see Result.
func (n *Node) Finished(ctx context.Context, channelID common.Hash, matches int) (r Result, err error) {
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
func (n *Node) Closed(ctx context.Context, channelID common.Hash) error {
	return n.Wait(ctx, func() (bool, error) {
		c, err := n.Channel(channelID)
		return c.Status == ChannelEnded, err
	})
}
