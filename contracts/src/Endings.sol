// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case, Cases} from "./Cases.sol";
import {Clocks} from "./Clocks.sol";
import {Contexts} from "./Contexts.sol";
import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {NOBODY} from "./IRules.sol";
import {Logs} from "./Logs.sol";
import {Matches} from "./Matches.sol";
import {Packed, Terms} from "./Packed.sol";
import {Record} from "./Records.sol";
import {RulesCalls} from "./RulesCalls.sol";
import {Shares} from "./Shares.sol";
import {Signatures} from "./Signatures.sol";
import "./Types.sol" as T;

/// @title Ending matches by consent, by silence or by proof
abstract contract Endings is IArena, Matches {
    /// @inheritdoc IArena
    function agree(
        bytes calldata terms,
        bytes calldata matchTerms,
        bytes calldata record,
        uint64 turn,
        uint256[] calldata payouts,
        bytes calldata signatures
    ) external nonReentrantView {
        Terms memory t = Packed.terms(terms);
        Case k = Cases.make(_domain(), _digest(t.hash), t.window, t.signers, matchTerms);
        uint48 time = clock();
        Record r = k.record();
        MatchSlot storage slot = _matches[k.matchId()];
        uint256 word = slot.word;
        if (uint8(word) != T.MATCH_UNKNOWN) {
            k.supply(record);
            _checkKnown(word, k.fingerprint(record.length));
            if (r.deadline() != 0 && time >= r.deadline()) revert TooLate(r.deadline());
        }
        if (turn == type(uint64).max || turn + 1 < r.turn() || turn + 1 <= r.agreedAt()) revert BadAgreement();
        uint256 words = _words(payouts);
        if (payouts.length != k.seats() || !Shares.equal(words, k.stakes(), k.seats())) revert BadAgreement();
        bytes32 digest = _digest(Hashing.agreement(k.matchId(), turn, payouts));
        if (!Signatures.byAll(_keys(k), digest, signatures)) revert BadSignature();
        Clocks.charge(r, k.seats(), time);
        // A turn 0 that not all have signed is nothing that a later position could be based on.
        if (r.status() == T.MATCH_UNSIGNED) {
            r.set(0, T.MATCH_AGREED, 0, 0);
            r.setRecorded(0, r.since());
        }
        r.setStatus(T.MATCH_AGREED);
        r.setAgreedAt(turn + 1);
        r.setClock(0, time + uint48(k.window()));
        r.setPayouts(k.seats(), words);
        emit Agreed(k.channelId(), k.matchId(), r.copy(_store(slot, k, _flagged(word))), turn, signatures);
    }

    /// @inheritdoc IArena
    function expire(bytes calldata claim) external nonReentrantView {
        (Case k, bytes memory state, uint256 size) = Cases.loadClaim(claim);
        MatchSlot storage slot = _matches[k.matchId()];
        uint256 word = slot.word;
        uint8 status = uint8(word);
        if (status == T.MATCH_UNKNOWN || status > T.MATCH_LIVE) revert BadStatus(status);
        if (k.fingerprintOf(size) != word >> 72) revert NotRecorded();
        (uint48 deadline, uint48 time) = (_deadline(word), clock());
        unchecked {
            // no deadline, 0, makes it the end of time
            if (time <= deadline - 1) revert TooEarly(deadline);
        }
        bytes32 verdict;
        bool judged;
        if (status == T.MATCH_LIVE) (judged, state, verdict) = _expire(k, state, time);
        if (!judged) {
            // Void: nobody chose what the rules failed on. No state is left.
            (state, verdict) = ("", 0);
            Record r = k.record();
            r.finish(k.seats(), r.turn(), keccak256(state), k.stakes());
        }
        Logs.expired(k, _store(slot, k, _flagged(word)), verdict, state);
    }

    /// @inheritdoc IArena
    function convict(bytes calldata terms, bytes calldata matchTerms, bytes calldata proof)
        external
        nonReentrantView
    {
        Terms memory t = Packed.terms(terms);
        Case k = Cases.make(_domain(), _digest(t.hash), t.window, t.signers, matchTerms);
        MatchSlot storage slot = _matches[k.matchId()];
        uint256 word = slot.word;
        uint8 status = uint8(word);
        if (status >= T.MATCH_FINAL) revert BadStatus(status);
        if (_isWindow(status) && clock() >= _deadline(word)) revert TooLate(_deadline(word));
        (uint64 turn, uint8 seat) = _checkProof(k, proof);
        uint16 flagged = _flagged(word) | uint16(1 << seat);
        if (flagged == _flagged(word)) revert BadProof();
        bytes memory record;
        if (k.seats() == 2) {
            uint256[2] memory payouts;
            payouts[1 - seat] = Shares.sum(k.stakes(), 2);
            uint256 words;
            assembly ("memory-safe") {
                words := payouts
            }
            k.record().finish(2, turn + 1, 0, words);
            record = k.record().copy(_store(slot, k, flagged));
        } else {
            slot.word = word | (uint256(flagged) << 56);
        }
        emit Convicted(k.channelId(), k.matchId(), record, flagged, turn, seat);
    }

    /// @dev Writes to the record the state that the rules derive from the mover's silence, in a new
    /// epoch, which counts as signed by all. Not ok: the rules failed.
    function _expire(Case k, bytes memory state, uint48 time)
        private
        view
        returns (bool ok, bytes memory next, bytes32 verdict)
    {
        Record r = k.record();
        uint256 n = k.seats();
        Contexts.tell(k, _domain(), r.signed(n), r.recorded());
        uint8 mover;
        (ok, next, mover) = RulesCalls.expire(k, state);
        if (!ok) return (false, next, 0);
        uint64 turn;
        unchecked {
            turn = ((((r.turn() - 1) >> 32) + 1) << 32) + 1;
        }
        bytes32 hash = keccak256(next);
        if (mover == NOBODY) {
            uint256 payouts;
            (ok, payouts, verdict) = RulesCalls.outcome(k, next);
            if (ok) r.finish(n, turn, hash, payouts);
            return (ok, next, verdict);
        }
        Clocks.charge(r, n, time);
        r.set(hash, T.MATCH_LIVE, mover, turn);
        r.setRecorded(uint64(block.number), time);
        r.setClock(0, 0);
        r.setMarks(n, turn);
    }

    /// @dev Refuses a proof unless a seat of the match signed two states at one turn, and returns
    /// both.
    function _checkProof(Case k, bytes calldata proof) private view returns (uint64 turn, uint8 seat) {
        if (proof.length != 73 + 2 * Signatures.LENGTH) revert BadProof();
        (turn, seat) = (uint64(bytes8(proof)), uint8(proof[8]));
        (bytes32 a, bytes32 b) = (bytes32(proof[9:]), bytes32(proof[41:]));
        if (seat >= k.seats() || a == b || turn == type(uint64).max) revert BadProof();
        address signer = k.signer(seat);
        a = _digest(Hashing.position(k.matchId(), turn, a));
        b = _digest(Hashing.position(k.matchId(), turn, b));
        if (!Signatures.by(signer, a, proof, 73) || !Signatures.by(signer, b, proof, 73 + Signatures.LENGTH)) {
            revert BadSignature();
        }
    }

    /// @dev Where in memory the words of a list lie.
    function _words(uint256[] memory list) private pure returns (uint256 words) {
        assembly ("memory-safe") {
            words := add(list, 0x20)
        }
    }

    /// @dev The signers of the match's seats.
    function _keys(Case k) private pure returns (address[] memory keys) {
        keys = new address[](k.seats());
        for (uint256 i; i < keys.length; ++i) {
            keys[i] = k.signer(i);
        }
    }
}
