// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// The nine boxes of Box 9: bit i of a mask is box i+1. Go twin: games/box9, boxes.go.

/// @dev Whether a mask names one to six boxes, and nothing else.
function legalBet(uint256 mask) pure returns (bool) {
    unchecked {
        return mask != 0 && mask < 512 && size(mask) <= 6;
    }
}

/// @dev How many boxes a mask of nine bits names.
function size(uint256 mask) pure returns (uint256 n) {
    unchecked {
        for (; mask != 0; mask &= mask - 1) {
            ++n;
        }
    }
}

/// @dev The boxes (from 0) that hold gold and the two silvers. The hash plus the price in coins,
/// wrapping, is hashed again; of its 64 hex digits the last is dropped, and the rest are nine
/// numbers of seven digits. The lowest is gold, then come the silvers; ties go to the lower box.
function drawn(bytes32 hash, uint256 coins) pure returns (uint256 gold, uint256 silver1, uint256 silver2) {
    unchecked {
        uint256 w = uint256(keccak256(abi.encode(uint256(hash) + coins))) >> 4;
        // Each number above its box's, so that equal numbers differ; the lowest three seen so far.
        uint256 a = type(uint256).max;
        uint256 b = a;
        uint256 c = a;
        for (uint256 box; box < 9; ++box) {
            uint256 v = (((w >> (28 * (8 - box))) & 0xfffffff) << 4) | box;
            if (v < a) (a, b, c) = (v, a, b);
            else if (v < b) (b, c) = (v, b);
            else if (v < c) c = v;
        }
        return (a & 15, b & 15, c & 15);
    }
}
