// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Ends an outcome call of a match for two: what seat 1 gets of the pot, and the rest to
/// seat 0.
/// @dev Returned by hand, as the compiler would allocate the array and copy it.
function payTwo(uint256 pot, uint256 ofSeat1, uint256 guilty, bytes32 reason) pure {
    assembly ("memory-safe") {
        let ret := mload(0x40)
        mstore(ret, 0x60)
        mstore(add(ret, 0x20), guilty)
        mstore(add(ret, 0x40), reason)
        mstore(add(ret, 0x60), 2)
        mstore(add(ret, 0x80), sub(pot, ofSeat1))
        mstore(add(ret, 0xa0), ofSeat1)
        return(ret, 0xc0)
    }
}
