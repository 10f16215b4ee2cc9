// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Advances} from "./Advances.sol";
import {Endings} from "./Endings.sol";
import {IArena} from "./IArena.sol";
import {Settlement} from "./Settlement.sol";
import {Timed} from "./Timed.sol";

/// @title The Arena
/// @notice Bank, channels and matches in one contract. See {IArena} for the calls, and README.md in
/// the folder above for why it is safe. It takes money by `deposit` and `open` only; what is forced
/// on it otherwise is nobody's. It calls rules (static, 1,000,000 gas), a player's wallet (static,
/// 250,000 gas), whom it pushes ETH to (30,000 gas and the stipend) or who withdraws it (all gas),
/// tokens (all gas), and itself (`batch`).
contract Arena is Advances, Endings, Settlement {
    /// @param inBlocks Whether the clock counts blocks, rather than seconds.
    /// @param minWindow Least window of a channel, in the clock's unit; 4 at least.
    /// @param maxWindow Greatest window of a channel, in the clock's unit.
    constructor(bool inBlocks, uint64 minWindow, uint64 maxWindow)
        Timed(inBlocks, minWindow, maxWindow)
    {}

    /// @inheritdoc IArena
    function batch(bytes[] calldata calls) external {
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory ret) = address(this).delegatecall(calls[i]);
            if (ok) continue;
            assembly ("memory-safe") {
                revert(add(ret, 0x20), mload(ret))
            }
        }
    }
}
