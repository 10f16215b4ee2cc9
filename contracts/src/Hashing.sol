// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title EIP-712 hashes of what is signed
/// @notice The domain is added by {digestOf}. Go twin: package protocol, eip712.go and the Digest
/// methods.
library Hashing {
    bytes32 internal constant TERMS = keccak256(
        "ChannelTerms(address[] players,address[] signers,address asset,uint256[] deposits,uint64 window,uint64 openBy,bytes32 salt)"
    );
    bytes32 internal constant LOCK = keccak256("Lock(bytes32 matchId,uint256[] stakes)");
    bytes32 internal constant LEDGER = keccak256(
        "Ledger(bytes32 channelId,uint64 version,bool closing,uint256[] balances,Lock[] locks)Lock(bytes32 matchId,uint256[] stakes)"
    );
    bytes32 internal constant MATCH = keccak256(
        "MatchTerms(bytes32 channelId,uint64 nonce,address rules,uint8[] seats,uint256[] stakes,bytes params)"
    );
    bytes32 internal constant POSITION = keccak256("Position(bytes32 matchId,uint64 turn,bytes32 state)");
    bytes32 internal constant AGREEMENT = keccak256("Agreement(bytes32 matchId,uint64 turn,uint256[] payouts)");
    bytes32 internal constant CONTEST = keccak256("Contest(bytes32 channelId,uint64 version)");
    bytes32 internal constant DEMAND = keccak256("Demand(bytes32 matchId,uint64 turn)");

    /// @notice What is signed: keccak256(0x1901 ‖ domain separator ‖ struct hash).
    function digestOf(bytes32 domain, bytes32 structHash) internal pure returns (bytes32 digest) {
        assembly ("memory-safe") {
            let p := mload(0x40)
            mstore(p, hex"1901")
            mstore(add(p, 2), domain)
            mstore(add(p, 34), structHash)
            digest := keccak256(p, 66)
        }
    }

    function position(bytes32 matchId, uint64 turn, bytes32 state) internal pure returns (bytes32) {
        return _hash(POSITION, matchId, bytes32(uint256(turn)), state);
    }

    function agreement(bytes32 matchId, uint64 turn, uint256[] calldata payouts) internal pure returns (bytes32) {
        return _hash(AGREEMENT, matchId, bytes32(uint256(turn)), words(payouts));
    }

    function contest(bytes32 channelId, uint64 version) internal pure returns (bytes32) {
        return keccak256(abi.encode(CONTEST, channelId, version));
    }

    function demand(bytes32 matchId, uint64 turn) internal pure returns (bytes32) {
        return keccak256(abi.encode(DEMAND, matchId, turn));
    }

    /// @dev The hash of four words, without taking memory for them.
    function _hash(bytes32 kind, bytes32 b, bytes32 c, bytes32 d) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let p := mload(0x40)
            mstore(p, kind)
            mstore(add(p, 0x20), b)
            mstore(add(p, 0x40), c)
            mstore(add(p, 0x60), d)
            hash := keccak256(p, 0x80)
        }
    }

    /// @dev The hash of an array of atomic values is that of its words.
    function words(uint256[] calldata list) internal pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let p := mload(0x40)
            let size := shl(5, list.length)
            calldatacopy(p, list.offset, size)
            hash := keccak256(p, size)
        }
    }

    /// @dev The same of a list in memory.
    function kept(uint256[] memory list) internal pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            hash := keccak256(add(list, 0x20), shl(5, mload(list)))
        }
    }

    /// @dev The same of n words in memory.
    function kept(uint256 list, uint256 n) internal pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            hash := keccak256(list, shl(5, n))
        }
    }
}
