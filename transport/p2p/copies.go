package p2p

import (
	"time"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
)

const (
	// maxSigned is how many proofs of its own a host remembers.
	maxSigned = 1 << 13
	// rivalFor is for how long a proof that was taken is shown to its account.
	rivalFor = 10 * time.Minute
)

// signed are the proofs that a host gave: whatever else its key signed since, another holder of the
// key did. Host.mu guards it.
type signed struct {
	since uint64 // Unix seconds; all proofs signed later are remembered
	list  map[common.Hash]struct{}
	order []common.Hash // oldest first
	times []uint64      // when they were signed, in Unix seconds
}

// add remembers a proof, in place of the oldest one if there are too many.
func (s *signed) add(digest common.Hash, now uint64) {
	if s.list == nil {
		s.list = map[common.Hash]struct{}{}
	}
	s.list[digest] = struct{}{}
	s.order, s.times = append(s.order, digest), append(s.times, now)
	if len(s.order) > maxSigned {
		delete(s.list, s.order[0])
		s.since = max(s.since, s.times[0])
		s.order, s.times = s.order[1:], s.times[1:]
	}
}

// foreign reports whether a proof that the key gave at some time was given by another holder of it.
func (s *signed) foreign(digest common.Hash, at uint64) bool {
	_, known := s.list[digest]
	return !known && at > s.since
}

// signedAt returns when a proof was signed, by the clock of whoever did, in Unix seconds.
func signedAt(expiry uint64) uint64 { return expiry - min(expiry, uint64(proofLife/time.Second)) }

// rival returns the proof that an account gave last, if that is not long ago.
func (h *Host) rival(account common.Address) *antev1.Rival {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.accounts[account]
	if a == nil || a.proof == nil || time.Since(a.proved) > rivalFor {
		return nil
	}
	return a.proof
}

// examine looks at what a peer shows as the newest proof of our own account. One that our key
// signed, and not for us, is told to the handler.
func (h *Host) examine(from common.Address, r *antev1.Rival) {
	if r == nil || len(r.Challenge) != common.HashLength {
		return
	}
	signature, err := protocol.ParseSignature(r.Signature)
	if err != nil {
		return
	}
	binding := protocol.PeerBinding{PeerID: r.PeerId, Challenge: common.Hash(r.Challenge), Expiry: r.Expiry}
	digest := binding.Digest(h.cfg.Domain)
	h.mu.Lock()
	foreign := h.signed.foreign(digest, signedAt(r.Expiry))
	h.mu.Unlock()
	if foreign && signature.Verify(digest, h.cfg.Signer.Address()) == nil {
		h.copied(from)
	}
}

// copied tells the handler that another program has our key, once for each that shows it.
func (h *Host) copied(via common.Address) {
	if w, ok := h.cfg.Handler.(transport.Witness); ok {
		w.Copied(via)
	}
}
