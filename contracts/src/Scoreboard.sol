// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case, Cases} from "./Cases.sol";
import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {Packed, Terms} from "./Packed.sol";
import {Shares} from "./Shares.sol";
import {Signatures} from "./Signatures.sol";
import "./Types.sol" as T;

/// @notice How often a player won, lost and drew at a game.
struct Score {
    uint64 wins;
    uint64 losses;
    uint64 draws;
}

/// @title Wins, losses and draws, kept from what players signed and from what the Arena paid
/// @notice A Result says of a match in a channel of the Arena which seats won, lost and drew. It
/// counts once: when the session signers of all those seats signed it, or when the Arena paid the
/// match's lock and somebody won. The channel's terms tell whose session signers they are: each
/// player signed them when the channel opened, and no other terms have the channel's id. Anybody
/// may send results. Nobody is paid.
/// @dev It can't know whether two accounts are two people: whoever plays against itself wins and
/// loses at will.
contract Scoreboard {
    /// @notice The channel was never opened in the Arena.
    error UnknownChannel(bytes32 channelId);
    /// @notice The results are cut off, or one of them is of seats that there are not, of less than
    /// two, or of one twice.
    error BadResult();
    /// @notice A signature of a result is malformed or not by the seat's session signer.
    error BadSignature();
    /// @notice The Arena has not paid the match's lock. The status is that of the match
    /// (Types.sol).
    error NotPaid(uint8 status);
    /// @notice The record is not the one that the Arena paid by.
    error NotRecorded();
    /// @notice Every seat got its stake back: a draw and a match that became void look the same.
    error NobodyWon();

    /// @notice A result counts now. The masks are of the channel's seats.
    event Recorded(
        bytes32 indexed channelId, address indexed rules, uint64 nonce, uint16 winners, uint16 losers, uint16 drawn
    );

    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant RESULT = keccak256(
        "Result(bytes32 channelId,uint64 nonce,address rules,uint16 winners,uint16 losers,uint16 drawn)"
    );
    uint256 private constant HEAD = 34; // bytes of a result before its signatures

    /// @notice The Arena whose channels are counted, and under whose domain results are signed.
    IArena public immutable ARENA;

    /// @dev Wins, losses and draws of 64 bits each, lowest bits first.
    mapping(address player => mapping(address rules => uint256 word)) private _scores;
    /// @dev A bit for each result that counts: see {_place}.
    mapping(bytes32 place => uint256 bits) private _recorded;

    /// @param arena The Arena whose channels are counted.
    constructor(IArena arena) {
        ARENA = arena;
    }

    /// @notice Counts results of matches of one channel. Results that count already are skipped, so
    /// that nobody can block the others by sending one first.
    /// @param terms The channel's terms, packed as for the Arena (Types.sol).
    /// @param results One after the other: nonce 8 | rules 20 | winners 2 | losers 2 | drawn 2
    /// (masks of the channel's seats) | signatures of those seats, ascending, 65 each. Nonce and
    /// rules are those of the match's terms.
    function record(bytes calldata terms, bytes calldata results) external {
        Terms memory t = Packed.terms(terms);
        bytes32 domain = _domain();
        bytes32 channelId = Hashing.digestOf(domain, t.hash);
        (uint8 status,,,) = ARENA.channelOf(channelId);
        if (status == T.CHANNEL_UNKNOWN) revert UnknownChannel(channelId);
        uint256 offset = 0;
        while (offset < results.length) offset = _record(t, domain, channelId, results, offset);
    }

    /// @notice Counts a match whose lock the Arena paid, as it was paid and without a signature of
    /// its seats. Does nothing if the match counts already. A final record is not enough: a match
    /// that the players booked into a later ledger can still be decided in the Arena against a seat
    /// that has no more reason to answer, but its lock is never paid.
    /// @param terms The channel's terms, packed as for the Arena (Types.sol), like the match's
    /// terms.
    /// @param record_ The match's record when it was paid.
    function recordPaid(bytes calldata terms, bytes calldata matchTerms, bytes calldata record_) external {
        Terms memory t = Packed.terms(terms);
        bytes32 domain = _domain();
        Case k = Cases.make(domain, Hashing.digestOf(domain, t.hash), t.window, t.signers, matchTerms);
        k.supply(record_);
        (uint8 status,, uint16 flagged, uint184 fingerprint) = ARENA.matchOf(k.matchId());
        if (status != T.MATCH_PAID) revert NotPaid(status);
        if (k.fingerprint(record_.length) != fingerprint) revert NotRecorded();
        (uint16 winners, uint16 losers, uint16 drawn) = _paid(k, matchTerms, record_, flagged);
        if (winners == 0) revert NobodyWon();
        uint64 nonce = Cases.nonceOf(matchTerms);
        (bytes32 place, uint256 bit) = _place(k.channelId(), nonce);
        if (_recorded[place] & bit != 0) return;
        _recorded[place] |= bit;
        for (uint256 i; i < k.seats(); ++i) {
            uint8 seat = Cases.seatOf(matchTerms, i);
            _score(t.players[seat], k.rules(), seat, winners, losers);
        }
        emit Recorded(k.channelId(), k.rules(), nonce, winners, losers, drawn);
    }

    /// @notice How often a player won, lost and drew at a game.
    function scoreOf(address player, address rules) external view returns (Score memory) {
        uint256 word = _scores[player][rules];
        return Score(uint64(word), uint64(word >> 64), uint64(word >> 128));
    }

    /// @notice Whether the result of a match counts.
    function isRecorded(bytes32 channelId, uint64 nonce) external view returns (bool) {
        (bytes32 place, uint256 bit) = _place(channelId, nonce);
        return _recorded[place] & bit != 0;
    }

    /// @dev Counts the result that begins at a byte, and returns where the next does.
    function _record(Terms memory t, bytes32 domain, bytes32 channelId, bytes calldata results, uint256 offset)
        private
        returns (uint256 next)
    {
        unchecked {
            next = offset + HEAD;
            if (next > results.length) revert BadResult();
            bytes calldata head = results[offset:next];
            uint64 nonce = uint64(bytes8(head));
            address rules = address(bytes20(head[8:]));
            uint16 winners = uint16(bytes2(head[28:]));
            uint16 losers = uint16(bytes2(head[30:]));
            uint16 drawn = uint16(bytes2(head[32:]));
            bytes32 digest = Hashing.digestOf(
                domain, keccak256(abi.encode(RESULT, channelId, nonce, rules, winners, losers, drawn))
            );
            (bytes32 place, uint256 bit) = _place(channelId, nonce);
            bool counts = _recorded[place] & bit != 0;
            uint256 seats = winners | losers | drawn;
            // Masks that share a seat sum up to more than all of them hold.
            if (
                seats >> t.signers.length != 0 || seats & (seats - 1) == 0
                    || uint256(winners) + losers + drawn != seats
            ) revert BadResult();
            for (uint256 seat; seats >> seat != 0; ++seat) {
                if ((seats >> seat) & 1 == 0) continue;
                if (!counts) {
                    if (!Signatures.by(Packed.word(t.signers, seat), digest, results, next)) revert BadSignature();
                    _score(Packed.word(t.players, seat), rules, seat, winners, losers);
                }
                next += Signatures.LENGTH;
            }
            if (next > results.length) revert BadResult();
            if (counts) return next;
            _recorded[place] |= bit;
            emit Recorded(channelId, rules, nonce, winners, losers, drawn);
        }
    }

    /// @dev Adds a result to the score of a seat that it names.
    function _score(address player, address rules, uint256 seat, uint16 winners, uint16 losers) private {
        unchecked {
            uint256 kind = (winners >> seat) & 1 != 0 ? 0 : (losers >> seat) & 1 != 0 ? 64 : 128;
            _scores[player][rules] += 1 << kind;
        }
    }

    /// @dev Who won, lost and drew a match that was paid by this record: a seat won if it got more
    /// than its stake, and lost if less. The masks are of the channel's seats.
    function _paid(Case k, bytes calldata matchTerms, bytes calldata record_, uint16 flagged)
        private
        pure
        returns (uint16 winners, uint16 losers, uint16 drawn)
    {
        uint256 n = k.seats();
        (uint256[] memory payouts, uint256[] memory stakes) = (new uint256[](n), new uint256[](n));
        for (uint256 i; i < n; ++i) {
            // they end the record
            payouts[i] = uint256(bytes32(record_[record_.length - 32 * (n - i):]));
            stakes[i] = k.stake(i);
        }
        if (flagged != 0 && n > 2) Shares.redistribute(payouts, stakes, flagged);
        for (uint256 i; i < n; ++i) {
            uint16 bit = uint16(1 << Cases.seatOf(matchTerms, i));
            if (payouts[i] > stakes[i]) winners |= bit;
            else if (payouts[i] < stakes[i]) losers |= bit;
            else drawn |= bit;
        }
    }

    /// @dev The Arena's EIP-712 domain separator.
    function _domain() private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256("Ante"), keccak256("1"), block.chainid, address(ARENA)));
    }

    /// @dev Where the bit of a result lies. A nonce is a ledger's version and the match's index in
    /// it: a word has the results of 32 versions, of 8 matches each.
    function _place(bytes32 channelId, uint64 nonce) private pure returns (bytes32 place, uint256 bit) {
        uint256 version = nonce >> 8;
        uint256 index = uint8(nonce);
        place = keccak256(abi.encode(channelId, version >> 5, index >> 3));
        bit = 1 << ((version & 31) << 3 | index & 7);
    }
}
