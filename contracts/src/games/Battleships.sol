// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "../IRules.sol";
import {fallen} from "./Coin.sol";
import {legalFleet, ones, rootOf, shows} from "./Fleet.sol";
import {payTwo} from "./Payouts.sol";

/// @title Battleships for two seats
/// @notice Both hide a fleet on a board of 64 cells and commit to each cell; a coin decides who
/// shoots first. A hit keeps the turn, a miss passes it. Every answer carries its proof, so that a
/// false one is impossible (or, as a parameter, is believed until its author opens the board, which
/// convicts it). Whoever is on turn may open its board: it wins if it has hit all of the other's
/// ships; else the other must open too, and wins if it was honest.
/// @dev Encodings: games/battleships/encoding.txt; rules: docs/games/battleships.md. Go twin:
/// games/battleships; games/gametest keeps the two equal.
contract Battleships is IRules {
    /// @notice The parameters are not one byte in range, or there are not two seats, or their
    /// stakes overflow.
    error BadMatch();
    /// @notice The state is none that a match has, or not one that can continue (or has ended) so.
    error BadState();
    /// @notice The rules do not allow this move here.
    error IllegalMove();

    bytes32 private constant COIN = "ante.battleships.coin";

    // Phases, the first byte of a state.
    uint256 private constant TOSS = 0; // seat 0 commits to its board and to heads or tails
    uint256 private constant CALL = 1; // seat 1 commits to its board and calls
    uint256 private constant SHOW = 2; // seat 0 shows the coin
    uint256 private constant SHOOT = 3;
    uint256 private constant ANSWER = 4;
    uint256 private constant REVEAL = 5; // the second board is opened
    uint256 private constant OVER = 6;

    // Endings, the first byte behind the head of a state that is over.
    uint256 private constant ALL_HIT = 0;
    uint256 private constant EARLY_REVEAL = 1;
    uint256 private constant BAD_FLEET = 2;
    uint256 private constant FALSE_ANSWER = 3;
    uint256 private constant SILENCE = 4;

    // A state is a head and a body. Head, four bytes: phase, seat, moves made (2). The seat is the
    // one that shoots (is answered, opens, has lost), held together as the number that these bytes
    // are.
    uint256 private constant PHASE = 24;
    uint256 private constant SEAT = 16;
    uint256 private constant MAX_MOVES = 261; // three, two for each of 128 shots, two to open
    uint256 private constant SHIPS = 18; // cells of a fleet

    // Boards: shots at seat 0, those of them that hit, the same for seat 1; 64 bits each.
    uint256 private constant HITS = 0xffffffffffffffff0000000000000000ffffffffffffffff;

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 seat) {
        _trusting(c.params);
        uint256[] calldata stakes = c.stakes;
        unchecked {
            if (stakes.length != 2 || stakes[0] + stakes[1] < stakes[0]) revert BadMatch();
        }
        return (abi.encodePacked(uint32(TOSS)), 0);
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) external pure returns (uint8 seat) {
        return _mover(_parse(state));
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory next, uint8 seat)
    {
        bool trusting = _trusting(c.params);
        uint256 head = _parse(state);
        uint256 phase = head >> PHASE;
        if (phase >= SHOOT) {
            if (phase == OVER) revert BadState();
            if (move.length == 40) return _reveal(c.matchId, head, state, move);
            if (phase == SHOOT) return _shoot(head, state, move);
            if (phase == ANSWER) return _answer(trusting, c.matchId, head, state, move);
            revert IllegalMove();
        }
        if (phase == SHOW) {
            (uint256 starter, bool ok) = fallen(COIN, c.matchId, state[36:], move);
            if (!ok) revert IllegalMove();
            head = (SHOOT << PHASE) | (starter << SEAT) | 3;
            return (abi.encodePacked(uint32(head), state[4:36], state[69:], uint256(0)), _mover(head));
        }
        // Two commitments; or a side that is called and one commitment.
        if (move.length != (phase == TOSS ? 64 : 33) || phase == CALL && uint8(move[0]) > 1) revert IllegalMove();
        head += (1 << PHASE) + 1;
        return (abi.encodePacked(uint32(head), state[4:], move), _mover(head));
    }

    /// @inheritdoc IRules
    function expire(Context calldata c, bytes calldata state) external pure returns (bytes memory next, uint8 seat) {
        _trusting(c.params);
        uint256 head = _parse(state);
        if (head >> PHASE == OVER) revert BadState();
        return _end(head, _mover(head), SILENCE, state, 0);
    }

    /// @inheritdoc IRules
    /// @dev The winner takes the pot. A seat proved to have cheated is guilty, a silent one is not.
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory, uint16, bytes32)
    {
        uint256 head = _parse(state);
        if (head >> PHASE != OVER || stakes.length != 2) revert BadState();
        uint256 pot = stakes[0] + stakes[1];
        uint256 loser = uint8(head >> SEAT);
        uint256 ending = uint8(state[4]);
        bytes32 reason;
        if (ending == SILENCE) reason = "silence";
        else if (ending == EARLY_REVEAL) reason = "early reveal";
        else if (ending == BAD_FLEET) reason = "bad fleet";
        else if (ending == FALSE_ANSWER) reason = "false answer";
        bool guilty = ending == BAD_FLEET || ending == FALSE_ANSWER;
        unchecked {
            payTwo(pot, pot * (1 - loser), guilty ? 1 << loser : 0, reason);
        }
    }

    function _shoot(uint256 head, bytes calldata state, bytes calldata move)
        private
        pure
        returns (bytes memory, uint8)
    {
        uint256 target = 1 - uint8(head >> SEAT);
        if (move.length != 1 || !_fresh(_boards(state), target, uint8(move[0]))) revert IllegalMove();
        head += (1 << PHASE) + 1;
        return (abi.encodePacked(uint32(head), state[4:], move), uint8(target));
    }

    /// @dev A hit keeps the turn, a miss passes it.
    function _answer(bool trusting, bytes32 matchId, uint256 head, bytes calldata state, bytes calldata move)
        private
        pure
        returns (bytes memory, uint8)
    {
        uint256 target = 1 - uint8(head >> SEAT);
        uint256 cell = uint8(state[100]);
        if (move.length != (trusting ? 1 : 225)) revert IllegalMove();
        uint256 ship = uint8(move[0]);
        if (ship > 1) revert IllegalMove();
        if (!trusting && !shows(_root(state, target), matchId, target, cell, ship, move[1:])) revert IllegalMove();
        unchecked {
            uint256 boards = _boards(state) | (((1 << 64) | ship) << (cell + 128 * (1 - target)));
            uint256 shooter = ship == 1 ? 1 - target : target;
            head = (SHOOT << PHASE) | (shooter << SEAT) | (uint16(head) + 1);
            return (abi.encodePacked(uint32(head), state[4:68], boards), uint8(shooter));
        }
    }

    /// @dev The mover opens its board: a bad fleet or a wrong answer loses at once. The first to
    /// open wins if it has hit everything, and else has the other open too; the second to open
    /// wins.
    function _reveal(bytes32 matchId, uint256 head, bytes calldata state, bytes calldata move)
        private
        pure
        returns (bytes memory, uint8)
    {
        uint256 seat = _mover(head);
        uint256 fleet = uint64(bytes8(move));
        if (rootOf(matchId, seat, fleet, bytes32(move[8:])) != _root(state, seat)) revert IllegalMove();
        unchecked {
            uint256 boards = _boards(state);
            uint256 own = boards >> (128 * (1 - seat));
            uint256 fleets = fleet << (64 * (1 - seat));
            bool second = head >> PHASE == REVEAL;
            ++head;
            if (second) fleets |= uint256(uint64(bytes8(state[100:]))) << (64 * seat);
            if (!legalFleet(fleet)) return _end(head, seat, BAD_FLEET, state, fleets);
            if (fleet & (own >> 64) != uint64(own)) return _end(head, seat, FALSE_ANSWER, state, fleets);
            if (second) return _end(head, 1 - seat, EARLY_REVEAL, state, fleets);
            if (ones(uint64(boards >> (128 * seat))) >= SHIPS) return _end(head, 1 - seat, ALL_HIT, state, fleets);
            head = (REVEAL << PHASE) | ((1 - seat) << SEAT) | uint16(head);
            return (abi.encodePacked(uint32(head), state[4:100], uint64(fleet)), uint8(1 - seat));
        }
    }

    function _end(uint256 head, uint256 loser, uint256 ending, bytes calldata state, uint256 fleets)
        private
        pure
        returns (bytes memory, uint8)
    {
        uint256 phase = head >> PHASE;
        uint256 boards = phase < SHOOT ? 0 : _boards(state);
        // A first board that was opened stays open, though the second never is.
        if (phase == REVEAL && fleets == 0) fleets = uint256(uint64(bytes8(state[100:]))) << (64 * loser);
        head = (OVER << PHASE) | (loser << SEAT) | uint16(head);
        return (abi.encodePacked(uint32(head), uint8(ending), boards, uint128(fleets)), NOBODY);
    }

    /// @dev Whether a cell is on the board and was not shot at.
    function _fresh(uint256 boards, uint256 target, uint256 cell) private pure returns (bool) {
        unchecked {
            return cell < 64 && (boards >> (64 + 128 * (1 - target) + cell)) & 1 == 0;
        }
    }

    function _boards(bytes calldata state) private pure returns (uint256) {
        return uint256(bytes32(state[68:]));
    }

    function _root(bytes calldata state, uint256 seat) private pure returns (bytes32) {
        return bytes32(state[4 + 32 * seat:]);
    }

    function _mover(uint256 head) private pure returns (uint8) {
        uint256 phase = head >> PHASE;
        uint256 seat = uint8(head >> SEAT);
        if (phase == OVER) return NOBODY;
        return uint8(phase == CALL || phase == ANSWER ? 1 - seat : seat);
    }

    /// @dev The head of a state. Reverts unless the state has the form of its phase.
    function _parse(bytes calldata state) private pure returns (uint256 head) {
        unchecked {
            head = uint32(bytes4(state));
            uint256 phase = head >> PHASE;
            uint256 length = state.length;
            bool ok;
            if (phase < SHOOT) {
                ok = uint24(head) == phase && length == (phase == TOSS ? 4 : phase == CALL ? 68 : 101);
                if (phase == SHOW) ok = ok && uint8(state[68]) <= 1;
            } else {
                ok = length == (phase == SHOOT ? 100 : phase == ANSWER ? 101 : phase == REVEAL ? 108 : 53)
                    && phase <= OVER && uint8(head >> SEAT) <= 1;
                if (ok) {
                    uint256 boards = uint256(bytes32(state[phase == OVER ? 5 : 68:]));
                    ok = boards & HITS & ~(boards >> 64) == 0;
                    uint256 turn = uint16(head);
                    if (phase == OVER) {
                        ok = ok && uint8(state[4]) <= SILENCE && turn <= MAX_MOVES;
                    } else {
                        // The coin's three, two for each shot; then one that is to be answered, or
                        // an opened board.
                        turn -= 2 * ones((boards >> 192) << 64 | uint64(boards >> 64));
                        ok = ok && (turn == phase || phase == REVEAL && turn == ANSWER);
                        if (phase == ANSWER) ok = ok && _fresh(boards, 1 - uint8(head >> SEAT), uint8(state[100]));
                    }
                }
            }
            if (!ok) revert BadState();
        }
    }

    /// @dev The one parameter: 1 if answers are believed until the boards are opened.
    function _trusting(bytes calldata params) private pure returns (bool) {
        if (params.length != 1 || uint8(params[0]) > 1) revert BadMatch();
        return uint8(params[0]) == 1;
    }
}
