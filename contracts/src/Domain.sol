// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {Hashing} from "./Hashing.sol";

/// @title The EIP-712 domain of everything signed for this Arena
/// @dev Computed once, and again only on a chain that split off with another id.
abstract contract Domain is IERC5267 {
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    uint256 private immutable _chainId = block.chainid;
    bytes32 private immutable _separator = _build();

    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", "Ante", "1", block.chainid, address(this), 0, new uint256[](0));
    }

    function _domain() internal view returns (bytes32) {
        return block.chainid == _chainId ? _separator : _build();
    }

    function _digest(bytes32 structHash) internal view returns (bytes32) {
        return Hashing.digestOf(_domain(), structHash);
    }

    function _build() private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256("Ante"), keccak256("1"), block.chainid, address(this)));
    }
}
