// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC6372} from "@openzeppelin/contracts/interfaces/IERC6372.sol";

/// @title The Arena's clock: blocks or seconds, fixed at deployment, and the bounds of every window
/// in it
abstract contract Timed is IERC6372 {
    /// @notice Windows below this are refused, in the clock's unit.
    uint64 public immutable MIN_WINDOW;
    /// @notice Windows above this are refused, in the clock's unit.
    uint64 public immutable MAX_WINDOW;
    bool private immutable IN_BLOCKS;

    /// @dev A quarter of the least window must be a time, and no sum of four windows may pass
    /// uint48.
    error BadBounds();

    constructor(bool inBlocks, uint64 minWindow, uint64 maxWindow) {
        if (minWindow < 4 || maxWindow < minWindow || maxWindow > type(uint40).max) revert BadBounds();
        IN_BLOCKS = inBlocks;
        MIN_WINDOW = minWindow;
        MAX_WINDOW = maxWindow;
    }

    /// @inheritdoc IERC6372
    function clock() public view returns (uint48) {
        // 48 bits of seconds are nine million years
        return uint48(IN_BLOCKS ? block.number : block.timestamp);
    }

    /// @inheritdoc IERC6372
    // solhint-disable-next-line func-name-mixedcase
    function CLOCK_MODE() external view returns (string memory) {
        return IN_BLOCKS ? "mode=blocknumber&from=default" : "mode=timestamp";
    }
}
