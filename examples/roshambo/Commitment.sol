// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What a seat publishes instead of a secret, and opens later: bound to the game's tag, the
/// match, the seat and the round, so that a copy of it is worth nothing to anybody else or anywhere
/// else. The salt hides the secret only if it is 32 random bytes. Go twin: package games/commit.
/// @dev keccak256(abi.encode(tag, matchId, seat, round, secret, salt)), over scratch space past the
/// free memory pointer.
function commitment(bytes32 tag, bytes32 matchId, uint256 seat, uint256 round, bytes32 secret, bytes32 salt)
    pure
    returns (bytes32 hash)
{
    assembly ("memory-safe") {
        let free := mload(0x40)
        mstore(free, tag)
        mstore(add(free, 0x20), matchId)
        mstore(add(free, 0x40), seat)
        mstore(add(free, 0x60), round)
        mstore(add(free, 0x80), secret)
        mstore(add(free, 0xa0), salt)
        hash := keccak256(free, 0xc0)
    }
}
