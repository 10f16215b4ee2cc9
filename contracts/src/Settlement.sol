// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IArena} from "./IArena.sol";
import {Matches} from "./Matches.sol";
import {Packed, Terms} from "./Packed.sol";
import {Shares} from "./Shares.sol";
import "./Types.sol" as T;

/// @title Paying out what was contested
/// @notice What `contest` or a match's own calls have checked is not checked again: that a fingerprint fits says that it
/// was. But how much a channel pays rests on no fingerprint: its terms are what its id is the whole hash of, its ledger
/// shares out the deposits exactly, and a match its stakes. So whoever made two ledgers or two records with one
/// fingerprint would move the money of that one channel and nobody else's.
/// @dev Bytes are read where they lie in calldata.
abstract contract Settlement is IArena, Matches {
    /// @dev The locks that are paid: where in calldata they lie.
    struct Locks {
        bytes32 channelId;
        uint256 count;
        uint256 index; // of the lock at hand
        uint256 lock;
    }

    /// @dev A match to pay: where in calldata its parts lie. Stakes lie in its lock.
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
    function settle(bytes calldata posting) external nonReentrantView {
        bytes calldata terms = Packed.leading(posting);
        Terms memory t = Packed.terms(terms);
        (bytes calldata ledger, bytes calldata finals) = _divide(posting, t, terms.length);
        Locks memory p;
        p.channelId = _digest(t.hash);
        ChannelSlot storage place = _channels[p.channelId];
        uint256 channel = place.word;
        uint256 print = Packed.print(ledger);
        if (!_isPosted(channel, print)) revert BadLedger();
        uint256 seats = t.players.length;
        uint256[] memory due;
        uint256 balances;
        assembly ("memory-safe") {
            balances := add(ledger.offset, 10)
            let locks := add(balances, shl(5, seats))
            mstore(add(p, 0x20), byte(0, calldataload(locks)))
            mstore(add(p, 0x60), add(locks, 1))
        }
        if (uint8(channel) == T.CHANNEL_CONTESTED) {
            if (clock() < uint48(channel >> 8)) revert TooEarly(uint48(channel >> 8));
            // What is paid later is of this very ledger: nobody finds two with one fingerprint of this length.
            place.word = T.CHANNEL_SETTLED | (print << 8);
            emit Settled(p.channelId, uint40(channel >> 56));
            due = _words(balances, seats);
        } else {
            due = new uint256[](seats);
        }
        for (uint256 from; from < finals.length;) {
            Final memory f;
            from = _take(p, finals, from, f);
            _payLock(p, t, f, due);
        }
        unchecked {
            for (uint256 i; i < seats; ++i) {
                uint256 amount = Packed.word(due, i);
                if (amount != 0) _credit(t.asset, Packed.word(t.players, i), amount);
            }
        }
    }

    /// @dev Divides what follows the terms into the ledger and the matches to pay. Refuses a ledger that does not share out
    /// the deposits exactly.
    function _divide(bytes calldata posting, Terms memory t, uint256 terms)
        private
        pure
        returns (bytes calldata ledger, bytes calldata finals)
    {
        uint256 from;
        assembly ("memory-safe") {
            from := add(posting.offset, terms)
        }
        (uint256 seats, uint256 sum, uint256 end) = Packed.shared(from);
        bool whole;
        assembly ("memory-safe") {
            ledger.offset := from
            ledger.length := sub(end, from)
            finals.offset := end
            finals.length := sub(add(posting.offset, posting.length), end)
            whole := iszero(gt(end, add(posting.offset, posting.length)))
        }
        if (!whole || seats != t.players.length || sum != Shares.sum(t.deposits)) revert BadLedger();
    }

    /// @dev Reads a match to pay and finds its lock. Returns where the next one begins.
    function _take(Locks memory p, bytes calldata finals, uint256 from, Final memory f)
        private
        pure
        returns (uint256 end)
    {
        bool found;
        assembly ("memory-safe") {
            let at := add(finals.offset, from)
            let wanted := byte(0, calldataload(at))
            let index := mload(add(p, 0x40))
            found := iszero(or(lt(wanted, index), iszero(lt(wanted, mload(add(p, 0x20))))))
            if found {
                let lock := mload(add(p, 0x60))
                for {} lt(index, wanted) { index := add(index, 1) } {
                    lock := add(add(lock, 33), shl(5, byte(0, calldataload(add(lock, 32)))))
                }
                mstore(add(p, 0x40), index)
                mstore(add(p, 0x60), lock)
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
    function _payLock(Locks memory p, Terms memory t, Final memory f, uint256[] memory due) private {
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
        if (_fingerprint(p, t, f) != slot >> 72) revert NotRecorded();
        place.word = (slot & ~uint256(0xff)) | T.MATCH_PAID;
        uint256 n = f.seats;
        uint256[] memory payouts;
        unchecked {
            payouts = _words(f.end - 32 * n, n); // they end the record
        }
        if (_flagged(slot) != 0 && n > 2) Shares.redistribute(payouts, _words(f.stakes, n), _flagged(slot));
        bool exact;
        assembly ("memory-safe") {
            let seat := add(mload(add(f, 0x60)), 20)
            let from := add(payouts, 0x20)
            let stake := mload(add(f, 0x40))
            let pot := 0
            let paid := 0
            exact := 1
            for { let left := n } left { left := sub(left, 1) } {
                let v := mload(from)
                let to := add(add(due, 0x20), shl(5, byte(0, calldataload(seat))))
                mstore(to, add(mload(to), v))
                paid := add(paid, v)
                exact := gt(exact, lt(paid, v))
                pot := add(pot, calldataload(stake)) // overflows no more than the ledger's sum did
                from := add(from, 0x20)
                stake := add(stake, 0x20)
                seat := add(seat, 1)
            }
            exact := gt(eq(paid, pot), iszero(exact))
        }
        if (!exact) revert NotRecorded(); // no record of the Arena's has such payouts
        _tell(p.channelId, matchId, payouts);
    }

    /// @dev Emits LockPaid. There is a word before the payouts.
    function _tell(bytes32 channelId, bytes32 matchId, uint256[] memory payouts) private {
        bytes32 topic = IArena.LockPaid.selector;
        assembly ("memory-safe") {
            let data := sub(payouts, 0x20)
            mstore(data, 0x20)
            log3(data, add(0x40, shl(5, mload(payouts))), topic, channelId, matchId)
        }
    }

    /// @dev What must be kept of the match if game and record are what terms, lock and caller say. Signers differ from seat to
    /// seat, so that they tell which seats the match is among.
    function _fingerprint(Locks memory p, Terms memory t, Final memory f) private pure returns (uint256 print) {
        bool fits = true;
        assembly ("memory-safe") {
            let game := mload(0x40)
            let n := mload(add(f, 0x20))
            let rules := mload(add(f, 0x60))
            mstore(game, mload(p))
            mstore(add(game, 32), mload(f))
            calldatacopy(add(game, 64), rules, 20)
            mstore(add(game, 84), shl(192, mload(add(t, 0x40))))
            mstore8(add(game, 92), n)
            let to := add(game, 93)
            let from := add(rules, 20)
            for { let last := add(from, n) } lt(from, last) { from := add(from, 1) } {
                let seat := byte(0, calldataload(from))
                let signers := mload(add(t, 0xa0))
                fits := and(fits, lt(seat, mload(signers)))
                mstore(to, shl(96, mload(add(add(signers, 0x20), shl(5, seat)))))
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
            list := add(mload(0x40), 0x20) // after a word for who tells them
            mstore(list, n)
            calldatacopy(add(list, 0x20), from, shl(5, n))
            mstore(0x40, add(add(list, 0x20), shl(5, n)))
        }
    }
}
