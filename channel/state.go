package channel

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
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

	ledgers
	chain onChain
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

// undo takes an event back, which may have been final.
func (s sightings) undo(version uint64, final bool) sightings {
	return sightings{seen: s.without(version), final: s.final && !final}
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
