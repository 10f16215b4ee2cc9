// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case} from "./Cases.sol";
import {IArena} from "./IArena.sol";
import {CHANCE, IRules, NOBODY} from "./IRules.sol";
import {Shares} from "./Shares.sol";

/// @title Calls of untrusted rules
/// @notice Every call gets the same gas whatever the sender sent, may return a bounded number of
/// bytes, and is decoded here: a revert, a loop, a return bomb and rubbish all give `ok == false`.
/// The caller decides what follows.
/// @dev Calls are made from where the context lies (see library Contexts), or from memory that
/// nobody has been given yet.
library RulesCalls {
    /// @dev Gas of one call. Part of what a game may rely on.
    uint256 internal constant GAS = 1_000_000;
    /// @dev What must be there before a call so that GAS can be forwarded (EIP-150 keeps a 64th),
    /// and what follows a failure can still be done.
    uint256 private constant NEEDED = (GAS * 64) / 63 + 40_000;
    /// @dev The most that a call may return: offset, mover and length (96), and MAX_STATE.
    uint256 private constant MAX_RETURN = 4192;

    /// @notice The calls that need the context: {Contexts.tell} comes first.
    function start(Case k) internal view returns (bool, bytes memory, uint8) {
        return _next(k, IRules.start.selector, 1, "", msg.data[:0]);
    }

    function play(Case k, bytes memory state, bytes calldata move)
        internal
        view
        returns (bool, bytes memory, uint8)
    {
        return _next(k, IRules.play.selector, 3, state, move);
    }

    function expire(Case k, bytes memory state) internal view returns (bool, bytes memory, uint8) {
        return _next(k, IRules.expire.selector, 2, state, msg.data[:0]);
    }

    function mover(Case k, bytes memory state) internal view returns (bool ok, uint8 seat) {
        _enough();
        (address rules, bytes4 selector) = (k.rules(), IRules.mover.selector);
        uint256 word;
        assembly ("memory-safe") {
            let data := mload(0x40)
            let size := and(add(mload(state), 0x3f), not(0x1f)) // with the length
            mstore(data, selector)
            mstore(add(data, 0x04), 0x20)
            mstore(add(data, add(0x04, size)), 0) // what the last word has no bytes for
            mcopy(add(data, 0x24), state, add(mload(state), 0x20))
            ok := staticcall(GAS, rules, data, add(0x24, size), 0, 0x20)
            ok := and(ok, and(gt(returndatasize(), 0x1f), iszero(gt(returndatasize(), MAX_RETURN))))
            word := mload(0)
        }
        if (!ok) return (false, 0);
        return _seat(word, k.seats());
    }

    /// @notice What a state that is over pays: `payouts` lie in memory, a word each.
    function outcome(Case k, bytes memory state)
        internal
        view
        returns (bool ok, uint256 payouts, bytes32 verdict)
    {
        _enough();
        (address rules, bytes4 selector) = (k.rules(), IRules.outcome.selector);
        (uint256 stakes, uint256 n) = (k.stakes(), k.seats());
        assembly ("memory-safe") {
            let words := shl(5, n)
            let data := mload(0x40)
            let size := and(add(mload(state), 0x3f), not(0x1f)) // with the length
            let list := add(add(data, 0x44), size)
            mstore(data, selector)
            mstore(add(data, 0x04), 0x40)
            mstore(add(data, 0x24), add(size, 0x40))
            mstore(sub(list, 0x20), 0) // what the last word has no bytes for
            mcopy(add(data, 0x44), state, add(mload(state), 0x20))
            mstore(list, n)
            mcopy(add(list, 0x20), stakes, words)
            ok := staticcall(GAS, rules, data, add(add(0x64, size), words), 0, 0)
            ok := and(ok, iszero(or(lt(returndatasize(), add(0x80, words)), gt(returndatasize(), MAX_RETURN))))
            if ok {
                returndatacopy(data, 0, add(0x80, words)) // offset, mask, reason, length, words
                let mask := mload(add(data, 0x20))
                ok := and(eq(mload(data), 0x60), and(iszero(shr(n, mask)), eq(mload(add(data, 0x60)), n)))
                verdict := or(shl(240, mask), shr(16, mload(add(data, 0x40))))
                payouts := add(data, 0x80)
                mstore(0x40, add(payouts, words))
            }
        }
        if (!ok) return (false, 0, 0);
        return (Shares.equal(payouts, stakes, n), payouts, verdict);
    }

    /// @dev Calls with (Context), (Context, state) or (Context, state, move), which returns (bytes
    /// next, uint8 mover).
    function _next(Case k, bytes4 selector, uint256 parts, bytes memory state, bytes calldata move)
        private
        view
        returns (bool ok, bytes memory next, uint8 seat)
    {
        _enough();
        (address rules, uint256 place) = (k.rules(), k.place());
        uint256 word;
        assembly ("memory-safe") {
            let end := mload(place) // of the context, and where the state lies or comes to lie
            let head := sub(add(place, 0xa0), shl(5, parts))
            mstore(sub(head, 0x20), shr(224, selector))
            mstore(head, shl(5, parts))
            let to := end
            if gt(parts, 1) {
                mstore(add(head, 0x20), sub(end, head))
                let size := mload(state)
                if iszero(eq(state, end)) { mcopy(end, state, add(size, 0x20)) }
                mstore(add(add(end, 0x20), size), 0) // what the last word has no bytes for
                to := add(end, and(add(size, 0x3f), not(0x1f)))
            }
            if gt(parts, 2) {
                mstore(add(head, 0x40), sub(to, head))
                mstore(to, move.length)
                calldatacopy(add(to, 0x20), move.offset, move.length)
                mstore(add(add(to, 0x20), move.length), 0)
                to := add(to, and(add(move.length, 0x3f), not(0x1f)))
            }
            head := sub(head, 4)
            ok := staticcall(GAS, rules, head, sub(to, head), 0, 0x40)
            let size := returndatasize()
            ok := and(ok, iszero(or(lt(size, 0x60), gt(size, MAX_RETURN))))
            if ok {
                // Offset and mover are in scratch space; length and bytes go where the state lies.
                word := mload(0x20)
                size := sub(size, 0x40)
                returndatacopy(end, 0x40, size)
                ok := and(eq(mload(0), 0x40), iszero(gt(mload(end), sub(size, 0x20))))
                next := end
                end := add(end, and(add(size, 0x1f), not(0x1f)))
                if gt(end, mload(0x40)) { mstore(0x40, end) }
            }
        }
        if (!ok) return (false, "", 0);
        (ok, seat) = _seat(word, k.seats());
    }

    function _seat(uint256 word, uint256 seats) private pure returns (bool, uint8) {
        return (word < seats || word == NOBODY || word == CHANCE, uint8(word));
    }

    function _enough() private view {
        if (gasleft() < NEEDED) revert IArena.NotEnoughGas();
    }
}
