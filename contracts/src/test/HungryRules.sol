// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Context, IRules, NOBODY} from "../IRules.sol";

/// @notice Rules that need nearly all the gas that a call is promised to tell what a silent mover
/// loses. The first seat wins.
contract HungryRules is IRules {
    error Starved();

    function start(Context calldata) external pure returns (bytes memory state, uint8 seat) {
        return (hex"00", 0);
    }

    function mover(bytes calldata) external pure returns (uint8 seat) {
        return 0;
    }

    function play(Context calldata, bytes calldata, bytes calldata) external pure returns (bytes memory, uint8) {
        revert Starved();
    }

    function expire(Context calldata, bytes calldata) external view returns (bytes memory next, uint8 seat) {
        if (gasleft() < 990_000) revert Starved();
        return (hex"01", NOBODY);
    }

    function outcome(bytes calldata, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason)
    {
        payouts = new uint256[](stakes.length);
        for (uint256 i; i < stakes.length; ++i) {
            payouts[0] += stakes[i];
        }
        (guilty, reason) = (0, 0);
    }
}
