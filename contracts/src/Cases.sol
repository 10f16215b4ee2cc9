// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {Record, Records} from "./Records.sol";
import {MAX_PARAMS, MAX_SEATS} from "./Types.sol";

/// @notice A match as the Arena judges it: where in memory three words lie, followed by the packed game and the record.
///   0x00  where the record lies
///   0x20  number of seats
///   0x40  where calls of its rules are made from, 0 before the first: see library Contexts
///   0x60  game
type Case is uint256;

using Cases for Case global;

/// @title Making cases, from terms or from what a caller supplies again
/// @notice Layouts: Types.sol. A game says nothing but what the channel's and the match's terms say.
library Cases {
    /// @notice The case that terms describe, with an empty record. Refuses match terms that do not fit.
    /// @param time The channel's window.
    /// @param keys The signers of its seats.
    function make(bytes32 domain, bytes32 channel, uint64 time, address[] memory keys, bytes calldata packed)
        internal
        pure
        returns (Case k)
    {
        uint256 n;
        assembly ("memory-safe") {
            n := byte(28, calldataload(packed.offset))
        }
        uint256 size;
        unchecked {
            size = packed.length - (29 + 33 * n);
        }
        // Too short a string makes the size wrap.
        if (n < 2 || n > MAX_SEATS || size > MAX_PARAMS) revert IArena.BadTerms();
        uint256 room = Records.room(n);
        bytes32 kind = Hashing.MATCH;
        bytes32 structHash;
        bool fits = true;
        assembly ("memory-safe") {
            let words := shl(5, n)
            k := mload(0x40)
            let game := add(k, 0x60)
            let amounts := add(add(game, 93), mul(20, n))
            let params := add(add(amounts, 2), words)
            let end := add(params, size)
            let p := and(add(add(end, room), 31), not(31))
            mstore(0x40, p)
            mstore(k, end)
            mstore(add(k, 0x20), n)
            mstore(add(k, 0x40), 0)
            mstore(game, channel)
            mstore(add(game, 64), shl(96, shr(96, calldataload(add(packed.offset, 8))))) // rules
            mstore(add(game, 84), shl(192, time))
            mstore8(add(game, 92), n)
            // The signers of the seats, which must be ascending seats of the channel; and the seats as words, to be hashed.
            let from := add(packed.offset, 29)
            let to := add(game, 93)
            let least := 0
            for { let i := 0 } lt(i, words) { i := add(i, 0x20) } {
                let seat := byte(0, calldataload(from))
                if or(lt(seat, least), iszero(lt(seat, mload(keys)))) {
                    fits := 0
                    break
                }
                mstore(add(p, i), seat)
                mstore(to, shl(96, mload(add(add(keys, 0x20), shl(5, seat)))))
                least := add(seat, 1)
                from := add(from, 1)
                to := add(to, 20)
            }
            from := add(add(packed.offset, 29), n)
            calldatacopy(amounts, from, words)
            mstore(add(amounts, words), shl(240, size))
            calldatacopy(params, add(from, words), size)
            calldatacopy(end, calldatasize(), room) // zeros
            let hash := keccak256(p, words)
            mstore(p, kind)
            mstore(add(p, 0x20), channel)
            mstore(add(p, 0x40), shr(192, calldataload(packed.offset))) // nonce
            mstore(add(p, 0x60), shr(96, mload(add(game, 64))))
            mstore(add(p, 0x80), hash)
            mstore(add(p, 0xa0), keccak256(amounts, words))
            mstore(add(p, 0xc0), keccak256(params, size))
            structHash := keccak256(p, 0xe0)
        }
        if (!fits) revert IArena.BadTerms();
        bytes32 id = Hashing.digestOf(domain, structHash);
        assembly ("memory-safe") {
            mstore(add(k, 0x80), id)
        }
    }

    /// @notice The case that a caller supplies, game and record. Nothing in it means anything before {fingerprint} was found
    /// to be the one that is kept.
    function load(bytes calldata known) internal pure returns (Case k) {
        assembly ("memory-safe") {
            k := mload(0x40)
            let n := byte(0, calldataload(add(known.offset, 92)))
            let game := add(k, 0x60)
            let fixed_ := mul(52, n)
            let size := and(calldataload(add(add(known.offset, 63), fixed_)), 0xffff) // of the params
            mstore(k, add(add(game, 95), add(fixed_, size)))
            mstore(add(k, 0x20), n)
            mstore(add(k, 0x40), 0)
            calldatacopy(game, known.offset, known.length)
            // There is room for payouts behind the record.
            mstore(0x40, and(add(add(game, known.length), add(shl(5, n), 63)), not(31)))
        }
    }

    /// @notice The case that a claim supplies, whose record is of the state that comes with it, and how many bytes game and
    /// record have. Again nothing in it means anything yet.
    function loadClaim(bytes calldata claim) internal pure returns (Case k, bytes memory state, uint256 size) {
        uint256 n;
        uint256 game; // its size
        assembly ("memory-safe") {
            n := byte(0, calldataload(add(claim.offset, 92)))
            game := mul(52, n)
            game := add(add(95, game), and(calldataload(add(add(claim.offset, 63), game)), 0xffff))
            size := add(game, add(44, mul(14, n))) // the record comes without its first word
        }
        if (size > claim.length) revert IArena.NotRecorded();
        assembly ("memory-safe") {
            k := mload(0x40)
            let at := add(add(k, 0x60), game) // the record
            mstore(k, at)
            mstore(add(k, 0x20), n)
            mstore(add(k, 0x40), 0)
            calldatacopy(add(k, 0x60), claim.offset, game)
            calldatacopy(add(at, 32), add(claim.offset, game), sub(size, game))
            // The state lies behind the room for payouts.
            state := and(add(add(add(k, 0xbf), size), shl(5, n)), not(31))
            let length := sub(claim.length, size)
            mstore(state, length)
            calldatacopy(add(state, 0x20), add(claim.offset, size), length)
            mstore(0x40, and(add(add(state, length), 63), not(31)))
            mstore(at, keccak256(add(state, 0x20), length))
            size := add(size, 32)
        }
    }

    /// @notice Takes the record that a caller supplies for a case that terms describe. It means nothing before {fingerprint}
    /// was found to be the one that is kept.
    function supply(Case k, bytes calldata packed) internal pure {
        uint256 room = Records.room(k.seats());
        assembly ("memory-safe") {
            let size := packed.length
            if gt(size, room) { size := room } // no record of the Arena's is longer
            calldatacopy(mload(k), packed.offset, size)
        }
    }

    function record(Case k) internal pure returns (Record r) {
        assembly ("memory-safe") {
            r := mload(k)
        }
    }

    /// @notice How many seats play.
    function seats(Case k) internal pure returns (uint256 n) {
        assembly ("memory-safe") {
            n := mload(add(k, 0x20))
        }
    }

    /// @notice Where calls of the rules are made from, 0 before the first.
    function place(Case k) internal pure returns (uint256 where) {
        assembly ("memory-safe") {
            where := mload(add(k, 0x40))
        }
    }

    function channelId(Case k) internal pure returns (bytes32 id) {
        assembly ("memory-safe") {
            id := mload(add(k, 0x60))
        }
    }

    function matchId(Case k) internal pure returns (bytes32 id) {
        assembly ("memory-safe") {
            id := mload(add(k, 0x80))
        }
    }

    function rules(Case k) internal pure returns (address account) {
        assembly ("memory-safe") {
            account := shr(96, mload(add(k, 0xa0)))
        }
    }

    function window(Case k) internal pure returns (uint64 time) {
        assembly ("memory-safe") {
            time := shr(192, mload(add(k, 0xb4)))
        }
    }

    /// @notice The signer of a seat of the match.
    function signer(Case k, uint256 seat) internal pure returns (address key) {
        assembly ("memory-safe") {
            key := shr(96, mload(add(add(k, 0xbd), mul(20, seat))))
        }
    }

    /// @notice Where in memory the stakes lie, a word each.
    function stakes(Case k) internal pure returns (uint256 words) {
        assembly ("memory-safe") {
            words := add(add(k, 0xbd), mul(20, mload(add(k, 0x20))))
        }
    }

    /// @notice What is kept of a game and its record of so many bytes: 184 bits.
    function fingerprint(Case k, uint256 recordSize) internal pure returns (uint256 print) {
        assembly ("memory-safe") {
            let game := add(k, 0x60)
            print := shr(72, shl(72, keccak256(game, sub(add(mload(k), recordSize), game))))
        }
    }

    /// @notice The same of game and record when both have so many bytes.
    function fingerprintOf(Case k, uint256 size) internal pure returns (uint256 print) {
        assembly ("memory-safe") {
            print := shr(72, shl(72, keccak256(add(k, 0x60), size)))
        }
    }
}
