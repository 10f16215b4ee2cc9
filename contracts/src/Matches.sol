// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case, Cases} from "./Cases.sol";
import {Channels} from "./Channels.sol";
import {IArena} from "./IArena.sol";
import {Record, Records} from "./Records.sol";
import "./Types.sol" as T;

/// @title What is known of matches
abstract contract Matches is IArena, Channels {
    /// @dev A struct of one word, so that its slot is computed once in a call and not at every use.
    struct MatchSlot {
        uint256 word;
    }

    /// @dev status 8 | deadline 48 | flagged 16 | fingerprint 184 of the record and the game,
    /// lowest bits first. `flagged` is not in the fingerprint, so that a seat can be convicted
    /// whatever is recorded, even if nothing is.
    mapping(bytes32 matchId => MatchSlot) internal _matches;

    /// @inheritdoc IArena
    function matchOf(bytes32 matchId)
        external
        view
        returns (uint8 status, uint48 deadline, uint16 flagged, uint184 fingerprint)
    {
        uint256 slot = _matches[matchId].word;
        return (uint8(slot), _deadline(slot), _flagged(slot), uint184(slot >> 72));
    }

    /// @dev The case that a caller supplies, if it is the Arena's and not final, and who was
    /// convicted.
    function _known(bytes calldata known) internal view returns (Case k, uint16 flagged, MatchSlot storage slot) {
        k = Cases.load(known);
        slot = _matches[k.matchId()];
        uint256 word = slot.word;
        _checkKnown(word, k.fingerprintOf(known.length));
        flagged = _flagged(word);
    }

    /// @dev Refuses what is not recorded, or final, or not as supplied.
    function _checkKnown(uint256 slot, uint256 fingerprint) internal pure {
        uint8 status = uint8(slot);
        if (status == T.MATCH_UNKNOWN || status >= T.MATCH_FINAL) revert BadStatus(status);
        if (fingerprint != slot >> 72) revert NotRecorded();
    }

    /// @dev Keeps the case's record, and returns how many bytes it has.
    function _store(MatchSlot storage slot, Case k, uint16 flagged) internal returns (uint256 size) {
        Record r = k.record();
        uint8 status = r.status();
        size = Records.size(status, k.seats());
        uint256 deadline = status == T.MATCH_FINAL ? 0 : r.deadline();
        slot.word = status | (deadline << 8) | (uint256(flagged) << 56) | (k.fingerprint(size) << 72);
    }

    /// @dev Whether a record of this status is final once its deadline has come.
    function _isWindow(uint8 status) internal pure returns (bool) {
        return status == T.MATCH_AGREED || status == T.MATCH_OVER;
    }

    function _deadline(uint256 slot) internal pure returns (uint48) {
        return uint48(slot >> 8);
    }

    function _flagged(uint256 slot) internal pure returns (uint16) {
        return uint16(slot >> 56);
    }
}
