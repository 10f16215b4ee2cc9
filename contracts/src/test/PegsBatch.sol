// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {lies} from "../games/Pegs.sol";

/// @title Judges transcripts, so that a test can try every code and every guess there is
contract PegsBatch {
    /// @notice The false answers of each transcript, one bit each.
    /// @param transcripts of at most 32 entries each, for the same code
    function judge(uint256 code, uint256 pegs, bytes[] calldata transcripts) external pure returns (uint32[] memory masks) {
        masks = new uint32[](transcripts.length);
        for (uint256 i; i < transcripts.length; ++i) {
            masks[i] = uint32(lies(code, pegs, transcripts[i]));
        }
    }
}
