package channel

import (
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// maxAhead is how far above what we know a version may lie. Honest seats go up by at most two
// rounds of seats at a time.
const maxAhead = 1 << 16

// ledgers is what a machine knows of the channel's ledgers: those signed, those proposed, and what
// our user wants in the next ones.
type ledgers struct {
	full protocol.SignedLedger // the newest that every seat signed

	// signed is the high-water mark: the highest version that we signed, and what. Nothing else is
	// ever signed at or below it. It may lie below full when that came from a peer after the store
	// was restored.
	signed ledgerMark
	// loose is the highest version that we signed on top of another ledger than full, and above it.
	// Others may still complete such a ledger, and it need not lock what full locks: while loose >
	// full.Version no match is started, and no evidence is forgotten.
	loose uint64
	// refused is the highest version with new matches that we refused, or ask our user no more
	// about, and why. It isn't signed any more, nor anything below: its proposer has dropped it.
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
}

// negotiation is what a step says and signs about the channel's ledgers.
type negotiation struct {
	*txn
	*ledgers
}

func (t *txn) ledgers() negotiation { return negotiation{t, &t.state.ledgers} }

// ledgerMark is a version and the digest signed at it.
type ledgerMark struct {
	version uint64
	digest  common.Hash
}

type ledgerRefusal struct {
	version uint64
	code    message.RejectCode
}

// stage is how far a proposal has come.
type stage uint8

const (
	stageAsked  stage = iota // it waits for our user's word: we have not signed it
	stageSigned              // we have signed it, and others may still do so
	// A seat refused it and will not complete it. Nothing is proposed in its place before the next
	// tick, lest two seats outbid each other for ever.
	stageRefused
	stageLost // it will not be completed: the next one takes its place at once
)

// proposal is a ledger that is not yet fully signed.
type proposal struct {
	message.Propose
	digest common.Hash
	stage  stage
}

// dead reports whether the proposal will not be completed.
func (p *proposal) dead() bool { return p.stage >= stageRefused }

// put keeps a seat's signature.
func (p *proposal) put(seat int, sig protocol.Signature) {
	p.Signatures = slices.Clone(p.Signatures)
	p.Signatures[seat] = sig
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

// offer returns the terms of a match in a signed ledger above full, by its nonce, or nil.
func (l *ledgers) offer(nonce uint64) *offered {
	for i := range l.offered {
		if l.offered[i].Nonce == nonce {
			return &l.offered[i]
		}
	}
	return nil
}

// top is the highest version that every seat signed or that we signed.
func (l *ledgers) top() uint64 { return max(l.full.Version, l.signed.version) }

// plausible reports whether an honest seat may have signed a version.
func (l *ledgers) plausible(version uint64) bool { return version <= l.top()+maxAhead }

// raises reports whether a version that a seat says it signed is plausible news.
func (l *ledgers) raises(version uint64) bool { return version > l.floor && l.plausible(version) }

// asking returns the proposal that waits for our user's word, or nil.
func (l *ledgers) asking() *proposal {
	if l.pending == nil || l.pending.stage != stageAsked {
		return nil
	}
	return l.pending
}

// excludes reports whether we must not sign a ledger, because we signed a closing one with other
// balances.
func (l *ledgers) excludes(next *protocol.Ledger) bool {
	return l.closing != nil && !(next.Closing && slices.Equal(next.Balances, l.closing))
}

// loosened reports whether others may still complete a ledger that need not lock what full locks.
func (l *ledgers) loosened() bool { return l.loose > l.full.Version }

// lockable reports whether others may still complete a ledger that we signed and that locks a match
// anew. A closing ledger on top of such a one could leave no way but the chain.
func (l *ledgers) lockable() bool {
	return slices.ContainsFunc(l.offered, func(o offered) bool { return o.Nonce>>8 > l.full.Version })
}

// raise raises the mark to a proposal that we signed, and makes it the pending one.
func (l *ledgers) raise(p *proposal) {
	l.signed = ledgerMark{version: p.Ledger.Version, digest: p.digest}
	l.floor = max(l.floor, p.Ledger.Version)
	if p.Ledger.Closing {
		l.closing = p.Ledger.Balances
	}
	p.stage, l.pending = stageSigned, p
	for i := range p.Matches {
		if l.offer(p.Matches[i].Nonce) == nil {
			l.offered = append(slices.Clip(l.offered), offered{MatchTerms: p.Matches[i]})
		}
	}
}

// advance makes a ledger the newest that every seat signed.
func (l *ledgers) advance(full protocol.SignedLedger) {
	l.full = full
	l.floor = max(l.floor, full.Version)
	if l.signed.version > full.Version {
		l.loose = l.signed.version
	}
	if p := l.pending; p != nil && (p.Ledger.Version <= full.Version || p.Base != full.Version) {
		l.pending = nil
	}
	l.early = slices.DeleteFunc(slices.Clone(l.early), func(e early) bool { return e.version <= full.Version })
}

// keepEarly keeps an approval that arrived before its proposal, the newest of each seat. It reports
// whether the approval was new.
func (l *ledgers) keepEarly(e early) bool {
	i, found := slices.BinarySearchFunc(l.early, e.seat, func(e early, seat uint8) int { return int(e.seat) - int(seat) })
	if found && l.early[i].version >= e.version {
		return false
	}
	l.early = slices.Clone(l.early)
	if found {
		l.early[i] = e
	} else {
		l.early = slices.Insert(l.early, i, e)
	}
	l.floor = max(l.floor, e.version)
	return true
}

// giveUp drops matches that our user wanted. Others may still complete a lock of theirs that we
// signed, so they are remembered as refused.
func (l *ledgers) giveUp(matches []protocol.MatchTerms) {
	l.offered = slices.Clone(l.offered)
	for i := range matches {
		l.fulfil(&matches[i])
		if o := l.offer(matches[i].Nonce); o != nil {
			o.refused = true
		}
	}
}

// fulfil takes out the first want that a match meets.
func (l *ledgers) fulfil(m *protocol.MatchTerms) {
	if i := slices.IndexFunc(l.wants, func(w protocol.MatchTerms) bool { return w.SameGame(m) }); i >= 0 {
		l.wants = slices.Delete(slices.Clone(l.wants), i, i+1)
	}
}
