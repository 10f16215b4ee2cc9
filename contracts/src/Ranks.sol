// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Which position outranks which
/// @notice Agreed is the lowest, over the seats, of the highest turn that each has signed: what all
/// agreed to. Both are marks. Go twin: package protocol, Rank.Outranks. Why: docs/adr/0003.
library Ranks {
    /// @notice Whether a supported position replaces the recorded one: all agreed to more, or it
    /// extends the recorded position. Among forks with equal agreement the first to be recorded
    /// stands: otherwise the seat on move could wait for the hash of a block, and then replace what
    /// was recorded before it by a longer line of its own.
    /// @param extends_ Whether the support leads through the recorded position.
    function outranks(uint64 agreed, uint64 turn, uint64 recordedAgreed, uint64 recordedTurn, bool extends_)
        internal
        pure
        returns (bool)
    {
        return agreed > recordedAgreed || (agreed == recordedAgreed && turn > recordedTurn && extends_);
    }
}
