package chain

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrUnknownBlock says that an endpoint does not have a block: it lags, or the block left the
// chain. Ask again later.
var ErrUnknownBlock = errors.New("the endpoint does not know this block (yet, or any more)")

// Unreachable says that an endpoint did not answer, or not in JSON-RPC.
type Unreachable struct {
	Endpoint string // without path and credentials
	Err      error
}

func (e *Unreachable) Error() string {
	return fmt.Sprintf("cannot reach the chain at %s: %v: check that the node runs there, or name another endpoint", e.Endpoint, e.Err)
}
func (e *Unreachable) Unwrap() error { return e.Err }

// Refusing says that an endpoint answers, but refuses something that is needed. Meanwhile the other
// endpoint, if any, is asked for it. If it refuses blocks or logs that are to be compared, nothing
// becomes final; if it refuses its newest block, or receipts for long, it is ignored.
type Refusing struct {
	Endpoint string
	What     string
	Err      error
}

func (e *Refusing) Error() string {
	return fmt.Sprintf("%s answers, but refuses %s: %v: wait until it does not, raise its limits, or name another endpoint", e.Endpoint, e.What, e.Err)
}
func (e *Refusing) Unwrap() error { return e.Err }

// WrongChain says that an endpoint serves another chain than the one configured.
type WrongChain struct {
	Endpoint   string
	Want, Have uint64 // chain ids
}

func (e *WrongChain) Error() string {
	return fmt.Sprintf("%s serves chain %d, not chain %d: name an endpoint of chain %d", e.Endpoint, e.Have, e.Want, e.Want)
}

// Lagging says that an endpoint is behind the other one, or that its newest block is old. What only
// one of them has does not become final, unless the one that is behind is stuck: then only the
// other one counts.
type Lagging struct {
	Endpoint string
	Blocks   uint64        // behind the other one
	Age      time.Duration // of its newest block; 0: not old
}

func (e *Lagging) Error() string {
	if e.Age != 0 {
		return fmt.Sprintf("%s is stuck: its newest block is %v old: disputes may be seen too late: name another endpoint, or, if blocks keep coming, set this computer's clock", e.Endpoint, e.Age)
	}
	return fmt.Sprintf("%s is %d blocks behind the other endpoint, or that one invents blocks: nothing is final before both have it: compare with a block explorer and replace the wrong one", e.Endpoint, e.Blocks)
}

// WrongClock says that this computer's clock is behind the chain's. Deadlines are the chain's, but
// peers refuse the proofs of one that is more than a day off, and invites seem to last longer than
// they do.
type WrongClock struct {
	Endpoint string
	Behind   time.Duration // in whole minutes
}

func (e *WrongClock) Error() string {
	return fmt.Sprintf("this computer's clock is at least %d minutes behind the newest block of %s: set the clock, or, if it is right, name another endpoint",
		e.Behind/time.Minute, e.Endpoint)
}

// Lying says that two endpoints contradict each other, about a block that is deep enough to be
// final or about another fact, or that one contradicts itself. If it is about a block, nothing
// becomes final until they agree.
type Lying struct {
	Endpoint string
	Number   uint64 // of the block; 0: it is about none
	What     string
}

func (e *Lying) Error() string {
	where := ""
	if e.Number != 0 {
		where = fmt.Sprintf("at block %d, ", e.Number)
	}
	return fmt.Sprintf("%s cannot be trusted: %s%s: compare with a block explorer and replace the endpoint that is wrong", e.Endpoint, where, e.What)
}

// Unproved says that something which never changes of a chain, and decides how the Arena judges, is
// not known to be what the program takes it for: endpoints differ about it, don't tell it, or it is
// otherwise. The chain is asked again at each block.
type Unproved struct{ Why error } // not unwrapped: that endpoints lie about blocks is another fault

func (e *Unproved) Error() string {
	return fmt.Sprintf("%v; nothing new is played until this is right, and what runs is defended", e.Why)
}

// DeepReorg says that the chain was reorganised deeper than the confirmations, or is not the chain
// that was followed before (for example a restarted dev chain).
type DeepReorg struct {
	Number    uint64 // the lowest block known to have changed
	Forgotten bool   // deeper than what is remembered: following stops
}

func (e *DeepReorg) Error() string {
	if e.Forgotten {
		return fmt.Sprintf("the chain changed at or below block %d, deeper than is remembered: if this is a new dev chain, start with a new data directory; otherwise stop playing and ask for help", e.Number)
	}
	return fmt.Sprintf("the chain was reorganised from block %d, deeper than the confirmations waited for: raise them", e.Number)
}

// WentBack says that an endpoint's newest block is far below the blocks followed at it: it is of
// another chain with the same id, was reset, or lies. The node follows nothing until it returns.
type WentBack struct {
	Endpoint       string
	Head, Followed uint64 // numbers of blocks
}

func (e *WentBack) Error() string {
	return fmt.Sprintf("%s is at block %d, and was followed to %d: nothing that happens on the chain is seen: name another endpoint, and play for no money until then", e.Endpoint, e.Head, e.Followed)
}

// NotFollowing says that the Arena's events haven't been read at several attempts, or for a minute.
type NotFollowing struct{ Err error }

func (e *NotFollowing) Error() string {
	return fmt.Sprintf("the Arena's events are not being read, it is retried: %v", e.Err)
}
func (e *NotFollowing) Unwrap() error { return e.Err }

// Ahead says that reading stopped because the other endpoint lacks too many blocks: replace one of
// the two.
type Ahead struct{ Number uint64 } // the last block read

func (e *Ahead) Error() string {
	return fmt.Sprintf("the blocks after %d are at one endpoint only: compare with a block explorer and replace the wrong one", e.Number)
}

// Unconfirmed says that reading stopped because a block does not become final that both endpoints
// are far beyond: they contradict each other about it, or one refuses it.
type Unconfirmed struct {
	Number uint64 // of the block
	Last   uint64 // block read
}

func (e *Unconfirmed) Error() string {
	return fmt.Sprintf("the endpoints do not tell the same of block %d, and nothing after block %d is read until they do: compare block %d and its logs with a block explorer and replace the endpoint that is wrong",
		e.Number, e.Last, e.Number)
}

// BadLog says that a log of the Arena could not be decoded. It was passed over.
type BadLog struct {
	Block  Block
	Tx     common.Hash
	Err    error
	Undone bool // it was told before, and its block left the chain or was told wrongly
}

func (e *BadLog) Error() string {
	return fmt.Sprintf("a log of transaction %v in block %d was passed over: %v", e.Tx, e.Block.Number, e.Err)
}
func (e *BadLog) Unwrap() error { return e.Err }

// Reverted says that the chain refuses a call: sending it would cost gas and do nothing.
type Reverted struct {
	Reason error  // decoded from Data
	Data   []byte // what the contract returned
}

func (e *Reverted) Error() string { return fmt.Sprintf("the contract refuses: %v", e.Reason) }
func (e *Reverted) Unwrap() error { return e.Reason }

// EmptyWallet says that an account cannot pay for a transaction, or would be left without the
// reserve that answers to disputes need.
type EmptyWallet struct {
	Account    common.Address
	Have, Need uint256.Int // wei
}

func (e *EmptyWallet) Error() string {
	return fmt.Sprintf("account %v has %s wei and needs %s wei for gas and value: send it some ether", e.Account, e.Have.Dec(), e.Need.Dec())
}

// StuckTx says that a transaction does not land.
type StuckTx struct {
	Key    string
	Tx     common.Hash
	Blocks uint64 // since it was first sent
	Err    error  // why an endpoint refused it; nil: it was accepted
}

func (e *StuckTx) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: transaction %v is refused: %v: it is retried at every block", e.Key, e.Tx, e.Err)
	}
	return fmt.Sprintf("%s: transaction %v waits for %d blocks: it is retried at a higher price", e.Key, e.Tx, e.Blocks)
}
func (e *StuckTx) Unwrap() error { return e.Err }

// DeadlineNear says that three quarters of the time for a transaction have passed and it has not
// landed.
type DeadlineNear struct {
	Key           string
	Now, Deadline uint64 // in the Arena's clock
}

func (e *DeadlineNear) Error() string {
	return fmt.Sprintf("%s must land before %d and it is %d: check the endpoint, the wallet and the fee limits now", e.Key, e.Deadline, e.Now)
}

// FeeSpike says that landing a transaction costs more than the fee limit allows.
type FeeSpike struct {
	Key         string
	Need, Limit uint64 // wei per gas
}

func (e *FeeSpike) Error() string {
	return fmt.Sprintf("%s needs %d wei per gas and the limit is %d: it waits; raise the limit if it matters", e.Key, e.Need, e.Limit)
}

// NonceGap says that no transaction uses a nonce below those of waiting ones. An empty transfer
// fills it.
type NonceGap struct {
	Account common.Address
	Nonce   uint64
}

func (e *NonceGap) Error() string {
	return fmt.Sprintf("nonce %d of account %v was skipped and is being filled: let no other program send from this account", e.Nonce, e.Account)
}
