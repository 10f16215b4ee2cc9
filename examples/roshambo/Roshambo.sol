// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {commitment} from "./Commitment.sol";
import {Context, IRules, NOBODY} from "./IRules.sol";

/// @title roshambo for two: rock, paper, scissors, chosen in secret
/// @notice A state is 67 bytes: the phase, both commitments, both hands (0 rock, 1 paper, 2
/// scissors). A move is a commitment, or the hand and the salt that open it. There are no
/// parameters. Go twin: roshambo.go.
contract Roshambo is IRules {
    // In the first four phases the seat on move is the phase modulo 2; an ending of seat 1 is one
    // more than that of seat 0.
    uint8 private constant OPENING = 2;
    uint8 private constant PLAYED = 4;
    uint8 private constant SILENT = 5;
    uint8 private constant LIED = 7;
    uint8 private constant HANDS = 3;

    error Illegal();

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 first) {
        require(c.params.length == 0 && c.stakes.length == 2, Illegal());
        c.stakes[0] + c.stakes[1]; // reverts if they overflow
        return (new bytes(67), 0);
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) public pure returns (uint8 seat) {
        require(state.length == 67 && uint8(state[0]) <= LIED + 1, Illegal());
        uint8 phase = uint8(state[0]);
        return phase < PLAYED ? phase % 2 : NOBODY;
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        pure
        returns (bytes memory next, uint8 seat)
    {
        uint8 me = mover(state);
        require(c.params.length == 0 && me != NOBODY, Illegal());
        uint8 phase = uint8(state[0]);
        next = state;
        if (phase < OPENING) {
            require(move.length == 32, Illegal());
            for (uint256 i = 0; i < 32; ++i) next[1 + 32 * me + i] = move[i];
        } else {
            require(move.length == 33, Illegal());
            bytes32 opened = commitment("hand", c.matchId, me, 0, bytes32(uint256(uint8(move[0]))), bytes32(move[1:]));
            require(opened == bytes32(state[1 + 32 * uint256(me):]), Illegal());
            next[65 + me] = move[0];
            if (uint8(move[0]) >= HANDS) {
                next[0] = bytes1(LIED + me);
                return (next, NOBODY);
            }
        }
        next[0] = bytes1(phase + 1);
        return (next, phase + 1 < PLAYED ? 1 - me : NOBODY);
    }

    /// @inheritdoc IRules
    function expire(Context calldata c, bytes calldata state) external pure returns (bytes memory next, uint8 seat) {
        uint8 me = mover(state);
        require(c.params.length == 0 && me != NOBODY, Illegal());
        next = state;
        next[0] = bytes1(SILENT + me);
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
        uint8 phase = uint8(state[0]);
        uint256 winner;
        if (phase >= LIED) {
            winner = LIED + 1 - phase;
            guilty = uint16(1) << (phase - LIED);
            reason = "no hand";
        } else if (phase >= SILENT) {
            winner = SILENT + 1 - phase;
            reason = "silence";
        } else if (state[65] == state[66]) {
            return (stakes, 0, 0);
        } else if (uint256(uint8(state[66])) == (uint256(uint8(state[65])) + 1) % HANDS) {
            winner = 1;
        }
        payouts = new uint256[](2);
        payouts[winner] = pot;
    }
}
