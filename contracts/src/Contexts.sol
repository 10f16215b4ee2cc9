// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case} from "./Cases.sol";

/// @title What rules get to know of a match besides its state
/// @notice ABI-encoded once per case, where calls are made from: 0x00 where it ends, 0x20 room for
/// selector and head of a call, 0xa0 the context. A call's other arguments follow its end, and so
/// does the state that comes back: while rules are called, nothing else that is still needed may be
/// put there.
library Contexts {
    /// @notice Writes what changes between calls: the domain, who signed the state, and when it was
    /// recorded.
    function tell(Case k, bytes32 domain, uint256 signed, uint256 recorded) internal pure {
        uint256 place = k.place();
        if (place == 0) place = _encode(k);
        assembly ("memory-safe") {
            mstore(add(place, 0x120), domain)
            mstore(add(place, 0x140), signed)
            mstore(add(place, 0x160), recorded)
        }
    }

    /// @dev Encodes all else from the game: a head of seven words, stakes, signers, params.
    function _encode(Case k) private pure returns (uint256 place) {
        (uint256 n, bytes32 id, uint256 from) = (k.seats(), k.matchId(), k.stakes());
        assembly ("memory-safe") {
            place := mload(0x40)
            let words := shl(5, n)
            mstore(add(place, 0xa0), id)
            mstore(add(place, 0xc0), add(0x120, add(words, words)))
            mstore(add(place, 0xe0), 0xe0)
            mstore(add(place, 0x100), add(0x100, words))
            let to := add(place, 0x180)
            mstore(to, n)
            mcopy(add(to, 0x20), from, words)
            to := add(add(to, 0x20), words)
            mstore(to, n)
            for { let at := sub(from, mul(20, n)) } lt(at, from) { at := add(at, 20) } {
                to := add(to, 0x20)
                mstore(to, shr(96, mload(at)))
            }
            to := add(to, 0x20)
            from := add(from, words)
            let size := shr(240, mload(from))
            mstore(to, size)
            to := add(to, 0x20)
            mcopy(to, add(from, 2), size)
            to := add(to, size)
            mstore(to, 0) // what the last word has no bytes for
            to := and(add(to, 31), not(31))
            mstore(place, to)
            mstore(0x40, to)
        }
        k.setPlace(place);
    }
}
