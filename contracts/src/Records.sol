// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {NOBODY} from "./IRules.sol";
import {MATCH_AGREED, MATCH_FINAL} from "./Types.sol";

/// @notice What the Arena knows of a match: where in memory it lies, packed as calldata and logs carry it, so that nothing
/// is unpacked to be judged. Marks are turns plus one, 0 meaning none; times are in the Arena's clock.
type Record is uint256;

using Records for Record global;

/// @title Reading and writing records in place
/// @notice The Arena keeps a fingerprint only; events carry the record, and callers supply it again. Layout: Types.sol.
/// There is always room for payouts behind a record.
library Records {
    uint256 private constant FINAL_HEAD = 42; // bytes before the payouts of a FINAL record
    uint256 private constant HEAD = 76; // bytes before the seats of any other
    uint256 private constant SEAT = 14; // bytes of a seat

    /// @dev Bytes that a record of n seats has at most.
    function room(uint256 n) internal pure returns (uint256) {
        unchecked {
            return HEAD + (SEAT + 32) * n;
        }
    }

    /// @dev Bytes of a record of this status and n seats.
    function size(uint8 status_, uint256 n) internal pure returns (uint256) {
        unchecked {
            if (status_ == MATCH_FINAL) return FINAL_HEAD + 32 * n;
            return status_ < MATCH_AGREED ? HEAD + SEAT * n : room(n);
        }
    }

    // -------------------------------------------------------------------------------------------------------- reading

    /// @notice keccak256 of the recorded rule state.
    function state(Record r) internal pure returns (bytes32 v) {
        assembly ("memory-safe") {
            v := mload(r)
        }
    }

    function status(Record r) internal pure returns (uint8 v) {
        assembly ("memory-safe") {
            v := byte(0, mload(add(r, 32)))
        }
    }

    function mover(Record r) internal pure returns (uint8 v) {
        assembly ("memory-safe") {
            v := byte(1, mload(add(r, 32)))
        }
    }

    /// @notice The mark of the recorded turn.
    function turn(Record r) internal pure returns (uint64 v) {
        assembly ("memory-safe") {
            v := shr(192, mload(add(r, 34)))
        }
    }

    /// @notice The mark of the posted Agreement's turn. Not in a FINAL record; nor is anything below.
    function agreedAt(Record r) internal pure returns (uint64 v) {
        assembly ("memory-safe") {
            v := shr(192, mload(add(r, 42)))
        }
    }

    /// @notice The block in which the state was first recorded.
    function recorded(Record r) internal pure returns (uint64 v) {
        assembly ("memory-safe") {
            v := shr(192, mload(add(r, 50)))
        }
    }

    /// @notice When the position was first recorded.
    function since(Record r) internal pure returns (uint48 v) {
        assembly ("memory-safe") {
            v := shr(208, mload(add(r, 58)))
        }
    }

    /// @notice When the running clock started.
    function clock(Record r) internal pure returns (uint48 v) {
        assembly ("memory-safe") {
            v := shr(208, mload(add(r, 64)))
        }
    }

    /// @notice The end of the running clock, or of the window of AGREED and OVER; 0: none.
    function deadline(Record r) internal pure returns (uint48 v) {
        assembly ("memory-safe") {
            v := shr(208, mload(add(r, 70)))
        }
    }

    /// @notice The clock time that a seat has used.
    function spent(Record r, uint256 seat) internal pure returns (uint48 v) {
        assembly ("memory-safe") {
            v := shr(208, mload(add(add(r, 84), mul(14, seat))))
        }
    }

    /// @notice The record as bytes, of which there are `length`.
    function copy(Record r, uint256 length) internal pure returns (bytes memory out) {
        assembly ("memory-safe") {
            out := mload(0x40)
            mstore(out, length)
            mcopy(add(out, 0x20), r, length)
            mstore(0x40, and(add(add(out, length), 0x3f), not(0x1f)))
        }
    }

    /// @notice The lowest mark of the n seats: what all have agreed to.
    function agreed(Record r, uint256 n) internal pure returns (uint64 low) {
        assembly ("memory-safe") {
            low := 0xffffffffffffffff
            r := add(r, 76)
            for { let end := add(r, mul(14, n)) } lt(r, end) { r := add(r, 14) } {
                let mark := shr(192, mload(r))
                if lt(mark, low) { low := mark }
            }
        }
    }

    /// @notice The mask of the seats that signed the recorded state (an expiry counts as signed by all).
    function signed(Record r, uint256 n) internal pure returns (uint256 mask) {
        assembly ("memory-safe") {
            let last := shr(192, mload(add(r, 34)))
            // From the last seat, whose mark lies 62 bytes after `at`, to the first.
            for { let at := add(r, mul(14, n)) } xor(at, r) { at := sub(at, 14) } {
                mask := or(shl(1, mask), eq(shr(192, mload(add(at, 62))), last))
            }
        }
    }

    // -------------------------------------------------------------------------------------------------------- writing

    function set(Record r, bytes32 state_, uint8 status_, uint8 mover_, uint64 turn_) internal pure {
        assembly ("memory-safe") {
            mstore(r, state_)
            let head := or(or(shl(248, status_), shl(240, mover_)), shl(176, turn_))
            mstore(add(r, 32), or(head, shr(80, shl(80, mload(add(r, 32))))))
        }
    }

    function setStatus(Record r, uint8 status_) internal pure {
        assembly ("memory-safe") {
            mstore8(add(r, 32), status_)
        }
    }

    function setAgreedAt(Record r, uint64 mark) internal pure {
        _put(r, 42, mark);
    }

    function setRecorded(Record r, uint64 block_, uint48 since_) internal pure {
        assembly ("memory-safe") {
            let at := add(r, 50)
            mstore(at, or(shl(144, or(shl(48, block_), since_)), shr(112, shl(112, mload(at)))))
        }
    }

    /// @notice When the mover's clock starts, 0 if none runs, and the deadline.
    function setClock(Record r, uint48 start, uint48 end) internal pure {
        assembly ("memory-safe") {
            let at := add(r, 64)
            mstore(at, or(shl(160, or(shl(48, start), end)), shr(96, shl(96, mload(at)))))
        }
    }

    function setMark(Record r, uint256 seat, uint64 mark) internal pure {
        unchecked {
            _put(r, HEAD + SEAT * seat, mark);
        }
    }

    function setMarks(Record r, uint256 n, uint64 mark) internal pure {
        for (uint256 i; i < n; ++i) {
            setMark(r, i, mark);
        }
    }

    /// @notice Adds to the clock time that a seat has used.
    function addSpent(Record r, uint256 seat, uint48 time) internal pure {
        assembly ("memory-safe") {
            let at := add(add(r, 84), mul(14, seat))
            mstore(at, add(mload(at), shl(208, time)))
        }
    }

    /// @notice Copies payouts, n words in memory, behind the seats.
    function setPayouts(Record r, uint256 n, uint256 payouts) internal pure {
        assembly ("memory-safe") {
            mcopy(add(add(r, 76), mul(14, n)), payouts, shl(5, n))
        }
    }

    /// @notice Makes it a record whose payouts, n words in memory, stand. It depends on nothing but what happened, not on
    /// when, so that whoever ends a match can say in the same transaction what its record will be.
    function finish(Record r, uint256 n, uint64 turn_, bytes32 state_, uint256 payouts) internal pure {
        uint256 head = (uint256(MATCH_FINAL) << 248) | (uint256(NOBODY) << 240);
        assembly ("memory-safe") {
            mstore(r, state_)
            mstore(add(r, 32), or(head, shl(176, turn_)))
            mcopy(add(r, 42), payouts, shl(5, n))
        }
    }

    /// @dev Writes 64 bits.
    function _put(Record r, uint256 offset, uint64 v) private pure {
        assembly ("memory-safe") {
            let at := add(r, offset)
            mstore(at, or(shl(192, v), shr(64, shl(64, mload(at)))))
        }
    }
}
