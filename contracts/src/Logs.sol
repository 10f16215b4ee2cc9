// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case} from "./Cases.sol";
import {IArena} from "./IArena.sol";
import {Record} from "./Records.sol";

/// @title The two largest logs: what was recorded, and what led to it
/// @notice They are put together where they are sent from, as the compiler would copy the record
/// and the rest twice.
library Logs {
    /// @notice Emits Advanced. The case's record has so many bytes.
    function advanced(Case k, uint256 size, bytes32 verdict, bytes calldata support) internal {
        (bytes32 topic, bytes32 channelId, bytes32 matchId) = (IArena.Advanced.selector, k.channelId(), k.matchId());
        (uint256 data, uint256 to) = _begin(k, 0, size, verdict, support.length);
        assembly ("memory-safe") {
            calldatacopy(to, support.offset, support.length)
            to := and(add(add(to, support.length), 31), not(31))
            log3(data, sub(to, data), topic, channelId, matchId)
        }
    }

    /// @notice Emits Expired. The case's record, of this rule state, has so many bytes.
    function expired(Case k, uint256 size, bytes32 verdict, bytes memory state) internal {
        (bytes32 topic, bytes32 channelId, bytes32 matchId) = (IArena.Expired.selector, k.channelId(), k.matchId());
        // without the hash of the state
        (uint256 data, uint256 to) = _begin(k, 32, size, verdict, state.length);
        assembly ("memory-safe") {
            mcopy(to, add(state, 0x20), mload(state))
            to := and(add(add(to, mload(state)), 31), not(31))
            log3(data, sub(to, data), topic, channelId, matchId)
        }
    }

    /// @dev The ABI encoding of (bytes32 verdict, bytes told), in memory that nobody has been
    /// given, up to where the last `rest` bytes of `told` go. Of the record's bytes the first few
    /// are left out.
    function _begin(Case k, uint256 skip, uint256 size, bytes32 verdict, uint256 rest)
        private
        pure
        returns (uint256 data, uint256 to)
    {
        Record r = k.record();
        assembly ("memory-safe") {
            size := sub(size, skip)
            data := mload(0x40)
            mstore(data, verdict)
            mstore(add(data, 0x20), 0x40)
            mstore(add(data, 0x40), add(add(size, rest), 2))
            mstore(add(data, 0x60), shl(240, size))
            mcopy(add(data, 0x62), add(r, skip), size)
            to := add(add(data, 0x62), size)
            mstore(add(to, rest), 0) // what the last word has no bytes for
        }
    }
}
