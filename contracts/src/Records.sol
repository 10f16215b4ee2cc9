// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {NOBODY} from "./IRules.sol";
import {MATCH_AGREED, MATCH_FINAL} from "./Types.sol";

/// @notice What the Arena knows of a match: where in memory it lies, packed as calldata and logs
/// carry it, so that nothing is unpacked to be judged. Marks are turns plus one, 0 meaning none;
/// times are in the Arena's clock.
type Record is uint256;

using Records for Record global;

/// @title Reading and writing records in place
/// @notice The Arena keeps a fingerprint only; events carry the record, and callers supply it
/// again. Layout: Types.sol. There is always room for payouts behind a record.
library Records {
    // Where the parts lie, in bytes from the record's first.
    uint256 private constant STATUS = 32;
    uint256 private constant MOVER = 33;
    uint256 private constant TURN = 34;
    uint256 private constant AGREED_AT = 42; // of a FINAL record: payouts
    uint256 private constant RECORDED = 50;
    uint256 private constant SINCE = 58;
    uint256 private constant CLOCK = 64;
    uint256 private constant DEADLINE = 70;
    uint256 private constant SEATS = 76;
    // Of a seat, in bytes: mark 8, spent 6.
    uint256 private constant SPENT = 8;
    uint256 private constant SEAT = 14;

    /// @dev Bytes that a record of n seats has at most.
    function room(uint256 n) internal pure returns (uint256) {
        unchecked {
            return SEATS + (SEAT + 32) * n;
        }
    }

    /// @dev Bytes of a record of this status and n seats.
    function size(uint8 status_, uint256 n) internal pure returns (uint256) {
        unchecked {
            if (status_ == MATCH_FINAL) return AGREED_AT + 32 * n;
            return status_ < MATCH_AGREED ? SEATS + SEAT * n : room(n);
        }
    }

    // ------------------------------------------------------------------------------------- reading

    /// @notice keccak256 of the recorded rule state.
    function state(Record r) internal pure returns (bytes32) {
        return bytes32(_word(r, 0));
    }

    function status(Record r) internal pure returns (uint8) {
        return uint8(_word(r, STATUS) >> 248);
    }

    function mover(Record r) internal pure returns (uint8) {
        return uint8(_word(r, MOVER) >> 248);
    }

    /// @notice The mark of the recorded turn.
    function turn(Record r) internal pure returns (uint64) {
        return uint64(_word(r, TURN) >> 192);
    }

    /// @notice The mark of the posted Agreement's turn. Not in a FINAL record; nor is anything
    /// below.
    function agreedAt(Record r) internal pure returns (uint64) {
        return uint64(_word(r, AGREED_AT) >> 192);
    }

    /// @notice The block since which the state is recorded.
    function recorded(Record r) internal pure returns (uint64) {
        return uint64(_word(r, RECORDED) >> 192);
    }

    /// @notice Since when the position is recorded.
    function since(Record r) internal pure returns (uint48) {
        return uint48(_word(r, SINCE) >> 208);
    }

    /// @notice When the running clock started.
    function clock(Record r) internal pure returns (uint48) {
        return uint48(_word(r, CLOCK) >> 208);
    }

    /// @notice The end of the running clock, or of the window of AGREED and OVER; 0: none.
    function deadline(Record r) internal pure returns (uint48) {
        return uint48(_word(r, DEADLINE) >> 208);
    }

    /// @notice The clock time that a seat has used.
    function spent(Record r, uint256 seat) internal pure returns (uint48) {
        return uint48(_word(r, _seat(seat) + SPENT) >> 208);
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
            r := add(r, SEATS)
            for { let end := add(r, mul(SEAT, n)) } lt(r, end) { r := add(r, SEAT) } {
                let mark := shr(192, mload(r))
                if lt(mark, low) { low := mark }
            }
        }
    }

    /// @notice The mask of the seats that signed the recorded state (an expiry counts as signed by
    /// all).
    function signed(Record r, uint256 n) internal pure returns (uint256 mask) {
        uint256 last = _word(r, TURN) >> 192;
        unchecked {
            for (uint256 i; i < n; ++i) {
                if (_word(r, _seat(i)) >> 192 == last) mask |= 1 << i;
            }
        }
    }

    // ------------------------------------------------------------------------------------- writing

    function set(Record r, bytes32 state_, uint8 status_, uint8 mover_, uint64 turn_) internal pure {
        _setWord(r, 0, uint256(state_));
        _put(r, STATUS, 80, (uint256(status_) << 72) | (uint256(mover_) << 64) | turn_);
    }

    function setStatus(Record r, uint8 status_) internal pure {
        _put(r, STATUS, 8, status_);
    }

    function setAgreedAt(Record r, uint64 mark) internal pure {
        _put(r, AGREED_AT, 64, mark);
    }

    function setRecorded(Record r, uint64 block_, uint48 since_) internal pure {
        _put(r, RECORDED, 112, (uint256(block_) << 48) | since_);
    }

    /// @notice When the mover's clock starts, 0 if none runs, and the deadline.
    function setClock(Record r, uint48 start, uint48 end) internal pure {
        _put(r, CLOCK, 96, (uint256(start) << 48) | end);
    }

    function setMark(Record r, uint256 seat, uint64 mark) internal pure {
        _put(r, _seat(seat), 64, mark);
    }

    function setMarks(Record r, uint256 n, uint64 mark) internal pure {
        for (uint256 i; i < n; ++i) {
            setMark(r, i, mark);
        }
    }

    /// @notice Adds to the clock time that a seat has used.
    function addSpent(Record r, uint256 seat, uint48 time) internal pure {
        unchecked {
            _put(r, _seat(seat) + SPENT, 48, uint48(spent(r, seat) + time));
        }
    }

    /// @notice Copies payouts, n words in memory, behind the seats.
    function setPayouts(Record r, uint256 n, uint256 payouts) internal pure {
        _copy(r, _seat(n), payouts, n);
    }

    /// @notice Makes it a record whose payouts, n words in memory, stand. It depends on nothing but
    /// what happened, not on when, so that whoever ends a match can say in the same transaction
    /// what its record will be.
    function finish(Record r, uint256 n, uint64 turn_, bytes32 state_, uint256 payouts) internal pure {
        _setWord(r, 0, uint256(state_));
        _setWord(r, STATUS, (uint256(MATCH_FINAL) << 248) | (uint256(NOBODY) << 240) | (uint256(turn_) << 176));
        _copy(r, AGREED_AT, payouts, n);
    }

    // -------------------------------------------------------------------------------------- memory

    /// @dev Where a seat's part lies.
    function _seat(uint256 seat) private pure returns (uint256) {
        unchecked {
            return SEATS + SEAT * seat;
        }
    }

    /// @dev Writes the lowest bits of a number, big-endian.
    function _put(Record r, uint256 offset, uint256 bits, uint256 v) private pure {
        unchecked {
            _setWord(r, offset, (v << (256 - bits)) | ((_word(r, offset) << bits) >> bits));
        }
    }

    function _word(Record r, uint256 offset) private pure returns (uint256 v) {
        assembly ("memory-safe") {
            v := mload(add(r, offset))
        }
    }

    function _setWord(Record r, uint256 offset, uint256 v) private pure {
        assembly ("memory-safe") {
            mstore(add(r, offset), v)
        }
    }

    /// @dev Copies n words in memory.
    function _copy(Record r, uint256 offset, uint256 words, uint256 n) private pure {
        assembly ("memory-safe") {
            mcopy(add(r, offset), words, shl(5, n))
        }
    }
}
