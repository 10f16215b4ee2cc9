// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Block hashes that stay available
/// @notice The chain forgets hashes: `blockhash` after 256 blocks, the history contract of EIP-2935
/// after 8191. Before that anybody can have a hash recorded permanently; it is read from the chain
/// only.
contract RoundBeacon {
    /// @notice This block's hash is unavailable: the block is still to come, or nobody recorded the
    /// hash in time.
    error HashUnknown(uint256 number);

    /// @notice A hash that will stay known.
    event HashRecorded(uint256 indexed number, bytes32 hash);

    /// @dev The history contract of EIP-2935: its input is a block number, its output that block's
    /// hash.
    address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;

    mapping(uint256 number => bytes32 hash) private _recorded;

    /// @notice Records a block's hash permanently. Does nothing if it is recorded already; fails
    /// with HashUnknown if it is too early or too late.
    function record(uint256 number) external {
        if (_recorded[number] != 0) return;
        bytes32 hash = blockHash(number);
        if (hash == 0) revert HashUnknown(number);
        _recorded[number] = hash;
        emit HashRecorded(number, hash);
    }

    /// @notice A block's hash, 0 if it is not known: as the EVM remembers it, as recorded here, or
    /// as EIP-2935 has it.
    function blockHash(uint256 height) public view returns (bytes32 hash) {
        hash = blockhash(height);
        if (hash == 0) hash = _recorded[height];
        if (hash == 0) {
            assembly ("memory-safe") {
                mstore(0, height)
                let ok := staticcall(gas(), HISTORY, 0, 0x20, 0, 0x20)
                if and(ok, gt(returndatasize(), 0x1f)) { hash := mload(0) }
            }
        }
    }
}
