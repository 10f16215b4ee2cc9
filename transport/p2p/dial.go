package p2p

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libprotocol "github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	"github.com/multiformats/go-multistream"

	"github.com/ante-games/ante/transport"
)

// Dial connects to whoever is at an address, and returns the account that it proves. Nothing is
// kept: when the stream ends it isn't dialled again, unless Keep is called for the account.
func (h *Host) Dial(ctx context.Context, address string) (common.Address, error) {
	infos, err := h.parseAddresses([]string{address})
	if err != nil {
		return common.Address{}, err
	}
	return h.dialAny(ctx, infos[0])
}

// dialAny connects to a peer, whatever its account, unless it is connected already. It waits while
// the account is dialled that is known to be there: of two streams to it the peer keeps the later.
func (h *Host) dialAny(ctx context.Context, info peer.AddrInfo) (common.Address, error) {
	if account, connected := h.connected(info.ID); connected {
		return account, nil
	}
	if a := h.livesAt(info.ID); a != nil {
		select {
		case a.dialling <- struct{}{}:
			defer func() { <-a.dialling }()
		case <-time.After(h.cfg.Limits.Dial): // it may only claim to be there, and be dialled at many other places first
		case <-ctx.Done():
			return common.Address{}, fmt.Errorf("%w to %s: %w", transport.ErrNotConnected, a.address, ctx.Err())
		}
	}
	if account, connected := h.connected(info.ID); connected {
		return account, nil
	}
	account, err := h.dial(ctx, info, nil)
	if err != nil {
		if account, connected := h.connected(info.ID); connected {
			return account, nil // it dialled us meanwhile
		}
	}
	return account, err
}

// livesAt returns the account whose whereabouts a peer is among, nil if there is none.
func (h *Host) livesAt(p peer.ID) *account {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.accounts {
		if slices.ContainsFunc(h.whereabouts(a), func(i peer.AddrInfo) bool { return i.ID == p }) {
			return a
		}
	}
	return nil
}

// connected returns the account that a peer has proved on a stream that lives.
func (h *Host) connected(p peer.ID) (common.Address, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.accounts {
		if slices.ContainsFunc(a.sessions, func(s *session) bool { return s.stream.Conn().RemotePeer() == p }) {
			return a.address, true
		}
	}
	return common.Address{}, false
}

// Connect waits until a kept account is connected. If its addresses are known Connect dials it at
// once and returns the error if that fails; if not, it waits for the account to dial us. The
// account stays kept in any case.
func (h *Host) Connect(ctx context.Context, address common.Address) error {
	for {
		h.mu.Lock()
		a := h.accounts[address]
		if h.closed {
			h.mu.Unlock()
			return transport.ErrClosed
		}
		if a == nil {
			h.mu.Unlock()
			return transport.Unknown(address)
		}
		connected, changed, known, why := len(a.sessions) > 0, a.changed, len(h.whereabouts(a)) > 0, a.reason()
		h.mu.Unlock()
		if connected {
			return nil
		}
		if known {
			return h.reach(ctx, a)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%w to %s: %w (%w)", transport.ErrNotConnected, address, why, ctx.Err())
		case <-h.ctx.Done():
			return transport.ErrClosed
		}
	}
}

// whereabouts returns where an account may be: its addresses, and the peer that proved it last.
func (h *Host) whereabouts(a *account) []peer.AddrInfo {
	infos := a.infos()
	if a.last != "" && !slices.ContainsFunc(infos, func(i peer.AddrInfo) bool { return i.ID == a.last }) {
		if addrs := h.host.Peerstore().Addrs(a.last); len(addrs) > 0 {
			infos = append(infos, peer.AddrInfo{ID: a.last, Addrs: addrs})
		}
	}
	return infos
}

// reach tries an account's whereabouts, one peer after the other, unless it is connected.
func (h *Host) reach(ctx context.Context, a *account) error {
	select {
	case a.dialling <- struct{}{}:
		defer func() { <-a.dialling }()
	case <-ctx.Done():
		return fmt.Errorf("%w to %s: %w", transport.ErrNotConnected, a.address, ctx.Err())
	}
	h.mu.Lock()
	connected, infos := len(a.sessions) > 0, h.whereabouts(a)
	h.mu.Unlock()
	if connected {
		return nil
	}
	var errs []error
	for _, info := range infos {
		if other, connected := h.connected(info.ID); connected && other != a.address {
			// a handshake would take that account's place at the peer
			errs = append(errs, &transport.WrongAccountError{Want: a.address, Got: other})
			continue
		}
		_, err := h.dial(ctx, info, &a.address)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	err := errors.Join(errs...)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(a.sessions) > 0 {
		return nil // it dialled us meanwhile
	}
	a.err = err
	return err
}

// dial connects to a peer, and serves the stream if it proves the account that is wanted, or any if
// none is.
func (h *Host) dial(ctx context.Context, info peer.AddrInfo, want *common.Address) (common.Address, error) {
	if !h.enter() {
		return common.Address{}, transport.ErrClosed
	}
	defer h.running.Done()
	ctx, cancel := context.WithTimeout(ctx, h.cfg.Limits.Dial)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()

	h.gate.seek(info.ID, info.Addrs...)
	s, err := h.approach(network.WithAllowLimitedConn(ctx, "a relay's"), info)
	if err != nil {
		return common.Address{}, err
	}
	if want != nil && s.account != *want {
		err = &transport.WrongAccountError{Want: *want, Got: s.account}
	}
	var a *account
	if err == nil {
		a, err = h.begin(s)
	}
	if err != nil {
		h.refuse(s, err)
		return s.account, err
	}
	h.running.Go(func() { h.serve(a, s) })
	for _, c := range h.host.Network().ConnsToPeer(info.ID) {
		h.straighten(nil, c) // that came meanwhile
	}
	return s.account, nil
}

// approach opens a stream to a peer and does the handshake. A connection from before may be dead
// without our knowing, when the peer was restarted: if it fails, or says nothing, another one is
// made.
func (h *Host) approach(ctx context.Context, info peer.AddrInfo) (*session, error) {
	if h.host.Network().Connectedness(info.ID) != network.NotConnected {
		brief, cancel := context.WithTimeout(ctx, h.cfg.Limits.Dial/3)
		defer cancel()
		s, err := h.approachOnce(brief, info)
		if !errors.Is(err, transport.ErrUnreachable) && !errors.Is(err, transport.ErrSlow) {
			return s, err
		}
		// nothing is lost if it fails: the next try says what is wrong
		_ = h.host.Network().ClosePeer(info.ID)
	}
	return h.approachOnce(ctx, info)
}

// approachOnce uses whatever connection there is.
func (h *Host) approachOnce(ctx context.Context, info peer.AddrInfo) (*session, error) {
	s, err := h.open(ctx, info)
	if err != nil {
		return nil, err
	}
	watch := context.AfterFunc(ctx, func() { _ = s.stream.SetDeadline(time.Unix(1, 0)) })
	err = h.greet(s)
	if !watch() { // ctx ended, and with it the stream
		err = fmt.Errorf("%w at %v: %w", transport.ErrUnreachable, info.Addrs, context.Cause(ctx))
	}
	if err != nil {
		h.refuse(s, err)
		if errors.Is(err, transport.ErrNotConnected) {
			err = fmt.Errorf("%w at %v: %w", transport.ErrUnreachable, info.Addrs, err)
		}
		return nil, err
	}
	return s, nil
}

// open opens a stream. libp2p's own pause after a failed dial is dropped: the keeper has one.
func (h *Host) open(ctx context.Context, info peer.AddrInfo) (*session, error) {
	if lower, ok := h.host.Network().(*swarm.Swarm); ok {
		lower.Backoff().Clear(info.ID)
	}
	if err := h.host.Connect(ctx, info); err != nil {
		return nil, fmt.Errorf("%w at %v: %w", transport.ErrUnreachable, info.Addrs, err)
	}
	stream, err := h.host.NewStream(ctx, info.ID, h.protocol)
	switch {
	case errors.Is(err, multistream.ErrNotSupported[libprotocol.ID]{}):
		return nil, fmt.Errorf("%w: peer %s at %v does not know %s", transport.ErrOtherNetwork, info.ID, info.Addrs, h.protocol)
	case err != nil:
		return nil, fmt.Errorf("%w at %v: %w", transport.ErrUnreachable, info.Addrs, err)
	}
	return newSession(&h.cfg.Limits, stream, true), nil
}
