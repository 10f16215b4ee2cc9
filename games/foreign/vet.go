package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ethereum/go-ethereum/core/vm"
)

// ErrCode is wrapped by every error about code that is not played, because it could judge
// differently on the chain than it plays here.
var ErrCode = errors.New("these rules can't be trusted to judge as they play")

// maxCode is the most code that an account can have (EIP-170), in bytes.
const maxCode = 24576

// Vet refuses code that is not a pure function of its input: that could read the chain, storage,
// gas, the time or its caller, call other code, or use instructions that not every chain has that
// runs the Arena, which is compiled for Cancun. Such rules might show a player one thing and the
// Arena another.
//
// It looks at every instruction that could be reached. The EVM jumps only to JUMPDESTs that are no
// operand of a PUSH, read from the first byte on, so nothing else can ever run; what stands behind
// the end of a block and has none in it is data.
func Vet(code []byte) error {
	switch {
	case len(code) == 0:
		return fmt.Errorf("%w: there is no code: is the address right?", ErrCode)
	case len(code) > maxCode:
		return fmt.Errorf("%w: %d bytes of code, at most %d are allowed", ErrCode, len(code), maxCode)
	}
	var found []string
	reached := true
	for at := 0; at < len(code); at++ {
		op := vm.OpCode(code[at])
		if reached = reached || op == vm.JUMPDEST; reached && !pure(op) {
			if what := fmt.Sprintf("%v at byte %d", op, at); len(found) < 5 && !slices.Contains(found, what) {
				found = append(found, what)
			}
		}
		switch op {
		case vm.STOP, vm.RETURN, vm.REVERT, vm.INVALID, vm.JUMP:
			reached = false
		}
		if op.IsPush() {
			at += int(op) - int(vm.PUSH0)
		}
	}
	if len(found) > 0 {
		return fmt.Errorf("%w: rules may not use %s (compiled without metadata, data is not mistaken for code)", ErrCode, strings.Join(found, ", "))
	}
	return nil
}

// Deployed returns the code that a game's contract has on a chain, and whether that is a pure
// function of its input (Vet).
func Deployed(g games.Game) (code []byte, pure bool, err error) {
	code, err = evm.Runtime(g.Contract)
	return code, err == nil && Vet(code) == nil, err
}

// pure reports whether all that an instruction's result depends on is the code, the call's data and
// what was computed before. The value of a call is always zero.
func pure(op vm.OpCode) bool {
	switch {
	case op >= vm.PUSH0 && op <= vm.SWAP16, op >= vm.ADD && op <= vm.SIGNEXTEND, op >= vm.LT && op <= vm.SAR:
		return true
	}
	switch op {
	case vm.STOP, vm.KECCAK256, vm.CALLVALUE, vm.CALLDATALOAD, vm.CALLDATASIZE, vm.CALLDATACOPY, vm.CODESIZE, vm.CODECOPY,
		vm.RETURNDATASIZE, vm.RETURNDATACOPY, vm.POP, vm.MLOAD, vm.MSTORE, vm.MSTORE8, vm.JUMP, vm.JUMPI, vm.PC, vm.MSIZE,
		vm.JUMPDEST, vm.MCOPY, vm.RETURN, vm.REVERT, vm.INVALID:
		return true
	}
	return false
}
