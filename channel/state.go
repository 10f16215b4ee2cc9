package channel

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// state is what a machine knows of the channel, matches aside. Slices in it are replaced, never
// modified.
type state struct {
	restored bool // nothing more is signed
	held     bool // nothing is signed for now; forgotten in a restart
	// the seats that say they hold a signature of this seat's that it doesn't know of; forgotten in
	// a restart
	unshown uint16
	now     uint64 // newest time by the Arena's clock that we were told
	block   uint64 // the newest block since the machine was made or restored; 0: not told yet

	full protocol.SignedLedger // the newest that every seat signed

	// signed is the high-water mark: the highest version that we signed, and what. Nothing else is
	// ever signed at or below it. It may lie below full when that came from a peer after the store
	// was restored.
	signed ledgerMark
	// loose is the highest version that we signed on top of another ledger than full, and above it.
	// Others may still complete such a ledger, and it need not lock what full locks: while loose >
	// full.Version no match is started, and no evidence is forgotten.
	loose uint64
	// refused is the highest version with new matches that we refused, and why. It isn't signed any
	// more, nor anything below, for its proposer has dropped it.
	refused ledgerRefusal
	// floor is the highest version that any seat is known to have signed: lower ones are not worth
	// proposing.
	floor uint64

	// closing is the balances of the closing ledger that we signed, after which we sign no other
	// balances; nil: none.
	closing []uint256.Int
	pending *proposal // the newest proposal above full that is worth completing
	early   []early   // approvals that came before their proposal, at most one per seat
	offered []offered // of the matches in signed ledgers above full

	// matches that our user wants, without channel and nonce, oldest first
	wants     []protocol.MatchTerms
	wantClose bool

	chain onChain
}

// ledgerMark is a version and the digest signed at it.
type ledgerMark struct {
	version uint64
	digest  common.Hash
}

type ledgerRefusal struct {
	version uint64
	code    message.RejectCode
}

// proposal is a ledger that is not yet fully signed. Never modified in place.
type proposal struct {
	message.Propose
	digest common.Hash
	asked  bool // waits for our user's word; not signed by us
	dead   bool // refused by a seat, which will not complete it
	// and nothing is proposed in its place before the next tick, lest two seats outbid each other
	// for ever
	wait bool
}

func (p *proposal) signedBy() (mask uint16) {
	for i := range p.Signatures {
		if p.Signatures[i] != (protocol.Signature{}) {
			mask |= 1 << i
		}
	}
	return mask
}

// offered is a match whose lock we signed, in a ledger that is not fully signed.
type offered struct {
	protocol.MatchTerms
	// a seat refused it: our user was told so, and it isn't started if it is locked after all
	refused bool
}

// early is an approval of a proposal that we haven't seen.
type early struct {
	seat      uint8
	version   uint64
	digest    common.Hash
	signature protocol.Signature
}

// onChain is what the chain said about the channel.
type onChain struct {
	openings, contests, settlements, closings sightings

	// the newest ledger whose contest is final; nil: none, or a store from before it was kept says
	// nothing of it
	posted *posted
	ended  bool // everything is paid out and final, and the user knows
}

// posted is what a posted ledger locks. Never modified in place.
type posted struct {
	version uint64
	unpaid  []common.Hash // the matches that it locks, but for those that are paid out for good
}

// sightings counts the events of one kind: those seen and not final, by ledger version, and whether
// one is final.
type sightings struct {
	seen  []uint64
	final bool
}

func (s sightings) any() bool { return s.final || len(s.seen) > 0 }

// see notes an event; seeing it twice changes nothing.
func (s sightings) see(version uint64, final bool) sightings {
	if final {
		return sightings{seen: s.without(version), final: true}
	}
	if s.final || slices.Contains(s.seen, version) {
		return s
	}
	return sightings{seen: append(slices.Clip(s.seen), version), final: s.final}
}

// undo takes an event back that is not final.
func (s sightings) undo(version uint64) sightings {
	return sightings{seen: s.without(version), final: s.final}
}

func (s sightings) without(version uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(s.seen), func(v uint64) bool { return v == version })
}

// opened reports whether the opening is confirmed and the channel not ended.
func (s *state) opened() bool { return s.chain.openings.final && !s.chain.closings.final }

// unopened says why a channel that is not open isn't.
func (s *state) unopened() error {
	if s.chain.closings.final {
		return ErrFrozen
	}
	return ErrNotOpen
}

// contested reports whether the channel is being closed on-chain. It stays so after it is settled.
func (s *state) contested() bool {
	return s.chain.contests.any() || s.chain.settlements.any() || s.chain.closings.any()
}

// silent says why nothing at all is signed, if so.
func (s *state) silent() error {
	switch {
	case s.restored:
		return ErrRestored
	case s.held:
		return ErrHeld
	}
	return nil
}

// frozen reports whether no ledger is signed, for now or any more.
func (s *state) frozen() bool {
	return !s.opened() || s.silent() != nil || s.unshown != 0 || s.contested() || s.full.Closing
}

// offer returns the terms of a match in a signed ledger above full, by its nonce, or nil.
func (s *state) offer(nonce uint64) *offered {
	for i := range s.offered {
		if s.offered[i].Nonce == nonce {
			return &s.offered[i]
		}
	}
	return nil
}
