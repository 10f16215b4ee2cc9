// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "../IRules.sol";
import {commitment} from "./Commitment.sol";
import {contradicts, legalList, lies, possibleResult} from "./Lists.sol";

/// @title Sums and cows for a player (seat 0) and a server (seat 1)
/// @notice The server commits to an ordered list of d distinct letters out of n. The player guesses
/// lists; each is answered by the number of letters in common and the sum of their places in the
/// hidden list. Each guess costs a fee, the right list earns the prize. At every end the server
/// opens its list, which proves each answer; only its own silence ends a match without, and loses
/// it.
/// @dev Encodings: games/sumscows/encoding.txt; rules: docs/games/sums-and-cows.md. Go twin:
/// games/sumscows; games/gametest keeps the two equal. Every call checks what it reads of a state,
/// and the form of all of it.
contract SumsAndCows is IRules {
    /// @notice The parameters are out of range, or there are not two seats, or their stakes don't
    /// cover fees and prize.
    error BadMatch();
    /// @notice The state is not one of a match with these parameters, or not one that can continue
    /// (or has ended) so.
    error BadState();
    /// @notice The rules do not allow this move here.
    error IllegalMove();

    bytes32 private constant LIST = "ante.sumscows.list";

    uint8 private constant PLAYER = 0;
    uint8 private constant SERVER = 1;

    // Phases, the first byte of a state.
    uint256 private constant COMMIT = 0; // the server commits to its list
    uint256 private constant GUESS = 1; // the player guesses or claims
    uint256 private constant ANSWER = 2; // the server answers
    uint256 private constant OPEN = 3; // the server opens its list
    uint256 private constant OVER = 4;

    // Causes of an opening, the third byte of its state; also the endings of matches whose opening
    // proved all answers.
    uint256 private constant PLAYED = 0; // the list is found, or no guess is left
    uint256 private constant ENDED = 1; // the player's claims, as its moves have them
    uint256 private constant ACCUSED = 2;
    uint256 private constant PLAYER_SILENT = 3;
    // The other endings, all of them the server's loss.
    uint256 private constant FALSE_RESULT = 4;
    uint256 private constant ILLEGAL_LIST = 5;
    uint256 private constant SERVER_SILENT = 6;

    uint256 private constant FOUND = 1 << 15; // in an answer: the guess is the hidden list
    uint256 private constant MAX_LETTERS = 26;
    uint256 private constant MAX_GUESSES = 100;

    struct Params {
        uint256 n; // letters of the alphabet
        uint256 d; // letters of a list
        uint256 guesses; // the most
        uint256 start; // wei or token units: to start,
        uint256 fee; // for each guess,
        uint256 prize; // and for the right one
    }

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 seat) {
        Params memory p = _params(c.params);
        uint256[] calldata stakes = c.stakes;
        unchecked {
            if (
                stakes.length != 2 || stakes[0] < p.start + p.fee * p.guesses || stakes[1] < p.prize
                    || stakes[0] + stakes[1] < stakes[0]
            ) revert BadMatch();
        }
        return (_head(COMMIT, p.d, 0), SERVER);
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) external pure returns (uint8 seat) {
        (uint256 phase,) = _parse(state);
        return phase == OVER ? NOBODY : phase == GUESS ? PLAYER : SERVER;
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory next, uint8 seat)
    {
        Params memory p = _params(c.params);
        (uint256 phase, uint256 n) = _position(p, state);
        if (phase == GUESS) {
            if (move.length == 1) {
                uint256 claim = uint8(move[0]);
                if (claim != ENDED && claim != ACCUSED) revert IllegalMove();
                return (bytes.concat(_head(OPEN, p.d, claim), state[3:]), SERVER);
            }
            if (move.length != p.d + 1 || move[0] != 0 || !legalList(bytes32(move[1:]), p.n, p.d)) revert IllegalMove();
            return (bytes.concat(_head(ANSWER, p.d, 0), state[3:], move[1:]), SERVER);
        }
        if (phase == ANSWER) {
            uint256 answer = uint16(bytes2(move));
            if (
                move.length != 2 || !possibleResult(answer, p.n, p.d)
                    || contradicts(bytes32(state[state.length - p.d:]), answer, state[35:state.length - p.d], p.d)
            ) revert IllegalMove();
            bool ends = answer & FOUND != 0 || n + 1 == p.guesses;
            return (bytes.concat(_head(ends ? OPEN : GUESS, p.d, 0), state[3:], move), ends ? SERVER : PLAYER);
        }
        if (phase == OPEN) return _open(c, p, n, state, move);
        if (phase != COMMIT) revert BadState();
        if (move.length != 32) revert IllegalMove();
        return (bytes.concat(_head(GUESS, p.d, 0), move), PLAYER);
    }

    /// @inheritdoc IRules
    /// @dev A silent server loses; after a silent player it still has to open its list.
    function expire(Context calldata c, bytes calldata state) external pure returns (bytes memory next, uint8 seat) {
        Params memory p = _params(c.params);
        (uint256 phase,) = _position(p, state);
        if (phase == OVER) revert BadState();
        if (phase != GUESS) return _forfeit(c, p, SERVER_SILENT, 0);
        return (bytes.concat(_head(OPEN, p.d, PLAYER_SILENT), state[3:]), SERVER);
    }

    /// @inheritdoc IRules
    /// @dev Each seat has its stake back, the player less the fees and with the prize, the server
    /// the reverse. A server proved to have lied is guilty, a silent seat is not.
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason)
    {
        (uint256 phase,) = _parse(state);
        if (phase != OVER || stakes.length != 2) revert BadState();
        uint256 fees = uint256(bytes32(state[3:]));
        uint256 prize = uint256(bytes32(state[35:]));
        payouts = new uint256[](2);
        unchecked {
            if (fees > stakes[0] || prize > stakes[1] || stakes[0] + stakes[1] < stakes[0]) revert BadMatch();
            payouts[0] = stakes[0] - fees + prize;
            payouts[1] = stakes[1] - prize + fees;
        }
        uint256 ending = uint8(state[2]);
        if (ending == FALSE_RESULT || ending == ILLEGAL_LIST) guilty = 2;
        if (ending == ACCUSED) reason = "unfounded claim";
        else if (ending == FALSE_RESULT) reason = "false result";
        else if (ending == ILLEGAL_LIST) reason = "illegal list";
        else if (ending == PLAYER_SILENT || ending == SERVER_SILENT) reason = "silence";
    }

    /// @dev The server opens its list. One that is none convicts it, and so does any false answer.
    function _open(Context calldata c, Params memory p, uint256 n, bytes calldata state, bytes calldata move)
        private
        pure
        returns (bytes memory next, uint8)
    {
        if (move.length != 64) revert IllegalMove();
        bytes32 list = bytes32(move);
        if (commitment(LIST, c.matchId, SERVER, 0, list, bytes32(move[32:])) != bytes32(state[3:])) revert IllegalMove();
        if (list << (8 * p.d) != 0 || !legalList(list, p.n, p.d)) return _forfeit(c, p, ILLEGAL_LIST, list);
        if (lies(list, p.d, state[35:])) return _forfeit(c, p, FALSE_RESULT, list);
        uint256 prize = _found(state, state.length) ? p.prize : 0;
        return (_over(p, uint8(state[2]), p.start + p.fee * n, prize, list), NOBODY);
    }

    /// @dev The server loses: no fees, and all that it staked to the player.
    function _forfeit(Context calldata c, Params memory p, uint256 ending, bytes32 list)
        private
        pure
        returns (bytes memory, uint8)
    {
        if (c.stakes.length != 2) revert BadMatch();
        return (_over(p, ending, 0, c.stakes[1], list), NOBODY);
    }

    function _over(Params memory p, uint256 ending, uint256 fees, uint256 prize, bytes32 list)
        private
        pure
        returns (bytes memory)
    {
        return bytes.concat(_head(OVER, p.d, ending), bytes32(fees), bytes32(prize), list);
    }

    function _head(uint256 phase, uint256 d, uint256 why) private pure returns (bytes memory) {
        return abi.encodePacked(uint8(phase), uint8(d), uint8(why));
    }

    /// @dev The phase of a state, and the number of answers in its transcript. Reverts unless the
    /// state has the form of its phase.
    function _parse(bytes calldata state) private pure returns (uint256 phase, uint256 n) {
        unchecked {
            uint256 length = state.length;
            if (length < 3) revert BadState();
            phase = uint8(state[0]);
            uint256 d = uint8(state[1]);
            uint256 why = uint8(state[2]);
            bool ok;
            if (phase == OVER) {
                ok = length == 99 && why <= SERVER_SILENT;
            } else if (phase == COMMIT) {
                ok = length == 3 && why == 0;
            } else if (phase <= OPEN) {
                uint256 pending = phase == ANSWER ? d : 0;
                uint256 rest = length - 35 - pending;
                // A length too short wraps round to a count too large.
                n = rest / (d + 2);
                ok = n <= MAX_GUESSES && n * (d + 2) == rest && why <= (phase == OPEN ? PLAYER_SILENT : 0);
                if (ok) {
                    bool played = phase == OPEN && why == PLAYED;
                    ok = played ? n != 0 : n != MAX_GUESSES && !_found(state, length - pending);
                }
            }
            if (!ok || d == 0 || d > MAX_LETTERS) revert BadState();
        }
    }

    /// @dev As _parse, and reverts unless the state's numbers are ones that these parameters allow,
    /// and its phase follows from its last answer.
    function _position(Params memory p, bytes calldata state) private pure returns (uint256 phase, uint256 n) {
        (phase, n) = _parse(state);
        bool ok = uint8(state[1]) == p.d;
        if (phase >= GUESS && phase <= OPEN) {
            bool played = phase == OPEN && uint8(state[2]) == PLAYED;
            bool ends = n == p.guesses || _found(state, phase == ANSWER ? state.length - p.d : state.length);
            ok = ok && n <= p.guesses && played == ends;
        }
        if (!ok) revert BadState();
    }

    /// @dev Whether the last entry of the transcript that ends there says that the list is found.
    function _found(bytes calldata state, uint256 end) private pure returns (bool) {
        return end > 35 && uint8(state[end - 2]) >> 7 == 1;
    }

    /// @dev 51 bytes: n, d and guesses of one byte, start, fee and prize of sixteen.
    function _params(bytes calldata params) private pure returns (Params memory p) {
        if (params.length != 51) revert BadMatch();
        p.n = uint8(params[0]);
        p.d = uint8(params[1]);
        p.guesses = uint8(params[2]);
        p.start = uint128(bytes16(params[3:]));
        p.fee = uint128(bytes16(params[19:]));
        p.prize = uint128(bytes16(params[35:]));
        if (p.d == 0 || p.d > p.n || p.n > MAX_LETTERS || p.guesses == 0 || p.guesses > MAX_GUESSES) revert BadMatch();
    }
}
