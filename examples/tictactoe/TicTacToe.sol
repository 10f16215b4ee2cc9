// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "./IRules.sol";

/// @title tictactoe for two
/// @notice A state is ten bytes: the cells by row (0 empty, else the seat + 1), and how the match
/// ended. A move is one byte: the cell. There are no parameters. Go twin: tictactoe.go.
contract TicTacToe is IRules {
    // How a match ended; seat 0's comes first, seat 1's is one more.
    uint8 private constant PLAYING = 0;
    uint8 private constant WON = 1;
    uint8 private constant FULL = 3;
    uint8 private constant SILENT = 4;

    error Illegal();

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 first) {
        require(c.params.length == 0 && c.stakes.length == 2, Illegal());
        c.stakes[0] + c.stakes[1]; // reverts if they overflow
        return (new bytes(10), 0);
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) public pure returns (uint8 seat) {
        require(state.length == 10 && uint8(state[9]) <= SILENT + 1, Illegal());
        for (uint256 i = 0; i < 9; ++i) {
            uint8 cell = uint8(state[i]);
            require(cell <= 2, Illegal());
            if (cell != 0) seat ^= 1;
        }
        if (uint8(state[9]) != PLAYING) seat = NOBODY;
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory next, uint8 seat)
    {
        uint8 me = mover(state);
        require(c.params.length == 0 && me != NOBODY && move.length == 1 && uint8(move[0]) < 9, Illegal());
        next = state;
        uint256 cell = uint8(move[0]);
        require(next[cell] == 0, Illegal());
        next[cell] = bytes1(me + 1);
        if (line(next, me + 1)) next[9] = bytes1(WON + me);
        else if (full(next)) next[9] = bytes1(FULL);
        else return (next, 1 - me);
        return (next, NOBODY);
    }

    /// @inheritdoc IRules
    function expire(Context calldata c, bytes calldata state) external pure returns (bytes memory next, uint8 seat) {
        uint8 me = mover(state);
        require(c.params.length == 0 && me != NOBODY, Illegal());
        next = state;
        next[9] = bytes1(SILENT + me);
        return (next, NOBODY);
    }

    /// @inheritdoc IRules
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason)
    {
        require(mover(state) == NOBODY && stakes.length == 2, Illegal());
        uint256 pot = stakes[0] + stakes[1];
        uint8 ending = uint8(state[9]);
        payouts = new uint256[](2);
        if (ending == FULL) {
            payouts[1] = pot / 2;
            payouts[0] = pot - payouts[1];
        } else if (ending < FULL) {
            payouts[ending - WON] = pot;
        } else {
            payouts[1 - (ending - SILENT)] = pot;
            reason = "silence";
        }
        return (payouts, 0, reason);
    }

    /// Whether one seat's marks fill a line.
    function line(bytes memory s, uint8 mark) private pure returns (bool) {
        bytes memory lines = hex"000102030405060708000306010407020508000408020406";
        for (uint256 i = 0; i < 24; i += 3) {
            if (
                uint8(s[uint8(lines[i])]) == mark && uint8(s[uint8(lines[i + 1])]) == mark
                    && uint8(s[uint8(lines[i + 2])]) == mark
            ) return true;
        }
        return false;
    }

    function full(bytes memory s) private pure returns (bool) {
        for (uint256 i = 0; i < 9; ++i) if (s[i] == 0) return false;
        return true;
    }
}
