// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Final} from "./Finals.sol";
import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {Packed} from "./Packed.sol";
import {Record, Records} from "./Records.sol";
import {MATCH_LIVE, MAX_PARAMS, MAX_SEATS} from "./Types.sol";

/// @notice A match as the Arena judges it: where in memory three words lie, followed by the packed
/// game and the record.
///   0x00  where the record lies
///   0x20  number of seats
///   0x40  where calls of its rules are made from, 0 before the first: see library Contexts
///   0x60  game
type Case is uint256;

using Cases for Case global;

/// @title Making cases, from terms or from what a caller supplies again
/// @notice Layouts: Types.sol. A game holds only what the channel's and the match's terms say.
library Cases {
    // Where the words before the game lie, and the game.
    uint256 private constant RECORD = 0x00;
    uint256 private constant SEATS = 0x20;
    uint256 private constant PLACE = 0x40;
    uint256 private constant GAME = 0x60;
    // Where a game's parts lie, in bytes from its first. The stakes lie behind the signers, 20
    // bytes each; the length of the params behind the stakes.
    uint256 private constant MATCH_ID = 32;
    uint256 private constant RULES = 64;
    uint256 private constant WINDOW = 84;
    uint256 private constant COUNT = 92;
    uint256 private constant SIGNERS = 93;
    // Where the parts of packed match terms lie. The stakes lie behind the seats, the params behind
    // the stakes.
    uint256 private constant TERMS_RULES = 8;
    uint256 private constant TERMS_COUNT = 28;
    uint256 private constant TERMS_SEATS = 29;

    /// @notice The case that terms describe, with an empty record. Refuses match terms that do not
    /// fit.
    /// @param time The channel's window.
    /// @param keys The signers of its seats.
    function make(bytes32 domain, bytes32 channel, uint64 time, address[] memory keys, bytes calldata packed)
        internal
        pure
        returns (Case k)
    {
        uint256 n;
        assembly ("memory-safe") {
            n := byte(TERMS_COUNT, calldataload(packed.offset))
        }
        uint256 size;
        unchecked {
            size = packed.length - (TERMS_SEATS + 33 * n);
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
            let game := add(k, GAME)
            let amounts := add(add(game, SIGNERS), mul(20, n))
            let params := add(add(amounts, 2), words)
            let end := add(params, size)
            let p := and(add(add(end, room), 31), not(31))
            mstore(0x40, p)
            mstore(add(k, RECORD), end)
            mstore(add(k, SEATS), n)
            mstore(add(k, PLACE), 0)
            mstore(game, channel)
            mstore(add(game, RULES), shl(96, shr(96, calldataload(add(packed.offset, TERMS_RULES)))))
            mstore(add(game, WINDOW), shl(192, time))
            mstore8(add(game, COUNT), n)
            // The signers of the seats, which must be ascending seats of the channel; and the seats
            // as words, to be hashed.
            let from := add(packed.offset, TERMS_SEATS)
            let to := add(game, SIGNERS)
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
            from := add(add(packed.offset, TERMS_SEATS), n)
            calldatacopy(amounts, from, words)
            mstore(add(amounts, words), shl(240, size))
            calldatacopy(params, add(from, words), size)
            calldatacopy(end, calldatasize(), room) // zeros
            let hash := keccak256(p, words)
            mstore(p, kind)
            mstore(add(p, 0x20), channel)
            mstore(add(p, 0x40), shr(192, calldataload(packed.offset))) // nonce
            mstore(add(p, 0x60), shr(96, mload(add(game, RULES))))
            mstore(add(p, 0x80), hash)
            mstore(add(p, 0xa0), keccak256(amounts, words))
            mstore(add(p, 0xc0), keccak256(params, size))
            structHash := keccak256(p, 0xe0)
        }
        if (!fits) revert IArena.BadTerms();
        bytes32 id = Hashing.digestOf(domain, structHash);
        assembly ("memory-safe") {
            mstore(add(add(k, GAME), MATCH_ID), id)
        }
    }

    /// @notice The case that a caller supplies, game and record. Trust nothing in it before
    /// {fingerprint} equals the stored one.
    function load(bytes calldata known) internal pure returns (Case k) {
        (uint256 n, uint256 size) = _sizeOf(known);
        assembly ("memory-safe") {
            k := mload(0x40)
            let game := add(k, GAME)
            mstore(add(k, RECORD), add(game, size))
            mstore(add(k, SEATS), n)
            mstore(add(k, PLACE), 0)
            calldatacopy(game, known.offset, known.length)
            // There is room for payouts behind the record.
            mstore(0x40, and(add(add(game, known.length), add(shl(5, n), 63)), not(31)))
        }
    }

    /// @notice The case that a claim supplies, whose record is of the state that comes with it, and
    /// how many bytes game and record have. Again, trust nothing in it yet.
    function loadClaim(bytes calldata claim) internal pure returns (Case k, bytes memory state, uint256 size) {
        (uint256 n, uint256 game) = _sizeOf(claim);
        unchecked {
            // the record comes without its first word
            size = game + Records.size(MATCH_LIVE, n) - 32;
        }
        if (size > claim.length) revert IArena.NotRecorded();
        assembly ("memory-safe") {
            k := mload(0x40)
            let at := add(add(k, GAME), game) // the record
            mstore(add(k, RECORD), at)
            mstore(add(k, SEATS), n)
            mstore(add(k, PLACE), 0)
            calldatacopy(add(k, GAME), claim.offset, game)
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

    /// @notice Takes the record that a caller supplies for a case that terms describe. Do not trust
    /// it before {fingerprint} equals the stored one.
    function supply(Case k, bytes calldata packed) internal pure {
        uint256 room = Records.room(k.seats());
        assembly ("memory-safe") {
            let size := packed.length
            if gt(size, room) { size := room } // no record of the Arena's is longer
            calldatacopy(mload(k), packed.offset, size)
        }
    }

    function record(Case k) internal pure returns (Record) {
        return Record.wrap(_word(k, RECORD));
    }

    /// @notice How many seats play.
    function seats(Case k) internal pure returns (uint256) {
        return _word(k, SEATS);
    }

    /// @notice Where calls of the rules are made from, 0 before the first.
    function place(Case k) internal pure returns (uint256) {
        return _word(k, PLACE);
    }

    function setPlace(Case k, uint256 where) internal pure {
        assembly ("memory-safe") {
            mstore(add(k, PLACE), where)
        }
    }

    function channelId(Case k) internal pure returns (bytes32) {
        return bytes32(_word(k, GAME));
    }

    function matchId(Case k) internal pure returns (bytes32) {
        return bytes32(_word(k, GAME + MATCH_ID));
    }

    function rules(Case k) internal pure returns (address) {
        return address(uint160(_word(k, GAME + RULES) >> 96));
    }

    function window(Case k) internal pure returns (uint64) {
        return uint64(_word(k, GAME + WINDOW) >> 192);
    }

    /// @notice The signer of a seat of the match.
    function signer(Case k, uint256 seat) internal pure returns (address) {
        unchecked {
            return address(uint160(_word(k, GAME + SIGNERS + 20 * seat) >> 96));
        }
    }

    /// @notice The stake of a seat of the match.
    function stake(Case k, uint256 seat) internal pure returns (uint256) {
        unchecked {
            return _word(k, GAME + SIGNERS + 20 * seats(k) + 32 * seat);
        }
    }

    /// @notice Where in memory the stakes lie, a word each; the length of the params and the params
    /// follow.
    function stakes(Case k) internal pure returns (uint256) {
        unchecked {
            return Case.unwrap(k) + GAME + SIGNERS + 20 * seats(k);
        }
    }

    /// @notice What is kept of a game and its record of so many bytes: 184 bits.
    function fingerprint(Case k, uint256 recordSize) internal pure returns (uint256) {
        unchecked {
            return fingerprintOf(k, _word(k, RECORD) + recordSize - Case.unwrap(k) - GAME);
        }
    }

    /// @notice The same of game and record when both have so many bytes.
    function fingerprintOf(Case k, uint256 size) internal pure returns (uint256 print) {
        assembly ("memory-safe") {
            print := shr(72, shl(72, keccak256(add(k, GAME), size)))
        }
    }

    /// @notice The fingerprint that must be stored of a match to pay, if game and record are what
    /// terms, lock and caller say. Signers differ from seat to seat, so they tell which seats play
    /// the match. Not `fits`: it names a seat that does not exist.
    function fingerprintOf(bytes32 channel, uint64 time, address[] memory signers, Final memory f)
        internal
        pure
        returns (bool fits, uint256 print)
    {
        (bytes32 id, uint256 n, uint256 amounts, uint256 from) = (f.matchId, f.seats, f.stakes, f.rules);
        uint256 paramsSize = f.paramsSize;
        (uint256 record_, uint256 recordSize) = (f.record, f.end - f.record);
        fits = true;
        assembly ("memory-safe") {
            let game := mload(0x40)
            mstore(game, channel)
            mstore(add(game, MATCH_ID), id)
            calldatacopy(add(game, RULES), from, 20)
            mstore(add(game, WINDOW), shl(192, time))
            mstore8(add(game, COUNT), n)
            let to := add(game, SIGNERS)
            from := add(from, 20)
            for { let last := add(from, n) } lt(from, last) { from := add(from, 1) } {
                let seat := byte(0, calldataload(from))
                fits := and(fits, lt(seat, mload(signers)))
                mstore(to, shl(96, mload(add(add(signers, 0x20), shl(5, seat)))))
                to := add(to, 20)
            }
            calldatacopy(to, amounts, shl(5, n))
            to := add(to, shl(5, n))
            calldatacopy(to, from, add(paramsSize, 2)) // with their length
            to := add(add(to, paramsSize), 2)
            calldatacopy(to, record_, recordSize)
            print := shr(72, shl(72, keccak256(game, sub(add(to, recordSize), game))))
        }
    }

    /// @notice The nonce in packed match terms.
    function nonceOf(bytes calldata packed) internal pure returns (uint64) {
        return uint64(bytes8(packed));
    }

    /// @notice The channel's seat that a seat of the match is, in packed match terms.
    function seatOf(bytes calldata packed, uint256 seat) internal pure returns (uint8) {
        return uint8(packed[TERMS_SEATS + seat]);
    }

    /// @dev How many seats a packed game has, and how many bytes.
    function _sizeOf(bytes calldata packed) private pure returns (uint256 n, uint256 size) {
        uint256 from;
        assembly ("memory-safe") {
            from := packed.offset
        }
        unchecked {
            n = Packed.loaded(from + COUNT) >> 248;
            size = SIGNERS + 52 * n; // up to the length of the params
            size += 2 + (Packed.loaded(from + size) >> 240);
        }
    }

    function _word(Case k, uint256 offset) private pure returns (uint256 v) {
        assembly ("memory-safe") {
            v := mload(add(k, offset))
        }
    }
}
