package node

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// Owner signs for a player's account whose key the node does not hold: by an external signer, or as
// a contract wallet (ERC-1271). It may take long, because it asks a person. What it returns is
// verified. Package node/owner has an implementation.
type Owner interface {
	Address() common.Address
	SignOpening(ctx context.Context, d protocol.Domain, t *protocol.Terms) ([]byte, error)
	SignDeputy(ctx context.Context, d protocol.Domain, p *protocol.Deputy) ([]byte, error)
}

const (
	deputyKey = "owner/deputy"
	// deputyLife is for how long a deputy is appointed, and renewal how long before its end the
	// owner is asked again, every renewAgain until it signs; on the last day every renewSoon.
	deputyLife = 365 * 24 * time.Hour
	renewal    = 30 * 24 * time.Hour
	renewAgain = 24 * time.Hour
	renewSoon  = time.Hour
)

// identity is by whose key the player speaks among peers.
type identity struct {
	*base
	// deputy appoints the key that speaks for the player, nil if it is the player's own.
	deputy atomic.Pointer[protocol.SignedDeputy]

	renewing atomic.Bool // the owner is being asked to appoint it again
	renewed  time.Time   // when it was asked last; used by one goroutine at a time
}

// appoint finds the appointment of Config.Player as the owner's deputy, or asks the owner for one:
// for the first before the node starts, for its renewal meanwhile, because a node must defend its
// channels on the chain whatever becomes of its deputy.
func (n *identity) appoint(ctx context.Context) error {
	if n.config.Owner == nil {
		return nil
	}
	had, err := n.storedDeputy()
	if err != nil {
		return err
	}
	if had == nil {
		return n.askDeputy(ctx)
	}
	n.deputy.Store(had)
	n.renewDeputy()
	return nil
}

// renewDeputy has the owner appoint the deputy again before its time is over, at a start as well as
// in a long run: without one no peer and no tower lets the node in.
func (n *identity) renewDeputy() {
	had, now, again := n.deputy.Load(), n.config.Now(), renewAgain
	if had != nil && uint64(now.Add(renewAgain).Unix()) > had.Expiry {
		again = renewSoon
	}
	if had == nil || uint64(now.Add(renewal).Unix()) < had.Expiry || now.Sub(n.renewed) < again || !n.renewing.CompareAndSwap(false, true) {
		return
	}
	n.renewed = now
	n.done.Go(func() {
		defer n.renewing.Store(false)
		about := "appointing a deputy again, which expires on " + time.Unix(int64(had.Expiry), 0).UTC().Format(time.DateOnly)
		n.fault(about, n.askDeputy(n.run))
	})
}

// askDeputy has the owner appoint a deputy.
func (n *identity) askDeputy(ctx context.Context) error {
	d := &protocol.SignedDeputy{Deputy: protocol.Deputy{
		Player: n.Account(), Key: n.config.Player.Address(), Expiry: uint64(n.config.Now().Add(deputyLife).Unix())}}
	var err error
	if d.Signature, err = n.config.Owner.SignDeputy(ctx, n.domain, &d.Deputy); err == nil {
		err = n.authority().Account(d.Player, d.Digest(n.domain), d.Signature)
	}
	if err == nil && len(d.Signature) > protocol.MaxDeputySignature {
		err = fmt.Errorf("%w: %d bytes, at most %d", protocol.ErrSignature, len(d.Signature), protocol.MaxDeputySignature)
	}
	if err != nil {
		return fmt.Errorf("account %s must appoint %s as its deputy among peers: %w", d.Player, d.Key, err)
	}
	if err := n.persist(deputyKey, d); err != nil {
		return err
	}
	n.deputy.Store(d)
	return nil
}

// storedDeputy returns the appointment that the store holds, nil if there is none for this owner
// and key.
func (n *identity) storedDeputy() (*protocol.SignedDeputy, error) {
	d, err := stored[protocol.SignedDeputy](n.config.Store, deputyKey)
	if d == nil || d.Player != n.Account() || d.Key != n.config.Player.Address() {
		return nil, err
	}
	return d, nil
}

func (h handler) Deputy() *protocol.SignedDeputy { return h.node.deputy.Load() }

// Wallet implements transport.Envoy. The caller has proved nothing yet, so Wallet spends a
// stranger's budget, unless the same appointment was good before for a player with an open channel.
func (h handler) Wallet(group string, account common.Address, digest common.Hash, signature []byte) error {
	if !h.wait() {
		return ErrClosed
	}
	n := h.node
	who := budget.Who{Account: account, Group: group, Friend: n.appointments.Good(account, digest) && n.friend(account)}
	ctx, err := n.askFor(who, 1)
	if err != nil {
		return err
	}
	if err := n.wallets.Signed(ctx, account, digest, signature); err != nil {
		return err
	}
	n.appointments.Note(account, digest, n.partner(account))
	return nil
}

// errUnsigned: the owner was asked, and does not sign.
var errUnsigned = errors.New("the player does not sign")

// signOpening returns the player's signature of a channel's terms. It may take as long as a person
// does: no lock is held.
func (n *identity) signOpening(ctx context.Context, t *protocol.Terms) ([]byte, error) {
	id := t.ID(n.domain)
	if n.config.Owner == nil {
		sig, err := n.config.Player.Sign(id)
		if err != nil {
			return nil, fmt.Errorf("sign the opening: %w", err)
		}
		return sig[:], nil
	}
	sig, err := n.config.Owner.SignOpening(ctx, n.domain, t)
	refused := err != nil && ctx.Err() == nil && !errors.Is(err, chain.ErrSignerAway)
	if err == nil {
		err = n.authority().Account(n.Account(), id, sig)
		refused = errors.Is(err, protocol.ErrSignature)
	}
	if refused {
		err = fmt.Errorf("%w: %w", errUnsigned, err)
	}
	if err != nil {
		return nil, fmt.Errorf("sign the opening: %w", err)
	}
	return sig, nil
}
