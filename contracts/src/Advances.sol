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
import {Ledger, Packed, Terms} from "./Packed.sol";
import {Ranks} from "./Ranks.sol";
import {Record} from "./Records.sol";
import {Position, Replay} from "./Replay.sol";
import {RulesCalls} from "./RulesCalls.sol";
import {Signatures} from "./Signatures.sol";
import "./Types.sol" as T;

/// @title Recording newer positions of matches, and starting the mover's clock
abstract contract Advances is IArena, Matches {
    /// @inheritdoc IArena
    function advanceNew(
        bytes calldata terms,
        bytes calldata ledger,
        bytes calldata ledgerSignatures,
        bytes calldata matchTerms,
        bytes calldata support,
        bytes calldata demandSignature
    ) external nonReentrantView {
        Terms memory t = Packed.terms(terms);
        bytes32 channelId = _digest(t.hash);
        Case k = Cases.make(_domain(), channelId, t.window, t.signers, matchTerms);
        MatchSlot storage slot = _matches[k.matchId()];
        uint256 word = slot.word;
        if (uint8(word) != T.MATCH_UNKNOWN) revert BadStatus(uint8(word));
        Ledger memory l = Packed.ledger(channelId, ledger);
        // A posted ledger was found signed already.
        if (
            !(ledgerSignatures.length == 0
                ? _isPosted(_channels[channelId].word, Packed.print(ledger))
                : Signatures.byAll(t.signers, _digest(l.hash), ledgerSignatures))
        ) revert BadSignature();
        _checkLocked(k, l);
        if (demandSignature.length != 0 && _lacksSignatures(k, support)) {
            _advanceUnsigned(slot, k, _flagged(word), support, demandSignature);
        } else {
            _advance(slot, k, _flagged(word), support, demandSignature);
        }
    }

    /// @inheritdoc IArena
    function advance(bytes calldata known, bytes calldata support, bytes calldata demandSignature)
        external
        nonReentrantView
    {
        (Case k, uint16 flagged, MatchSlot storage slot) = _known(known);
        uint48 deadline = k.record().deadline();
        if (deadline != 0 && clock() >= deadline) revert TooLate(deadline);
        _advance(slot, k, flagged, support, demandSignature);
    }

    /// @inheritdoc IArena
    function demand(bytes calldata known, bytes calldata demandSignature) external nonReentrantView {
        (Case k, uint16 flagged, MatchSlot storage slot) = _known(known);
        Record r = k.record();
        if (r.status() != T.MATCH_LIVE) revert BadStatus(r.status());
        if (r.deadline() != 0) revert BadDemand();
        _checkDemand(k, r.turn(), r.mover(), demandSignature);
        Clocks.start(r, k.seats(), k.window(), flagged, clock(), false);
        emit Demanded(k.channelId(), k.matchId(), r.copy(_store(slot, k, flagged)));
    }

    /// @dev Records what the support proves, if that outranks what is recorded.
    function _advance(
        MatchSlot storage slot,
        Case k,
        uint16 flagged,
        bytes calldata support,
        bytes calldata demandSignature
    ) private {
        uint48 time = clock();
        (Record r, uint256 n) = (k.record(), k.seats());
        bool stood = Clocks.stood(r, n, k.window(), time);
        uint64 agreed = r.agreed(n);
        if (stood) agreed = r.turn();
        Position memory p = Replay.run(k, _domain(), support, stood);
        uint64 higher = r.agreed(n);
        if (higher == 0) revert BadSupport();
        if (!Ranks.outranks(higher, p.turn, agreed, r.turn(), p.extends_) || p.turn <= r.agreedAt()) revert NotHigher();
        bool restart = Clocks.running(r) && p.mover == r.mover();
        Clocks.charge(r, n, time);
        uint48 end = time + uint48(k.window());
        if (p.turn != r.turn() || p.hash != r.state()) {
            r.setRecorded(uint64(block.number), time);
        } else if (r.status() == T.MATCH_OVER) {
            end = r.deadline(); // more signatures buy no time; a clock that runs restarts, see `restart`
        }
        r.set(p.hash, T.MATCH_LIVE, p.mover, p.turn);
        r.setAgreedAt(0);
        r.setClock(0, 0);

        bytes32 verdict;
        if (p.mover == NOBODY) {
            bool ok;
            uint256 payouts;
            (ok, payouts, verdict) = RulesCalls.outcome(k, p.state);
            if (!ok) revert RulesFailed();
            if (higher == p.turn) {
                r.finish(n, p.turn, p.hash, payouts);
            } else {
                r.setStatus(T.MATCH_OVER);
                r.setClock(0, end);
                r.setPayouts(n, payouts);
            }
        } else {
            if (demandSignature.length != 0) {
                _checkDemand(k, p.turn, p.mover, demandSignature);
                restart = true;
            }
            if (restart) Clocks.start(r, n, k.window(), flagged, time, p.again);
        }
        Logs.advanced(k, _store(slot, k, flagged), verdict, support);
    }

    /// @dev Records a turn 0 that not all have signed. If the rules cannot even start, the match is
    /// void at once.
    function _advanceUnsigned(
        MatchSlot storage slot,
        Case k,
        uint16 flagged,
        bytes calldata support,
        bytes calldata demandSignature
    ) private {
        _checkDemand(k, 1, NOBODY, demandSignature);
        (, bytes calldata base,, bytes calldata packed) = Packed.support(support);
        Contexts.tell(k, _domain(), 0, 0);
        Record r = k.record();
        (bool ok, bytes memory state, uint8 mover) = RulesCalls.start(k);
        if (ok) {
            Position memory p;
            (p.turn, p.hash) = (1, keccak256(state));
            if (keccak256(base) != p.hash) revert BadState();
            (, uint256 end) = Replay.signatures(k, _domain(), packed, 0, 0, p);
            if (end != packed.length) revert BadSupport();
            uint48 time = clock();
            r.setMarks(k.seats(), 0); // who signed it says nothing before all have
            r.set(p.hash, T.MATCH_UNSIGNED, mover, 1);
            r.setRecorded(uint64(block.number), time);
            r.setClock(time, time + uint48(k.window()));
        } else {
            r.finish(k.seats(), 1, 0, k.stakes());
        }
        Logs.advanced(k, _store(slot, k, flagged), 0, support);
    }

    /// @dev Whether a support is of turn 0, without a move, and not signed by all.
    function _lacksSignatures(Case k, bytes calldata support) private pure returns (bool) {
        (uint64 turn,, bytes calldata moves, bytes calldata packed) = Packed.support(support);
        return turn == 0 && moves.length == 0 && packed.length < k.seats() * Replay.ITEM;
    }

    function _checkDemand(Case k, uint64 turn, uint8 mover, bytes calldata signature) private view {
        if (signature.length != Signatures.LENGTH) revert BadDemand();
        address signer = Signatures.recover(_digest(Hashing.demand(k.matchId(), turn - 1)), signature, 0);
        if (signer != address(0)) {
            uint256 n = k.seats();
            for (uint256 i; i < n; ++i) {
                if (k.signer(i) == signer && i != mover) return;
            }
        }
        revert BadDemand();
    }

    /// @dev Refuses a match that the ledger does not lock with its stakes.
    function _checkLocked(Case k, Ledger memory l) private pure {
        uint256 place = l.first;
        for (uint256 i; i < l.count; ++i) {
            bytes32 matchId;
            uint256[] memory stakes;
            (matchId, stakes, place) = Packed.lock(place);
            if (matchId != k.matchId()) continue;
            if (stakes.length != k.seats() || Hashing.kept(stakes) != Hashing.kept(k.stakes(), k.seats())) break;
            return;
        }
        revert NotLocked();
    }
}
