// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "../IRules.sol";
import {commitment} from "./Commitment.sol";

/// @title Split or steal for two players, with a house or without
/// @notice X and Y bet. Each commits to a number, odd for split and even for steal; then both open
/// theirs. What each gets stands in a matrix of both bets. The house pays what two splitters get
/// beyond the bets, and keeps what two stealers leave. Who does not open in time is disqualified:
/// the other takes both bets.
/// @dev Encodings: games/splitsteal/encoding.txt; rules: docs/games/split-or-steal.md. Go twin:
/// games/splitsteal; games/gametest keeps the two equal. Every call checks the form of all it
/// reads.
contract SplitOrSteal is IRules {
    /// @notice The parameters are not 17 bytes that keep the rule n1 < n2, n1 + n2 = d1, d2 < d1,
    /// all positive; or a seat is missing; or a bet is 2^224 or more, the house stakes less than
    /// the subsidy, or all stakes overflow.
    error BadMatch();
    /// @notice The state is not one of a match with these parameters, or not one that can continue
    /// (or has ended) so.
    error BadState();
    /// @notice The rules do not allow this move here.
    error IllegalMove();

    bytes32 private constant TAG = "ante.splitsteal.choice";

    // Phases, the first byte of a state. The lowest bit is who moves: 0 for X, 1 for Y.
    uint256 private constant COMMIT_X = 0;
    uint256 private constant COMMIT_Y = 1;
    uint256 private constant OPEN_X = 2;
    uint256 private constant OPEN_Y = 3;
    uint256 private constant OVER = 4;

    // A state is a head of four bytes and a body. Head: phase; the house's seat; who is
    // disqualified and who has chosen split, as masks with bit 0 for X and bit 1 for Y. A head is
    // held as the number that these bytes are.
    uint256 private constant PHASE = 24;
    uint256 private constant HOUSE = 16;
    uint256 private constant OUT = 8;

    uint256 private constant OUT_X = 1;
    uint256 private constant OUT_Y = 2;
    uint256 private constant NO_HOUSE = 3;

    // A bet times any numerator fits 256 bits.
    uint256 private constant MAX_BET = type(uint224).max;

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 seat) {
        (uint256 fractions, uint256 house) = _params(c.params);
        _stakes(fractions, house, c.stakes);
        uint256 head = house << HOUSE;
        return (abi.encodePacked(uint32(head)), _mover(head));
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) external pure returns (uint8 seat) {
        return _mover(_parse(state));
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory, uint8)
    {
        uint256 head = _position(c.params, state);
        uint256 phase = head >> PHASE;
        if (phase <= COMMIT_Y) {
            if (move.length != 32) revert IllegalMove();
            // Bound to its seat, a copy of the other's could never be opened: better to be told at
            // once.
            if (phase == COMMIT_Y && state.length == 36 && bytes32(move) == bytes32(state[4:])) revert IllegalMove();
            return _next(head, uint8(head >> OUT), c.params, state[4:], move);
        }
        if (move.length != 64) revert IllegalMove();
        bytes32 number = bytes32(move);
        bytes32 opened = commitment(TAG, c.matchId, _mover(head), 0, number, bytes32(move[32:]));
        if (opened != bytes32(state[4:])) revert IllegalMove();
        uint256 out = uint8(head >> OUT);
        head |= (uint256(number) & 1) << (phase & 1);
        return _next(head, out, c.params, state[state.length - 32:], move[:0]);
    }

    /// @inheritdoc IRules
    /// @dev Who is silent is disqualified.
    function expire(Context calldata c, bytes calldata state) external pure returns (bytes memory, uint8) {
        uint256 head = _position(c.params, state);
        uint256 phase = head >> PHASE;
        uint256 out = uint8(head >> OUT);
        // A commitment that will not be opened is dropped.
        bytes calldata kept = phase == OPEN_X ? state[state.length - 32:] : state[4:];
        return _next(head | (1 << (OUT + (phase & 1))), out, c.params, kept, state[:0]);
    }

    /// @inheritdoc IRules
    /// @dev Nobody is ever guilty: nothing that can be proved wrong is a legal move.
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory, uint16, bytes32)
    {
        uint256 head = _parse(state);
        if (head >> PHASE != OVER) revert BadState();
        uint256 fractions = uint128(bytes16(state[4:]));
        uint256 house = uint8(head >> HOUSE);
        (uint256 x, uint256 y) = _stakes(fractions, house, stakes);
        uint256[] memory payouts = new uint256[](stakes.length);
        bytes32 reason;
        unchecked {
            // _stakes has seen to it that this sum does not wrap, nor any share that follows.
            uint256 rest = x + y + (house == NO_HOUSE ? 0 : stakes[house]);
            uint256 out = uint8(head >> OUT);
            if (out == OUT_X) {
                (x, y) = (0, x + y);
            } else if (out == OUT_Y) {
                (x, y) = (x + y, 0);
            } else if (out != 0) {
                if (house != NO_HOUSE) (x, y) = (0, 0);
            } else {
                (x, y) = _matrix(fractions, house != NO_HOUSE, x, y, uint8(head));
            }
            payouts[_seat(0, house)] = x;
            payouts[_seat(1, house)] = y;
            if (house != NO_HOUSE) payouts[house] = rest - x - y;
            if (out != 0) reason = out == 3 ? bytes32("silence of both") : bytes32("silence");
        }
        return (payouts, 0, reason);
    }

    /// @dev What X and Y get of their bets under two choices. Each share is multiplied first and
    /// rounded down once. The house gets the rest; without a house, equal choices give the bets
    /// back, and whoever steals from a splitter gets the rest.
    function _matrix(uint256 fractions, bool house, uint256 x, uint256 y, uint256 splits)
        private
        pure
        returns (uint256, uint256)
    {
        unchecked {
            uint256 d1 = uint32(fractions >> 32);
            uint256 fromX = (x * uint32(fractions >> 96)) / d1; // n1 · X / d1
            uint256 fromY = (y * uint32(fractions >> 96)) / d1;
            if (splits == 1) return (fromX, y + (house ? (x * uint32(fractions >> 64)) / d1 : x - fromX));
            if (splits == 2) return (x + (house ? (y * uint32(fractions >> 64)) / d1 : y - fromY), fromY);
            if (!house) return (x, y);
            if (splits == 3) return (x + fromY, y + fromX);
            uint256 d2 = uint32(fractions);
            return (x / d2, y / d2);
        }
    }

    /// @dev The bets. Reverts unless the stakes are those of a match with these parameters.
    function _stakes(uint256 fractions, uint256 house, uint256[] calldata stakes)
        private
        pure
        returns (uint256 x, uint256 y)
    {
        if (stakes.length != (house == NO_HOUSE ? 2 : 3)) revert BadMatch();
        x = stakes[_seat(0, house)];
        y = stakes[_seat(1, house)];
        if (x > MAX_BET || y > MAX_BET) revert BadMatch();
        if (house == NO_HOUSE) return (x, y);
        unchecked {
            uint256 n1 = uint32(fractions >> 96);
            uint256 d1 = uint32(fractions >> 32);
            uint256 staked = stakes[house];
            if (staked < (x * n1) / d1 + (y * n1) / d1 || staked + x + y < staked) revert BadMatch();
        }
    }

    /// @dev The position after the mover has done, or failed to do, what it had to. Once a player
    /// was out before, the other had but to do that: the match is over. Else the body goes on with
    /// `kept` and `added`.
    function _next(uint256 head, uint256 wasOut, bytes calldata params, bytes calldata kept, bytes calldata added)
        private
        pure
        returns (bytes memory, uint8)
    {
        uint256 phase = head >> PHASE;
        if (wasOut != 0 || phase == OPEN_Y) {
            head = (OVER << PHASE) | uint24(head);
            return (abi.encodePacked(uint32(head), params[:16]), NOBODY);
        }
        head += 1 << PHASE;
        return (abi.encodePacked(uint32(head), kept, added), _mover(head));
    }

    function _mover(uint256 head) private pure returns (uint8) {
        uint256 phase = head >> PHASE;
        if (phase == OVER) return NOBODY;
        return uint8(_seat(phase & 1, uint8(head >> HOUSE)));
    }

    /// @dev X and Y take the seats besides the house's, in ascending order.
    function _seat(uint256 role, uint256 house) private pure returns (uint256) {
        unchecked {
            return house <= role ? role + 1 : role;
        }
    }

    /// @dev As _parse, and reverts unless the match can go on and has these parameters.
    function _position(bytes calldata params, bytes calldata state) private pure returns (uint256 head) {
        (, uint256 house) = _params(params);
        head = _parse(state);
        if (head >> PHASE == OVER || uint8(head >> HOUSE) != house) revert BadState();
    }

    /// @dev The head of a state. Reverts unless the state has the form of its phase.
    function _parse(bytes calldata state) private pure returns (uint256 head) {
        head = uint32(bytes4(state));
        uint256 phase = head >> PHASE;
        uint256 out = uint8(head >> OUT);
        uint256 splits = uint8(head);
        uint256 body; // bytes
        bool ok;
        if (phase == OVER) {
            body = 16;
            ok = out <= 3 && splits <= 3 && splits & out == 0 && _keepRule(uint128(bytes16(state[4:])));
        } else if (phase == OPEN_X) {
            body = out == 0 ? 64 : 32;
            ok = (out == 0 || out == OUT_Y) && splits == 0;
        } else if (phase == OPEN_Y) {
            body = 32;
            ok = out <= OUT_X && splits <= 1 && splits & out == 0;
        } else if (phase == COMMIT_Y) {
            body = out == 0 ? 32 : 0;
            ok = out <= OUT_X && splits == 0;
        } else {
            ok = phase == COMMIT_X && out == 0 && splits == 0;
        }
        if (!ok || state.length != 4 + body || uint8(head >> HOUSE) > NO_HOUSE) revert BadState();
    }

    /// @dev Parameters: n1, n2, d1, d2, four bytes each, and the house's seat, 0..2, or 3 for none.
    function _params(bytes calldata params) private pure returns (uint256 fractions, uint256 house) {
        fractions = uint128(bytes16(params));
        house = uint8(params[16]);
        if (params.length != 17 || house > NO_HOUSE || !_keepRule(fractions)) revert BadMatch();
    }

    function _keepRule(uint256 fractions) private pure returns (bool) {
        unchecked {
            uint256 n1 = uint32(fractions >> 96);
            uint256 n2 = uint32(fractions >> 64);
            uint256 d1 = uint32(fractions >> 32);
            uint256 d2 = uint32(fractions);
            return n1 != 0 && n1 < n2 && n1 + n2 == d1 && d2 != 0 && d2 < d1;
        }
    }
}
