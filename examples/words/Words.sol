// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "./IRules.sol";

/// @title Words: two seats in turn say four words of 32 bytes, whose hash decides who wins the pot
/// @notice An example of how words are typed, and no fair game: seat 1 says the last word, and can
/// choose one whose hash makes it win. Silence loses the pot. There are no parameters. A move is a
/// word. A state is three bytes (who moves, how the match ended, who won; 2: nobody), then the
/// words said so far.
contract Words is IRules {
    uint256 private constant HEAD = 3;
    uint256 private constant MOST = 4;

    // How a match ended.
    uint8 private constant DECIDED = 1;
    uint8 private constant SILENCE = 2;
    uint8 private constant NO_SEAT = 2;

    error Illegal();

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 first) {
        require(c.stakes.length == 2 && c.params.length == 0, Illegal());
        c.stakes[0] + c.stakes[1]; // reverts if they overflow
        return (abi.encodePacked(uint8(0), uint8(0), NO_SEAT), 0);
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
        require(me != NOBODY && move.length == 32, Illegal());
        next = bytes.concat(state, move);
        if (next.length == HEAD + 32 * MOST) return over(next, DECIDED, uint8(uint256(keccak256(next)) & 1));
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
        payouts = new uint256[](2);
        payouts[uint8(state[2])] = stakes[0] + stakes[1];
        return (payouts, 0, uint8(state[1]) == SILENCE ? bytes32("silence") : bytes32(0));
    }

    /// Who moves in a state, which must have the form of one.
    function checked(bytes calldata state) private pure returns (uint8 seat) {
        require(state.length >= HEAD && state.length <= HEAD + 32 * MOST, Illegal());
        require((state.length - HEAD) % 32 == 0, Illegal());
        uint256 said = (state.length - HEAD) / 32;
        seat = uint8(state[0]);
        uint8 ending = uint8(state[1]);
        uint8 winner = uint8(state[2]);
        if (seat != NOBODY) require(ending == 0 && winner == NO_SEAT && said < MOST && seat == said % 2, Illegal());
        else require(winner < 2 && (said == MOST ? ending == DECIDED : ending == SILENCE), Illegal());
    }

    function over(bytes memory state, uint8 ending, uint8 winner) private pure returns (bytes memory, uint8) {
        (state[0], state[1], state[2]) = (bytes1(NOBODY), bytes1(ending), bytes1(winner));
        return (state, NOBODY);
    }
}
