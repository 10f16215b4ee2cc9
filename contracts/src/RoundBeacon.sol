// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Block hashes, kept for as long as a game may need them
/// @notice The chain itself forgets: `blockhash` after 256 blocks, the history contract of EIP-2935
/// after 8191. Anyone may have a hash recorded before that, from the chain's own memory and from
/// nowhere else, and it stays.
contract RoundBeacon {
    /// @notice The chain doesn't tell this block's hash: it is still to come, or was recorded by
    /// nobody in time.
    error HashUnknown(uint256 number);

    /// @notice A hash that will stay known.
    event HashRecorded(uint256 indexed number, bytes32 hash);

    /// @dev The history contract of EIP-2935: its input is a block number, its output that block's
    /// hash.
    address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;

    mapping(uint256 number => bytes32 hash) private _recorded;

    /// @notice Keeps a block's hash for ever. Does nothing if that has been done; fails with
    /// HashUnknown if it is too early or too late.
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
