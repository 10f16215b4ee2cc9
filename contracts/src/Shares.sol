// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Panic} from "@openzeppelin/contracts/utils/Panic.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Sums, and the redistribution of a convicted seat's payout
library Shares {
    /// @notice The sum. Reverts when it overflows.
    function sum(uint256[] memory list) internal pure returns (uint256 total) {
        uint256 words;
        assembly ("memory-safe") {
            words := add(list, 0x20)
        }
        return sum(words, list.length);
    }

    /// @notice The sum of n words in memory. Reverts when it overflows.
    function sum(uint256 words, uint256 n) internal pure returns (uint256 total) {
        bool wraps;
        assembly ("memory-safe") {
            for { let end := add(words, shl(5, n)) } lt(words, end) { words := add(words, 0x20) } {
                let v := mload(words)
                total := add(total, v)
                wraps := or(wraps, lt(total, v))
            }
        }
        if (wraps) Panic.panic(Panic.UNDER_OVERFLOW);
    }

    /// @notice Whether n words in memory and n others have one sum, and neither overflows.
    function equal(uint256 some, uint256 others, uint256 n) internal pure returns (bool) {
        uint256 a;
        uint256 b;
        bool wraps;
        unchecked {
            for (uint256 i; i < 32 * n; i += 32) {
                uint256 v = _at(some + i);
                a += v;
                if (a < v) wraps = true;
                v = _at(others + i);
                b += v;
                if (b < v) wraps = true;
            }
        }
        return a == b && !wraps;
    }

    /// @notice Gives the payouts of convicted seats to the others in proportion to their stakes,
    /// what rounding leaves to the lowest of them. Where none of them has a stake, payouts stand.
    /// Changes `payouts` in place.
    function redistribute(uint256[] memory payouts, uint256[] memory stakes, uint16 flagged) internal pure {
        uint256 weight;
        uint256 pot;
        for (uint256 i; i < stakes.length; ++i) {
            if (_has(flagged, i)) pot += payouts[i];
            else weight += stakes[i];
        }
        if (weight == 0) return;
        uint256 rest = pot;
        for (uint256 i; i < stakes.length; ++i) {
            if (_has(flagged, i)) {
                payouts[i] = 0;
            } else {
                uint256 share = Math.mulDiv(pot, stakes[i], weight);
                payouts[i] += share;
                rest -= share;
            }
        }
        for (uint256 i; rest != 0; ++i) {
            if (_has(flagged, i)) continue;
            payouts[i] += rest;
            return;
        }
    }

    function _has(uint16 mask, uint256 seat) private pure returns (bool) {
        return (mask >> seat) & 1 != 0;
    }

    /// @dev The word at a place in memory.
    function _at(uint256 place) private pure returns (uint256 v) {
        assembly ("memory-safe") {
            v := mload(place)
        }
    }
}
