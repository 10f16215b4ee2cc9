// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "../IRules.sol";
import {fallen} from "./Coin.sol";
import {commitment} from "./Commitment.sol";
import {payTwo} from "./Payouts.sol";
import {legalCode, lies, possibleFeedback} from "./Pegs.sol";

/// @title Mastermind for two seats
/// @notice A coin decides who makes the first code; the roles alternate each round. The maker
/// commits to a code, the breaker guesses, the maker answers each guess and opens the code at the
/// end of the round, which proves every answer. Points go to the maker: guesses made, and a bonus
/// if the code was not found. Most points take the pot.
/// @dev Encodings: games/mastermind/encoding.txt; rules: docs/games/mastermind.md. Go twin:
/// games/mastermind; games/gametest keeps the two equal. Every call checks what it reads of a
/// state, and the form of all of it.
contract Mastermind is IRules {
    /// @notice The parameters are not six bytes in range, or there are not two seats, or their
    /// stakes overflow.
    error BadMatch();
    /// @notice The state is not one of a match with these parameters, or not one that can continue
    /// (or has ended) so.
    error BadState();
    /// @notice The rules do not allow this move here.
    error IllegalMove();

    bytes32 private constant COIN = "ante.mastermind.coin";
    bytes32 private constant CODE = "ante.mastermind.code";

    // Phases, the first byte of a state.
    uint256 private constant TOSS = 0; // seat 0 commits to heads or tails
    uint256 private constant CALL = 1; // seat 1 calls it
    uint256 private constant SHOW = 2; // seat 0 shows it
    uint256 private constant COMMIT = 3; // the maker commits to a code
    uint256 private constant GUESS = 4; // the breaker guesses
    uint256 private constant FEEDBACK = 5; // the maker gives feedback
    uint256 private constant REVEAL = 6; // the maker opens the code
    uint256 private constant DISPUTE = 7; // the breaker disputes answers, or passes
    uint256 private constant OVER = 8;

    // Endings, the last byte of a state that is over.
    uint256 private constant BY_POINTS = 0;
    uint256 private constant FALSE_FEEDBACK = 1;
    uint256 private constant ILLEGAL_CODE = 2;
    uint256 private constant FALSE_ACCUSATION = 3;
    uint256 private constant MAKER_SILENT = 4;
    uint256 private constant BREAKER_SILENT = 5;

    // A state is a head and a body. Head, seven bytes: phase, maker, round (from 0), points of seat
    // 0, points of seat 1 (the points two bytes each). A head is held as the number that these
    // bytes are.
    uint256 private constant PHASE = 48;
    uint256 private constant MAKER = 40;
    uint256 private constant ROUND = 32;
    uint256 private constant POINTS = 16; // of seat 0; those of seat 1 are at 0

    uint256 private constant MAX_GUESSES = 32;

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 seat) {
        _params(c.params);
        uint256[] calldata stakes = c.stakes;
        unchecked {
            if (stakes.length != 2 || stakes[0] + stakes[1] < stakes[0]) revert BadMatch();
        }
        return (abi.encodePacked(uint56(TOSS << PHASE)), 0);
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) external pure returns (uint8 seat) {
        (uint256 head,) = _parse(state);
        return _mover(head);
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory next, uint8 seat)
    {
        uint256 p = _params(c.params);
        (uint256 head, uint256 n) = _position(p, state);
        uint256 phase = head >> PHASE;
        if (phase == GUESS) {
            if (move.length != 2 || !legalCode(uint16(bytes2(move)), _pegs(p), _colours(p))) revert IllegalMove();
            return _continue(head + (1 << PHASE), state[7:], move);
        }
        if (phase == FEEDBACK) {
            uint256 answer = _byte(move, 1);
            if (!possibleFeedback(answer, _pegs(p))) revert IllegalMove();
            bool ends = answer == _pegs(p) || n + 1 == _guesses(p);
            return _continue(_enter(head, ends ? REVEAL : GUESS), state[7:], move);
        }
        if (phase == REVEAL) return _reveal(p, c.matchId, head, n, state, move);
        if (phase == COMMIT || phase == TOSS) {
            if (move.length != 32) revert IllegalMove();
            return _continue(head + (1 << PHASE), state[7:], move);
        }
        if (phase == CALL) {
            if (_byte(move, 1) > 1) revert IllegalMove();
            return _continue(head + (1 << PHASE), state[7:], move);
        }
        if (phase == SHOW) {
            // The seat that the coin favours makes the first code.
            (uint256 maker, bool ok) = fallen(COIN, c.matchId, state[7:], move);
            if (!ok) revert IllegalMove();
            return _continue((COMMIT << PHASE) | (maker << MAKER), move[:0], move[:0]);
        }
        return _dispute(p, head, n, state, move); // nothing else is left
    }

    /// @inheritdoc IRules
    /// @dev Silence forfeits, but for a breaker who is asked whether it disputes: its silence
    /// passes.
    function expire(Context calldata c, bytes calldata state) external pure returns (bytes memory next, uint8 seat) {
        uint256 p = _params(c.params);
        (uint256 head, uint256 n) = _position(p, state);
        uint256 phase = head >> PHASE;
        if (phase == DISPUTE) return _finish(p, head, n, state[state.length - 1]);
        return _end(head, phase == GUESS || phase == CALL ? BREAKER_SILENT : MAKER_SILENT);
    }

    /// @inheritdoc IRules
    /// @dev The pot goes to the seat that has more points, or that the other has forfeited it to; a
    /// draw splits it, the odd wei to seat 0. A seat proved to have lied is guilty, a silent one is
    /// not.
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory, uint16 guilty, bytes32 reason)
    {
        (uint256 head, uint256 ending) = _parse(state);
        if (head >> PHASE != OVER || stakes.length != 2) revert BadState();
        uint256 pot = stakes[0] + stakes[1];
        uint256 ofSeat1; // what seat 1 gets of it
        unchecked {
            uint256 loser = uint8(head >> MAKER);
            if (ending == BY_POINTS) {
                uint256 points0 = uint16(head >> POINTS);
                uint256 points1 = uint16(head);
                ofSeat1 = points0 == points1 ? pot >> 1 : points0 > points1 ? 0 : pot;
            } else {
                if (ending == BREAKER_SILENT || ending == FALSE_ACCUSATION) loser = 1 - loser;
                ofSeat1 = pot * (1 - loser);
                reason = "silence";
                if (ending < MAKER_SILENT) {
                    guilty = uint16(1 << loser);
                    reason = ending == FALSE_FEEDBACK
                        ? bytes32("false feedback")
                        : ending == ILLEGAL_CODE ? bytes32("illegal code") : bytes32("false accusation");
                }
            }
        }
        payTwo(pot, ofSeat1, guilty, reason);
    }

    /// @dev The maker opens its code. A code that is none convicts it, and so does a false answer,
    /// unless that is left to the breaker to dispute.
    function _reveal(uint256 p, bytes32 matchId, uint256 head, uint256 n, bytes calldata state, bytes calldata move)
        private
        pure
        returns (bytes memory, uint8)
    {
        if (move.length != 34) revert IllegalMove();
        uint256 code = uint16(bytes2(move));
        uint256 maker = uint8(head >> MAKER);
        bytes32 opened = commitment(CODE, matchId, maker, uint8(head >> ROUND), bytes32(code), bytes32(move[2:]));
        if (opened != bytes32(state[7:])) revert IllegalMove();
        if (!legalCode(code, _pegs(p), _colours(p))) return _end(head, ILLEGAL_CODE);
        if (_disputed(p)) return _continue(_enter(head, DISPUTE), move[:2], state[39:]);
        if (lies(code, _pegs(p), state[39:]) != 0) return _end(head, FALSE_FEEDBACK);
        return _finish(p, head, n, state[state.length - 1]);
    }

    /// @dev The breaker names the answers that it holds to be false, one bit each; none at all is a
    /// pass.
    function _dispute(uint256 p, uint256 head, uint256 n, bytes calldata state, bytes calldata move)
        private
        pure
        returns (bytes memory, uint8)
    {
        uint256 mask = uint32(bytes4(move));
        if (move.length != 4 || mask >> n != 0) revert IllegalMove();
        if (mask == 0) return _finish(p, head, n, state[state.length - 1]);
        uint256 found = mask & lies(uint16(bytes2(state[7:])), _pegs(p), state[9:]);
        return _end(head, found != 0 ? FALSE_FEEDBACK : FALSE_ACCUSATION);
    }

    /// @dev The round is over without a conviction: the maker's points, then the next round or the
    /// end.
    function _finish(uint256 p, uint256 head, uint256 n, bytes1 lastAnswer) private pure returns (bytes memory, uint8) {
        uint256 maker = uint8(head >> MAKER);
        uint256 shift = POINTS * (1 - maker);
        uint256 points = n + (uint8(lastAnswer) == _pegs(p) ? 0 : _bonus(p));
        if (uint16(head >> shift) + points > type(uint16).max) revert BadState();
        head += points << shift;
        uint256 round = uint8(head >> ROUND) + 1;
        if (round == _rounds(p)) return _end(head, BY_POINTS);
        head = (COMMIT << PHASE) | ((1 - maker) << MAKER) | (round << ROUND) | uint32(head);
        return (abi.encodePacked(uint56(head)), uint8(1 - maker));
    }

    /// @dev The match is over: ends the call like _continue.
    function _end(uint256 head, uint256 ending) private pure returns (bytes memory, uint8) {
        uint256 state = (_enter(head, OVER) << 8) | ending; // 8 bytes
        assembly ("memory-safe") {
            let ret := mload(0x40)
            mstore(ret, 0x40)
            mstore(add(ret, 0x20), NOBODY)
            mstore(add(ret, 0x40), 8)
            mstore(add(ret, 0x60), shl(192, state))
            return(ret, 0x80)
        }
    }

    /// @dev Ends the call: what play and expire return, encoded by hand, as the compiler would copy
    /// it twice.
    function _continue(uint256 head, bytes calldata body, bytes calldata tail) private pure returns (bytes memory, uint8) {
        uint8 seat = _mover(head);
        assembly ("memory-safe") {
            let ret := mload(0x40)
            let length := add(7, add(body.length, tail.length))
            mstore(ret, 0x40)
            mstore(add(ret, 0x20), seat)
            mstore(add(ret, 0x40), length)
            mstore(add(ret, 0x60), shl(200, head))
            calldatacopy(add(ret, 0x67), body.offset, body.length)
            calldatacopy(add(add(ret, 0x67), body.length), tail.offset, tail.length)
            mstore(add(add(ret, 0x60), length), 0)
            return(ret, add(0x60, and(add(length, 0x1f), not(0x1f))))
        }
    }

    function _enter(uint256 head, uint256 phase) private pure returns (uint256) {
        return uint48(head) | (phase << PHASE);
    }

    function _mover(uint256 head) private pure returns (uint8) {
        uint256 phase = head >> PHASE;
        uint256 maker = uint8(head >> MAKER);
        if (phase == OVER) return NOBODY;
        return uint8(phase == CALL || phase == GUESS || phase == DISPUTE ? 1 - maker : maker);
    }

    /// @dev A move that is `length` bytes long and begins with a byte of meaning: that byte.
    function _byte(bytes calldata move, uint256 length) private pure returns (uint256) {
        if (move.length != length) revert IllegalMove();
        return uint8(move[0]);
    }

    /// @dev The head of a state, and the number of answers in its transcript (of one that is over:
    /// its ending). Reverts unless the state has the form of its phase.
    function _parse(bytes calldata state) private pure returns (uint256 head, uint256 n) {
        unchecked {
            uint256 length = state.length;
            // the head, and the ending of a state that is over
            uint256 word = uint64(bytes8(state));
            head = word >> 8;
            uint256 phase = head >> PHASE;
            bool ok;
            if (phase - GUESS <= DISPUTE - GUESS) {
                uint256 rest = length - (phase == FEEDBACK ? 41 : phase == DISPUTE ? 9 : 39);
                n = rest / 3;
                // A length too short wraps round to a count too large.
                ok = n <= MAX_GUESSES && n * 3 == rest && (phase <= FEEDBACK ? n != MAX_GUESSES : n != 0);
            } else if (phase == OVER) {
                n = uint8(word);
                ok = length == 8 && n <= BREAKER_SILENT;
            } else if (phase == COMMIT) {
                ok = length == 7;
            } else {
                // Before the first code there is no maker, round or point.
                ok = uint48(head) == 0
                    && (
                        phase == TOSS
                            ? length == 7
                            : phase == CALL ? length == 39 : phase == SHOW && length == 40 && uint8(state[39]) <= 1
                    );
            }
            if (!ok || uint8(head >> MAKER) > 1) revert BadState();
        }
    }

    /// @dev As _parse, and reverts unless the match is on, the state's numbers are ones that these
    /// parameters allow, and its phase follows from its last answer.
    function _position(uint256 p, bytes calldata state) private pure returns (uint256 head, uint256 n) {
        (head, n) = _parse(state);
        unchecked {
            uint256 phase = head >> PHASE;
            bool ok = uint8(head >> ROUND) < _rounds(p);
            if (phase - GUESS <= DISPUTE - GUESS) {
                uint256 most = _guesses(p);
                bool ends = n == most || (n != 0 && uint8(state[state.length - (phase == FEEDBACK ? 3 : 1)]) == _pegs(p));
                ok = ok && n <= most && ends == (phase > FEEDBACK) && (phase != DISPUTE || _disputed(p));
            } else if (phase == OVER) {
                ok = false;
            }
            if (!ok) revert BadState();
        }
    }

    // Parameters, six bytes: pegs 1..5, colours 2..8, rounds 1..16, guesses 1..32, bonus 0..255,
    // dispute 0 or 1.
    uint256 private constant LEAST = 0x010201010000;
    uint256 private constant MOST = 0x050810200001;

    /// @dev All bytes are compared at once, with their highest bits, which none but the bonus may
    /// use, as guards.
    function _params(bytes calldata params) private pure returns (uint256 p) {
        unchecked {
            p = uint48(bytes6(params));
            uint256 guards = 0x808080800080;
            uint256 q = p & 0xffffffff00ff;
            uint256 above = (q | guards) - LEAST;
            uint256 below = (MOST | guards) - q;
            if (params.length != 6 || (q | ~(above & below)) & guards != 0) revert BadMatch();
        }
    }

    function _pegs(uint256 p) private pure returns (uint256) {
        return p >> 40;
    }

    function _colours(uint256 p) private pure returns (uint256) {
        return uint8(p >> 32);
    }

    function _rounds(uint256 p) private pure returns (uint256) {
        return uint8(p >> 24);
    }

    function _guesses(uint256 p) private pure returns (uint256) {
        return uint8(p >> 16);
    }

    function _bonus(uint256 p) private pure returns (uint256) {
        return uint8(p >> 8);
    }

    function _disputed(uint256 p) private pure returns (bool) {
        return uint8(p) == 1;
    }
}
