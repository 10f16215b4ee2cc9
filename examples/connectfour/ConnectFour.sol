// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "./IRules.sol";

/// @title Connect four for two seats, in Solidity only
/// @notice Discs fall into seven columns of six; four in a line win the pot, a full board splits
/// it, silence loses it. The parameter is one byte: the seat that begins. A move is one byte: the
/// column. A state is 45 bytes: who moves, how the match ended, who won (2: nobody), then the cells
/// by row, from the lowest: 0 empty, else seat + 1.
contract ConnectFour is IRules {
    uint256 private constant COLUMNS = 7;
    uint256 private constant CELLS = 42;
    uint256 private constant HEAD = 3;

    // How a match ended.
    uint8 private constant FOUR = 1;
    uint8 private constant FULL = 2;
    uint8 private constant SILENCE = 3;
    uint8 private constant NO_SEAT = 2;

    error Illegal();

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 first) {
        require(c.stakes.length == 2 && c.params.length == 1 && uint8(c.params[0]) < 2, Illegal());
        c.stakes[0] + c.stakes[1]; // reverts if they overflow
        first = uint8(c.params[0]);
        state = abi.encodePacked(first, uint8(0), NO_SEAT, new bytes(CELLS));
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) external pure returns (uint8 seat) {
        return checked(state);
    }

    /// @inheritdoc IRules
    function play(Context calldata, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory next, uint8 seat)
    {
        uint8 me = checked(state);
        require(me != NOBODY && move.length == 1, Illegal());
        uint256 cell = uint8(move[0]);
        require(cell < COLUMNS, Illegal());
        while (cell < CELLS && state[HEAD + cell] != 0) cell += COLUMNS;
        require(cell < CELLS, Illegal()); // the column is full
        next = state;
        next[HEAD + cell] = bytes1(me + 1);
        if (wins(next, cell)) return over(next, FOUR, me);
        if (full(next)) return over(next, FULL, NO_SEAT);
        next[0] = bytes1(1 - me);
        return (next, 1 - me);
    }

    /// @inheritdoc IRules
    function expire(Context calldata, bytes calldata state) external pure returns (bytes memory next, uint8 seat) {
        uint8 me = checked(state);
        require(me != NOBODY, Illegal());
        return over(state, SILENCE, 1 - me);
    }

    /// @inheritdoc IRules
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason)
    {
        require(checked(state) == NOBODY && stakes.length == 2, Illegal());
        uint256 pot = stakes[0] + stakes[1];
        uint256 winner = uint8(state[2]);
        payouts = new uint256[](2);
        if (winner == NO_SEAT) (payouts[0], payouts[1]) = (pot - pot / 2, pot / 2);
        else payouts[winner] = pot;
        return (payouts, 0, uint8(state[1]) == SILENCE ? bytes32("silence") : bytes32(0));
    }

    /// Who moves in a state, which must have the form of one.
    function checked(bytes calldata state) private pure returns (uint8 seat) {
        require(state.length == HEAD + CELLS, Illegal());
        seat = uint8(state[0]);
        uint8 ending = uint8(state[1]);
        uint8 winner = uint8(state[2]);
        bool isOver = ending == FULL ? winner == NO_SEAT : winner < 2 && (ending == FOUR || ending == SILENCE);
        require(seat == NOBODY ? isOver : seat < 2 && ending == 0 && winner == NO_SEAT, Illegal());
        for (uint256 i = HEAD; i < state.length; ++i) require(uint8(state[i]) < 3, Illegal());
    }

    function over(bytes memory state, uint8 ending, uint8 winner) private pure returns (bytes memory, uint8) {
        (state[0], state[1], state[2]) = (bytes1(NOBODY), bytes1(ending), bytes1(winner));
        return (state, NOBODY);
    }

    function full(bytes memory state) private pure returns (bool) {
        for (uint256 i = HEAD + CELLS - COLUMNS; i < HEAD + CELLS; ++i) if (state[i] == 0) return false;
        return true;
    }

    /// Whether the disc in a cell is one of four in a line.
    function wins(bytes memory state, uint256 cell) private pure returns (bool) {
        int256 row = int256(cell / COLUMNS);
        int256 column = int256(cell % COLUMNS);
        return 1 + run(state, row, column, 0, 1) + run(state, row, column, 0, -1) > 3
            || 1 + run(state, row, column, -1, 0) > 3
            || 1 + run(state, row, column, 1, 1) + run(state, row, column, -1, -1) > 3
            || 1 + run(state, row, column, 1, -1) + run(state, row, column, -1, 1) > 3;
    }

    /// How many discs of the same colour follow in a direction.
    function run(bytes memory state, int256 row, int256 column, int256 up, int256 right)
        private
        pure
        returns (uint256 n)
    {
        bytes1 disc = state[HEAD + uint256(row) * COLUMNS + uint256(column)];
        for (; n < 3; ++n) {
            (row, column) = (row + up, column + right);
            if (row < 0 || row > 5 || column < 0 || column > 6) break;
            if (state[HEAD + uint256(row) * COLUMNS + uint256(column)] != disc) break;
        }
    }
}
