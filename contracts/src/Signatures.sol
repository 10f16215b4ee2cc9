// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Packed} from "./Packed.sol";

/// @title The one predicate for signatures
/// @notice 65 bytes r ‖ s ‖ v, low s, v 27 or 28, nothing else. Go twin: games/eip712,
/// signature.go.
library Signatures {
    uint256 internal constant LENGTH = 65;
    /// @dev Gas that a player's contract wallet gets to check a signature.
    uint256 internal constant WALLET_GAS = 250_000;
    /// @dev Half the order of secp256k1: a higher s is the malleable twin of a lower one.
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @notice Who signed, or zero when the 65 bytes at `offset` are no signature in the strict
    /// form.
    function recover(bytes32 digest, bytes calldata packed, uint256 offset) internal view returns (address signer) {
        assembly ("memory-safe") {
            let p := add(packed.offset, offset)
            let s := calldataload(add(p, 32))
            let v := byte(0, calldataload(add(p, 64)))
            if iszero(or(or(gt(sub(v, 27), 1), gt(s, HALF_ORDER)), gt(add(offset, 65), packed.length))) {
                let m := mload(0x40)
                mstore(m, digest)
                mstore(add(m, 0x20), v)
                mstore(add(m, 0x40), calldataload(p))
                mstore(add(m, 0x60), s)
                mstore(0, 0)
                pop(staticcall(gas(), 1, m, 0x80, 0, 0x20))
                signer := mload(0)
            }
        }
    }

    /// @notice Whether the 65 bytes at `offset` are a signature by a key.
    function by(address key, bytes32 digest, bytes calldata packed, uint256 offset) internal view returns (bool) {
        address signer = recover(digest, packed, offset);
        return signer != address(0) && signer == key;
    }

    /// @notice Whether a key signed: the signature is these 65 bytes and nothing else.
    function byKey(address key, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        return signature.length == LENGTH && key != address(0) && recover(digest, signature, 0) == key;
    }

    /// @notice Whether an account signed: by its key first, then, if it has code, by what ERC-1271
    /// says within WALLET_GAS.
    function byAccount(address account, bytes32 digest, bytes calldata signature) internal view returns (bool valid) {
        if (byKey(account, digest, signature)) return true;
        if (account.code.length == 0) return false;
        bytes memory data = abi.encodeWithSelector(0x1626ba7e, digest, signature);
        assembly ("memory-safe") {
            mstore(0, 0)
            valid := staticcall(WALLET_GAS, account, add(data, 0x20), mload(data), 0, 0x20)
            valid := and(valid, gt(returndatasize(), 31))
            valid := and(valid, eq(mload(0), shl(224, 0x1626ba7e)))
        }
    }

    /// @notice Whether each of the signers signed, in order, with nothing left over.
    function byAll(address[] memory signers, bytes32 digest, bytes calldata packed) internal view returns (bool) {
        uint256 n = signers.length;
        unchecked {
            if (packed.length != n * LENGTH) return false;
            for (uint256 i; i < n; ++i) {
                if (!by(Packed.word(signers, i), digest, packed, i * LENGTH)) return false;
            }
        }
        return true;
    }
}
