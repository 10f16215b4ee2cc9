// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {commitment} from "./Commitment.sol";

// A board of Battleships is a number of 64 bits: row r, column c is bit 8r + c. Go twin:
// games/battleships, fleet.go and tree.go.

bytes32 constant CELL = "ante.battleships.cell";
bytes32 constant SALT = "ante.battleships.salt";

/// @notice Whether a board is one ship of 4 cells, two of 3 and four of 2: straight, without a
/// corner or side in common.
/// @dev No two cells touch by a corner, so whatever hangs together is straight. Then the numbers of
/// single cells, and of two, three and four in a row, tell how many ships of each length there are:
/// 18, 11, 4 and 1.
function legalFleet(uint256 f) pure returns (bool) {
    unchecked {
        // cells whose neighbour below on the right is a ship's
        uint256 down = f & (f >> 9) & 0x007f7f7f7f7f7f7f;
        uint256 up = f & (f >> 7) & 0x00fefefefefefefe; // below on the left
        // In a row, the lower 64 bits; in a column, the upper.
        uint256 two = (f & (f >> 1) & 0x7f7f7f7f7f7f7f7f) | ((f & (f >> 8)) << 64);
        uint256 three = two & ((two >> 1) & 0x7f7f7f7f7f7f7f7f | (two >> 72) << 64);
        uint256 four = three & ((three >> 1) & 0x7f7f7f7f7f7f7f7f | (three >> 72) << 64);
        return down | up == 0 && ones(f) == 18 && ones(two) == 11 && ones(three) == 4 && ones(four) == 1;
    }
}

/// @notice The number of bits that are set among the lower 128.
function ones(uint256 x) pure returns (uint256) {
    unchecked {
        x -= (x >> 1) & 0x55555555555555555555555555555555;
        x = (x & 0x33333333333333333333333333333333) + ((x >> 2) & 0x33333333333333333333333333333333);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f;
        // The sum of the bytes gathers in the highest of sixteen.
        return uint8((x * 0x01010101010101010101010101010101) >> 120);
    }
}

/// @notice The root of the tree of 64 salted cells that a seat commits to, from its fleet and the
/// secret that all salts come from.
function rootOf(bytes32 matchId, uint256 seat, uint256 fleet, bytes32 secret) pure returns (bytes32 root) {
    uint256 nodes;
    uint256 from;
    assembly ("memory-safe") {
        // 64 leaves, then scratch space for a salt.
        nodes := mload(0x40)
        from := add(nodes, 0x800)
        mstore(0x40, add(nodes, 0x860))
        mstore(from, SALT)
        mstore(add(from, 0x20), secret)
    }
    unchecked {
        for (uint256 cell; cell < 64; ++cell) {
            bytes32 salt;
            assembly ("memory-safe") {
                mstore(add(from, 0x40), cell)
                salt := keccak256(from, 0x60)
            }
            bytes32 leaf = commitment(CELL, matchId, seat, cell, bytes32((fleet >> cell) & 1), salt);
            assembly ("memory-safe") {
                mstore(add(nodes, shl(5, cell)), leaf)
            }
        }
    }
    assembly ("memory-safe") {
        for { let size := 0x400 } gt(size, 0x10) { size := shr(1, size) } {
            for { let to := 0 } lt(to, size) { to := add(to, 0x20) } {
                mstore(add(nodes, to), keccak256(add(nodes, shl(1, to)), 0x40))
            }
        }
        root := mload(nodes)
    }
}

/// @notice Whether a proof shows what lies in a cell of a committed board: the cell's salt, then
/// the six hashes beside the path from its leaf to the root.
function shows(bytes32 root, bytes32 matchId, uint256 seat, uint256 cell, uint256 ship, bytes calldata proof)
    pure
    returns (bool)
{
    bytes32 node = commitment(CELL, matchId, seat, cell, bytes32(ship), bytes32(proof));
    assembly ("memory-safe") {
        for { let at := 0x20 } lt(at, 0xe0) { at := add(at, 0x20) } {
            let right := shl(5, and(cell, 1))
            mstore(right, node)
            mstore(xor(right, 0x20), calldataload(add(proof.offset, at)))
            node := keccak256(0, 0x40)
            cell := shr(1, cell)
        }
    }
    return proof.length == 0xe0 && node == root;
}
