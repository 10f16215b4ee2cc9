package codec

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
)

// Why the Arena refuses a call, and what to do about it. They are named as in
// contracts/src/IArena.sol.
var (
	ErrBadValue     = errors.New("the ETH sent is not what the call needs: send exactly the amount of a deposit in ETH, nothing with one of a token")
	ErrBadAccount   = errors.New("the account or receiver is the zero address: name a real one")
	ErrNotEnough    = errors.New("not enough in the bank: deposit more first")
	ErrBadTerms     = errors.New("the channel's or match's terms are malformed or outside the Arena's bounds: agree on others")
	ErrTooLate      = errors.New("too late: the deadline has come, and only what follows it is accepted now")
	ErrTooEarly     = errors.New("too early: wait for the deadline")
	ErrBadSignature = errors.New("a signature is missing, malformed or by the wrong key: check chain id, Arena address and who has to sign")
	ErrBadStatus    = errors.New("the channel or match is not in a state for this call: read its last event")
	ErrBadLedger    = errors.New("the ledger is malformed, doesn't sum to the deposits or isn't the one that is posted: take it from the last event")
	ErrStaleLedger  = errors.New("a newer ledger is posted already: nothing to do unless you hold a newer one still")
	ErrNotLocked    = errors.New("the ledger doesn't lock this match with these stakes: supply one that does")
	ErrNotRecorded  = errors.New("the record is not the one that the Arena has: take it from the match's last event")
	ErrBadSupport   = errors.New("the evidence lacks a signature, or doesn't start where it must: supply a base that every seat signed, or the recorded position")
	ErrNotHigher    = errors.New("the evidence doesn't rank above what is recorded: nothing to do unless you hold better")
	ErrBadDemand    = errors.New("the Demand is by nobody who may demand here, or a clock runs already")
	ErrBadAgreement = errors.New("the agreement is below the recorded turn, or its payouts don't sum to the stakes: it is dead")
	ErrBadProof     = errors.New("the two positions prove nothing: they must differ, at one turn, signed by one seat")
	ErrBadState     = errors.New("the state is not the recorded one: take it from the match's last event")
	ErrRulesFailed  = errors.New("the rules refuse this move: it is illegal, or leads to a state that they can't judge")
	ErrNotEnoughGas = errors.New("not enough gas: send more, since the rules must be given a fixed allowance")
	ErrReentered    = errors.New("a token or wallet called the Arena back in the middle of a payment: avoid it")
	ErrToken        = errors.New("the token refused the transfer: check its balance and that the Arena is approved to take the amount")
	ErrOverflow     = errors.New("amounts overflow 256 bits: agree on smaller ones")
	ErrPayee        = errors.New("the receiver refused the money: withdraw to another address")
)

// ErrUnexplained is wrapped by the error for a failure that the Arena gives no reason for.
var ErrUnexplained = errors.New("the call failed without a reason that Ante knows: check the Arena's address and the gas limit")

var reasons = map[string]error{
	"BadValue": ErrBadValue, "BadAccount": ErrBadAccount, "NotEnough": ErrNotEnough, "BadTerms": ErrBadTerms,
	"TooLate": ErrTooLate, "TooEarly": ErrTooEarly, "BadSignature": ErrBadSignature, "BadStatus": ErrBadStatus,
	"BadLedger": ErrBadLedger, "StaleLedger": ErrStaleLedger, "NotLocked": ErrNotLocked, "NotRecorded": ErrNotRecorded,
	"BadSupport": ErrBadSupport, "NotHigher": ErrNotHigher, "BadDemand": ErrBadDemand, "BadAgreement": ErrBadAgreement,
	"BadProof": ErrBadProof, "BadState": ErrBadState, "RulesFailed": ErrRulesFailed, "NotEnoughGas": ErrNotEnoughGas,
	"ReentrancyGuardReentrantCall": ErrReentered, "SafeERC20FailedOperation": ErrToken,
	"FailedCall": ErrPayee, "InsufficientBalance": ErrPayee,
}

// overflow is how go-ethereum names Solidity's panic 0x11.
const overflow = "arithmetic underflow or overflow"

// Explain returns the error for what a call of the Arena reverted with: one of this package's, with
// the numbers that came with it.
func Explain(data []byte) error {
	if len(data) < 4 {
		return fmt.Errorf("%w (reverted with %d bytes)", ErrUnexplained, len(data))
	}
	if text, err := abi.UnpackRevert(data); err == nil {
		if text == overflow {
			return ErrOverflow
		}
		return fmt.Errorf("%w (%s)", ErrUnexplained, text)
	}
	known, err := arenaABI().ErrorByID([4]byte(data))
	if err != nil {
		return fmt.Errorf("%w (reverted with %s)", ErrUnexplained, short(data))
	}
	reason, ok := reasons[known.Name]
	if !ok {
		return fmt.Errorf("%w (%s)", ErrUnexplained, known.Name)
	}
	values, err := known.Inputs.Unpack(data[4:])
	if err != nil || len(values) == 0 {
		return reason
	}
	said := make([]string, len(values))
	for i, v := range values {
		said[i] = fmt.Sprintf("%s %v", known.Inputs[i].Name, v)
	}
	return fmt.Errorf("%w (%s)", reason, strings.Join(said, ", "))
}

// short returns data in hex, the start of it if it is long.
func short(data []byte) string {
	if len(data) > 36 {
		return hex.EncodeToString(data[:36]) + "…"
	}
	return hex.EncodeToString(data)
}
