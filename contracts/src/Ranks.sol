// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What beats what
/// @notice Agreed is the lowest, over the seats, of the highest turn that each has signed: what all
/// agreed to. Both are marks. Go twin: package protocol, Rank.Outranks. Why: docs/adr/0003.
library Ranks {
    /// @notice Whether a supported position takes the place of the recorded one: all agreed to
    /// more, or it goes on from what is recorded. Among forks below which all agreed to the same,
    /// the first to be recorded stands: else who is on move could wait for the hash of a block, and
    /// then leave what was recorded before it for a longer line of its own.
    /// @param extends_ Whether the support leads through the recorded position.
    function outranks(uint64 agreed, uint64 turn, uint64 recordedAgreed, uint64 recordedTurn, bool extends_)
        internal
        pure
        returns (bool)
    {
        return agreed > recordedAgreed || (agreed == recordedAgreed && turn > recordedTurn && extends_);
    }
}
