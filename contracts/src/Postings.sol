// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What of a contest is kept, and supplied again to settle it
/// @notice A posting is what paying takes and nothing else: its fingerprint says that the ledger was found good under these
/// terms, so that nothing is hashed or checked as a signed struct again. Layout: Types.sol.
library Postings {
    /// @dev Bytes of a posting before its players.
    uint256 internal constant HEAD = 61;

    /// @notice What is kept of a ledger posted under terms, 160 bits.
    function fingerprint(bytes32 channelId, bytes calldata terms, bytes calldata ledger)
        internal
        pure
        returns (uint256 print)
    {
        assembly ("memory-safe") {
            let p := mload(0x40)
            let head := add(29, mul(40, byte(0, calldataload(terms.offset)))) // all before the deposits
            mstore(p, channelId)
            calldatacopy(add(p, 0x20), terms.offset, head)
            calldatacopy(add(add(p, 0x20), head), ledger.offset, ledger.length)
            print := shr(96, shl(96, keccak256(p, add(add(head, 0x20), ledger.length))))
        }
    }

    /// @notice The same of a posting.
    function fingerprintOf(bytes calldata posting) internal pure returns (uint256 print) {
        assembly ("memory-safe") {
            let p := mload(0x40)
            calldatacopy(p, posting.offset, posting.length)
            print := shr(96, shl(96, keccak256(p, posting.length)))
        }
    }
}
