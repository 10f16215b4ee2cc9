// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {commitment} from "./Commitment.sol";

/// @notice How a coin of three moves fell: seat 0 committed to a side, seat 1 called one, seat 0
/// shows it. Go twin: package games/coin.
/// @param coin The commitment, then the side that was called: 33 bytes, which the caller has
/// checked.
/// @param shown The side, then its salt: 33 bytes.
/// @return seat The seat that the coin favours, 1 if its call was right and else 0.
/// @return ok Whether `shown` opens the coin.
function fallen(bytes32 tag, bytes32 matchId, bytes calldata coin, bytes calldata shown)
    pure
    returns (uint256 seat, bool ok)
{
    uint256 side;
    uint256 called;
    bytes32 salt;
    assembly ("memory-safe") {
        side := byte(0, calldataload(shown.offset))
        salt := calldataload(add(shown.offset, 1))
        called := byte(0, calldataload(add(coin.offset, 32)))
    }
    ok = shown.length == 33 && side <= 1 && commitment(tag, matchId, 0, 0, bytes32(side), salt) == bytes32(coin);
    seat = side == called ? 1 : 0;
}
