package channel

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// Config is what a machine needs besides its state. It must be the same whenever the channel is
// restored, except for Policy.
type Config struct {
	Domain protocol.Domain
	Terms  protocol.Terms // complete
	Seat   int            // ours
	Signer protocol.Signer
	Rules  resolver
	Policy Policy
}

// resolver finds the rules at a contract's address. The same address must always give the same
// rules.
type resolver interface {
	Rules(contract common.Address) (games.Rules, error)
}

// Policy holds the user's decisions in advance.
type Policy struct {
	// Enforceable says why a match of ours is not worth enforcing, if so, at today's prices. It is
	// then neither proposed nor approved. Nil takes any.
	Enforceable func(*protocol.MatchTerms) error
	// Unattended says that nobody is here to leave the channel one-sidedly: then no match of other
	// seats only is approved, because until they end it nobody closes the channel otherwise. Nil
	// approves each.
	Unattended func() bool
	// Wait says that no match may be proposed now; a later input proposes it. Nil proposes at once.
	Wait func() bool
	// Approve says whether to play a proposed match without asking the user. Nil asks about every
	// match. It must be pure.
	Approve func(*protocol.MatchTerms) bool
}

// Why an input is refused. Nothing has changed then.
var (
	// ErrNotOpen: the opening isn't confirmed on-chain yet. Wait for ChannelReady.
	ErrNotOpen = errors.New("the channel is not open yet: wait until its opening is confirmed on-chain")
	// ErrFrozen: the chain decides now: the channel is contested or closing, or the match's clock
	// runs.
	ErrFrozen = errors.New("the chain decides this now: wait for it or answer on-chain")
	// ErrRestored: the state is restored from a backup, and peers may know more.
	ErrRestored = errors.New("this channel was restored from a backup and signs nothing more: close it on-chain")
	// ErrUnshown: another seat says that it holds a ledger which this seat signed and which the
	// records lack.
	ErrUnshown = errors.New("your opponent says that it has a newer ledger which you signed, and your data doesn't: nothing is signed until it shows that")
	// ErrHeld: the node still asks its towers whether the state is an old copy.
	ErrHeld = errors.New("nothing is signed in this channel until your towers have said what they hold of it: wait a little")
	// ErrNoMatch: no such match is locked in the newest fully signed ledger, or we don't play in
	// it.
	ErrNoMatch = errors.New("no such match of ours is running: list the matches")
	// ErrNotYourTurn: another seat moves now.
	ErrNotYourTurn = errors.New("it is another player's turn")
	// ErrChainMoves: the chain is on move, and whoever holds an agreement could wait for the draw
	// and then choose.
	ErrChainMoves = errors.New("the chain is on move: agree once it has moved")
	// ErrStale: the input was made for a position or proposal that is no longer the newest.
	ErrStale = errors.New("things have moved on since: look again")
	// ErrWaiting: other seats' signatures are missing.
	ErrWaiting = errors.New("signatures of other seats are missing: wait for them")
	// ErrLate: nobody signs the position any more, so that nobody signs it with hindsight.
	ErrLate = errors.New("too late to sign this off-chain: what counts is whether the chain has it in time")
	// ErrRefused: a seat had refused the match, and completed its lock later.
	ErrRefused = errors.New("this match was refused when it was proposed and locked too late: offer the stakes back, or let it be voided on-chain")
	// ErrOver: the match is over, or all its seats agreed to end it.
	ErrOver = errors.New("the match is over: wait until it is booked")
	// ErrBound: the match goes on, but a ledger that books it may still become complete.
	ErrBound = errors.New("a ledger that ends this match may still become complete: wait for a newer one, or for the channel to be paid out")
	// ErrSigned: another digest is signed already at this version or turn.
	ErrSigned = errors.New("another one is signed already: this can only be settled on-chain")
	// ErrCheap: Policy.Enforceable refuses the stakes.
	ErrCheap = errors.New("enforcing these stakes costs more than they are worth")
	// ErrFlood: since the last Tick a seat gave more work than its allowance. What matters is sent
	// again.
	ErrFlood = errors.New("this peer sends too much at once: what matters is repeated after the next tick")
	// ErrPeer is wrapped by every error about a message that an honest peer would not have sent.
	ErrPeer = errors.New("peer broke the protocol")
)

func (c *Config) check() error {
	if err := c.Terms.Check(); err != nil {
		return err
	}
	if c.Seat < 0 || c.Seat >= c.Terms.Seats() {
		return fmt.Errorf("%w: seat %d in a channel of %d", protocol.ErrTerms, c.Seat, c.Terms.Seats())
	}
	if c.Signer == nil || c.Rules == nil {
		return fmt.Errorf("%w: a machine needs a signer and rules", protocol.ErrTerms)
	}
	if got := c.Signer.Address(); got != c.Terms.Signers[c.Seat] {
		return fmt.Errorf("%w: the key of %s cannot sign for seat %d, whose signer is %s", protocol.ErrTerms, got, c.Seat, c.Terms.Signers[c.Seat])
	}
	return nil
}
