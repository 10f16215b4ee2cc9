// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IArena} from "./IArena.sol";
import {Matches} from "./Matches.sol";
import {Packed} from "./Packed.sol";
import {Postings} from "./Postings.sol";
import {Shares} from "./Shares.sol";
import "./Types.sol" as T;

/// @title Paying out what was contested
/// @dev Nothing is checked again that `contest` or a match's own calls have checked: that a fingerprint fits says that it
/// was. Bytes are read where they lie in calldata.
abstract contract Settlement is IArena, Matches {
    /// @dev A posting: where in calldata its parts lie.
    struct Posting {
        bytes32 channelId;
        uint256 seats; // how many
        address asset;
        uint64 window;
        uint256 players;
        uint256 signers;
        uint256 locks; // how many
        uint256 index; // of the lock at hand
        uint256 lock;
    }

    /// @dev A match to pay: where in calldata its parts lie. Stakes lie in the posting's lock.
    struct Final {
        bytes32 matchId;
        uint256 seats; // how many
        uint256 stakes;
        uint256 rules; // the channel's seats come next, then the params
        uint256 params; // after their length
        uint256 size; // of the params
        uint256 record;
        uint256 end; // of the record
    }

    /// @inheritdoc IArena
    function settle(bytes calldata posting, bytes calldata finals) external nonReentrantView {
        bytes32 channelId = bytes32(posting);
        ChannelSlot storage place = _channels[channelId];
        uint256 channel = place.word;
        if (channel >> 96 != Postings.fingerprintOf(posting)) revert BadLedger();
        Posting memory p = _read(posting);
        uint256[] memory due = new uint256[](p.seats);
        if (uint8(channel) == T.CHANNEL_CONTESTED) {
            if (clock() < uint48(channel >> 8)) revert TooEarly(uint48(channel >> 8));
            place.word = (channel & ~uint256(0xff)) | T.CHANNEL_SETTLED;
            emit Settled(channelId, uint40(channel >> 56));
            assembly ("memory-safe") {
                // Balances and the number of locks lie before the first lock.
                let size := shl(5, mload(due))
                calldatacopy(add(due, 0x20), sub(sub(mload(add(p, 0x100)), size), 1), size)
            }
        } else if (uint8(channel) != T.CHANNEL_SETTLED) {
            revert BadStatus(uint8(channel));
        }
        for (uint256 from; from < finals.length;) {
            Final memory f;
            from = _take(p, finals, from, f);
            _payLock(p, f, due);
        }
        unchecked {
            for (uint256 i; i < due.length; ++i) {
                uint256 amount = Packed.word(due, i);
                if (amount == 0) continue;
                address player;
                assembly ("memory-safe") {
                    player := shr(96, calldataload(add(mload(add(p, 0x80)), mul(20, i))))
                }
                _credit(p.asset, player, amount);
            }
        }
    }

    /// @dev Reads a posting that has the form which `contest` checked.
    function _read(bytes calldata posting) private pure returns (Posting memory p) {
        uint256 head = Postings.HEAD;
        assembly ("memory-safe") {
            let from := posting.offset
            let n := byte(0, calldataload(add(from, 32)))
            let players := add(from, head)
            let signers := add(players, mul(20, n))
            let locks := add(add(signers, add(10, mul(20, n))), shl(5, n)) // after the head of the ledger and the balances
            mstore(p, calldataload(from))
            mstore(add(p, 0x20), n)
            mstore(add(p, 0x40), shr(96, calldataload(add(from, 33))))
            mstore(add(p, 0x60), shr(192, calldataload(add(from, 53))))
            mstore(add(p, 0x80), players)
            mstore(add(p, 0xa0), signers)
            mstore(add(p, 0xc0), byte(0, calldataload(locks)))
            mstore(add(p, 0x100), add(locks, 1))
        }
    }

    /// @dev Reads a match to pay and finds its lock. Returns where the next one begins.
    function _take(Posting memory p, bytes calldata finals, uint256 from, Final memory f)
        private
        pure
        returns (uint256 end)
    {
        bool found;
        assembly ("memory-safe") {
            let at := add(finals.offset, from)
            let wanted := byte(0, calldataload(at))
            let index := mload(add(p, 0xe0))
            found := iszero(or(lt(wanted, index), iszero(lt(wanted, mload(add(p, 0xc0))))))
            if found {
                let lock := mload(add(p, 0x100))
                for {} lt(index, wanted) { index := add(index, 1) } {
                    lock := add(add(lock, 33), shl(5, byte(0, calldataload(add(lock, 32)))))
                }
                mstore(add(p, 0xe0), index)
                mstore(add(p, 0x100), lock)
                let n := byte(0, calldataload(add(lock, 32)))
                mstore(f, calldataload(lock))
                mstore(add(f, 0x20), n)
                mstore(add(f, 0x40), add(lock, 33))
                mstore(add(f, 0x60), add(at, 1))
                at := add(add(at, 21), n)
                let size := shr(240, calldataload(at))
                mstore(add(f, 0x80), add(at, 2))
                mstore(add(f, 0xa0), size)
                at := add(add(at, 2), size)
                mstore(add(f, 0xc0), add(at, 2))
                at := add(add(at, 2), shr(240, calldataload(at)))
                mstore(add(f, 0xe0), at)
                end := sub(at, finals.offset)
            }
        }
        if (!found) revert NotLocked();
        if (end > finals.length) revert NotRecorded();
    }

    /// @dev Adds a final match's payouts to what the channel's seats are due.
    function _payLock(Posting memory p, Final memory f, uint256[] memory due) private {
        bytes32 matchId = f.matchId;
        MatchSlot storage place = _matches[matchId];
        uint256 slot = place.word;
        uint8 status = uint8(slot);
        // Somebody may have been faster with this one; that must not stop the others.
        if (status == T.MATCH_PAID) return;
        if (status != T.MATCH_FINAL) {
            if (!_isWindow(status)) revert BadStatus(status);
            if (clock() < _deadline(slot)) revert TooEarly(_deadline(slot));
        }
        if (_fingerprint(p, f) != slot >> 72) revert NotRecorded();
        place.word = (slot & ~uint256(0xff)) | T.MATCH_PAID;
        uint256 n = f.seats;
        uint256[] memory payouts;
        unchecked {
            payouts = _words(f.end - 32 * n, n); // they end the record
        }
        if (_flagged(slot) != 0 && n > 2) Shares.redistribute(payouts, _words(f.stakes, n), _flagged(slot));
        assembly ("memory-safe") {
            // No sum overflows: these are parts of one channel's deposits.
            let seat := add(mload(add(f, 0x60)), 20)
            for { let i := 0 } lt(i, n) { i := add(i, 1) } {
                let to := add(add(due, 0x20), shl(5, byte(0, calldataload(add(seat, i)))))
                mstore(to, add(mload(to), mload(add(add(payouts, 0x20), shl(5, i)))))
            }
        }
        emit LockPaid(p.channelId, matchId, payouts);
    }

    /// @dev What must be kept of the match if game and record are what posting and caller say. Signers differ from seat to
    /// seat, so that they tell which seats the match is among.
    function _fingerprint(Posting memory p, Final memory f) private pure returns (uint256 print) {
        bool fits = true;
        assembly ("memory-safe") {
            let game := mload(0x40)
            let n := mload(add(f, 0x20))
            let rules := mload(add(f, 0x60))
            mstore(game, mload(p))
            mstore(add(game, 32), mload(f))
            calldatacopy(add(game, 64), rules, 20)
            mstore(add(game, 84), shl(192, mload(add(p, 0x60))))
            mstore8(add(game, 92), n)
            let to := add(game, 93)
            let from := add(rules, 20)
            for { let last := add(from, n) } lt(from, last) { from := add(from, 1) } {
                let seat := byte(0, calldataload(from))
                fits := and(fits, lt(seat, mload(add(p, 0x20))))
                calldatacopy(to, add(mload(add(p, 0xa0)), mul(20, seat)), 20)
                to := add(to, 20)
            }
            calldatacopy(to, mload(add(f, 0x40)), shl(5, n))
            to := add(to, shl(5, n))
            // Length and params.
            let size := add(mload(add(f, 0xa0)), 2)
            calldatacopy(to, from, size)
            to := add(to, size)
            size := sub(mload(add(f, 0xe0)), mload(add(f, 0xc0)))
            calldatacopy(to, mload(add(f, 0xc0)), size)
            print := shr(72, shl(72, keccak256(game, sub(add(to, size), game)))) // as Cases.fingerprint
        }
        if (!fits) revert NotRecorded();
    }

    /// @dev Words in calldata.
    function _words(uint256 from, uint256 n) private pure returns (uint256[] memory list) {
        assembly ("memory-safe") {
            list := mload(0x40)
            mstore(list, n)
            calldatacopy(add(list, 0x20), from, shl(5, n))
            mstore(0x40, add(add(list, 0x20), shl(5, n)))
        }
    }
}
