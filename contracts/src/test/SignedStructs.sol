// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Cases} from "../Cases.sol";
import {Hashing} from "../Hashing.sol";
import {Packed} from "../Packed.sol";
import {Signatures} from "../Signatures.sol";

/// @title The Arena's hashes and its signature predicate, one by one, for tests
contract SignedStructs {
    function terms(bytes32 domain, bytes calldata t) external pure returns (bytes32) {
        return Hashing.digestOf(domain, Packed.terms(t).hash);
    }

    function ledger(bytes32 domain, bytes32 channelId, bytes calldata l) external pure returns (bytes32) {
        return Hashing.digestOf(domain, Packed.ledger(channelId, l).hash);
    }

    function matchTerms(bytes32 domain, bytes32 channelId, bytes calldata m) external pure returns (bytes32) {
        return Cases.make(domain, channelId, 1, new address[](256), m).matchId();
    }

    function position(bytes32 domain, bytes32 matchId, uint64 turn, bytes32 state) external pure returns (bytes32) {
        return Hashing.digestOf(domain, Hashing.position(matchId, turn, state));
    }

    function agreement(bytes32 domain, bytes32 matchId, uint64 turn, uint256[] calldata payouts)
        external
        pure
        returns (bytes32)
    {
        return Hashing.digestOf(domain, Hashing.agreement(matchId, turn, payouts));
    }

    function contest(bytes32 domain, bytes32 channelId, uint64 version) external pure returns (bytes32) {
        return Hashing.digestOf(domain, Hashing.contest(channelId, version));
    }

    function demand(bytes32 domain, bytes32 matchId, uint64 turn) external pure returns (bytes32) {
        return Hashing.digestOf(domain, Hashing.demand(matchId, turn));
    }

    function recover(bytes32 digest, bytes calldata packed, uint256 offset) external view returns (address) {
        return Signatures.recover(digest, packed, offset);
    }

    function byAccount(address account, bytes32 digest, bytes calldata signature) external view returns (bool) {
        return Signatures.byAccount(account, digest, signature);
    }

    function byAll(address[] memory signers, bytes32 digest, bytes calldata packed) external view returns (bool) {
        return Signatures.byAll(signers, digest, packed);
    }
}
