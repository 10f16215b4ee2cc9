// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Cases} from "./Cases.sol";
import {Final, Finals, Locks} from "./Finals.sol";
import {IArena} from "./IArena.sol";
import {Matches} from "./Matches.sol";
import {Packed, Terms} from "./Packed.sol";
import {Shares} from "./Shares.sol";
import "./Types.sol" as T;

/// @title Paying out what was contested
/// @notice What `contest` or a match's own calls have checked is not checked again: a fitting
/// fingerprint proves that it was. But how much a channel pays rests on no fingerprint: its id is
/// the full hash of its terms, its ledger shares out exactly the deposits, and a match exactly its
/// stakes. So whoever made two ledgers or two records with one fingerprint could move only that
/// channel's money.
/// @dev Bytes are read in place, in calldata.
abstract contract Settlement is IArena, Matches {
    /// @inheritdoc IArena
    function settle(bytes calldata posting) external nonReentrantView {
        bytes calldata terms = Packed.leading(posting);
        Terms memory t = Packed.terms(terms);
        (bytes calldata ledger, bytes calldata finals) = _divide(posting, t, terms.length);
        bytes32 channelId = _digest(t.hash);
        ChannelSlot storage place = _channels[channelId];
        uint256 channel = place.word;
        uint256 print = Packed.print(ledger);
        if (!_isPosted(channel, print)) revert BadLedger();
        uint256 seats = t.players.length;
        uint256[] memory due;
        Locks memory p;
        uint256 balances;
        (balances, p.count, p.lock) = Packed.partsOf(ledger, seats);
        if (uint8(channel) == T.CHANNEL_CONTESTED) {
            if (clock() < uint48(channel >> 8)) revert TooEarly(uint48(channel >> 8));
            // What is paid later is of this very ledger: nobody finds two with one fingerprint of
            // this length.
            place.word = T.CHANNEL_SETTLED | (print << 8);
            emit Settled(channelId, uint40(channel >> 56));
            due = _words(balances, seats);
        } else {
            due = new uint256[](seats);
        }
        for (uint256 from; from < finals.length;) {
            (Final memory f, uint256 next) = Finals.take(p, finals, from);
            _payLock(channelId, t, f, due);
            from = next;
        }
        unchecked {
            for (uint256 i; i < seats; ++i) {
                uint256 amount = Packed.word(due, i);
                if (amount != 0) _credit(t.asset, Packed.word(t.players, i), amount);
            }
        }
    }

    /// @dev Divides what follows the terms into the ledger and the matches to pay. Refuses a ledger
    /// that does not share out the deposits exactly.
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

    /// @dev Adds a final match's payouts to what the channel's seats are due.
    function _payLock(bytes32 channelId, Terms memory t, Final memory f, uint256[] memory due) private {
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
        (bool fits, uint256 fingerprint) = Cases.fingerprintOf(channelId, t.window, t.signers, f);
        if (!fits || fingerprint != slot >> 72) revert NotRecorded();
        place.word = (slot & ~uint256(0xff)) | T.MATCH_PAID;
        uint256 n = f.seats;
        uint256[] memory payouts;
        unchecked {
            payouts = _words(f.end - 32 * n, n); // they end the record
        }
        if (_flagged(slot) != 0 && n > 2) Shares.redistribute(payouts, _words(f.stakes, n), _flagged(slot));
        uint256 pot;
        uint256 paid;
        bool exact = true;
        unchecked {
            for (uint256 i; i < n; ++i) {
                uint256 v = Packed.word(payouts, i);
                Packed.add(due, Finals.seatOf(f, i), v);
                paid += v;
                if (paid < v) exact = false;
                // overflows no more than the ledger's sum did
                pot += Packed.loaded(f.stakes + 32 * i);
            }
        }
        if (paid != pot) exact = false;
        if (!exact) revert NotRecorded(); // no record of the Arena's has such payouts
        _tell(channelId, matchId, payouts);
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
