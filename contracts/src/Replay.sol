// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Case} from "./Cases.sol";
import {Contexts} from "./Contexts.sol";
import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {CHANCE, NOBODY} from "./IRules.sol";
import {Packed} from "./Packed.sol";
import {Record} from "./Records.sol";
import {RulesCalls} from "./RulesCalls.sol";
import {Signatures} from "./Signatures.sol";
import {MATCH_UNSIGNED, MAX_MOVE, MAX_STATE} from "./Types.sol";

/// @notice The position that a support leads to.
struct Position {
    uint64 turn; // mark
    bytes32 hash; // of state
    uint8 mover;
    bool again; // the mover made the last move
    bytes state;
    bool extends_; // it is the recorded position, or the support leads through that
}

/// @title Judging support
/// @notice Replays the moves, and checks who signed what. Go twin: package protocol, Judge.
library Replay {
    uint256 internal constant ITEM = 3 + Signatures.LENGTH;

    /// @notice Goes through the support from its base on. Leaves in the record the highest mark of
    /// each seat in it; where the base is the recorded position, the marks that it came with count
    /// too.
    /// @param stood Whether the recorded position counts as signed by all.
    function run(Case k, bytes32 domain, bytes calldata support, bool stood)
        internal
        view
        returns (Position memory p)
    {
        (uint64 turn, bytes calldata base, bytes calldata moves, bytes calldata packed) = Packed.support(support);
        (uint256 known, uint256 recorded) = _begin(k, p, turn, base, stood);
        uint256 cursor; // in packed
        uint256 done; // of moves, bytes
        uint256 mover = CHANCE; // who made the position at hand: nobody need sign for the base
        unchecked {
            for (uint256 i;; ++i) {
                uint256 signed;
                (signed, cursor) = signatures(k, domain, packed, i, cursor, p);
                if (mover != CHANCE && (signed >> mover) & 1 == 0) revert IArena.BadSupport();
                if (done == moves.length) break;
                bytes calldata move;
                (move, done) = Packed.part(moves, done);
                if (move.length > MAX_MOVE) revert IArena.BadSupport();
                mover = p.mover;
                if (mover == NOBODY) revert IArena.BadSupport();
                Contexts.tell(k, domain, signed | known, recorded);
                bool ok;
                (ok, p.state, p.mover) = RulesCalls.play(k, p.state, move);
                if (!ok) revert IArena.RulesFailed();
                (known, recorded) = (0, 0);
                p.hash = keccak256(p.state);
                // A turn's low half counts moves; it never carries into the epoch.
                if (uint32(p.turn) == 0) revert IArena.BadSupport();
                ++p.turn;
                if (p.turn == k.record().turn()) p.extends_ = p.hash == k.record().state();
            }
        }
        if (cursor != packed.length) revert IArena.BadSupport();
        p.again = mover == p.mover && mover != CHANCE;
    }

    /// @notice Checks the signatures of the position that `p` is at, which is the one after `index`
    /// moves, raises the seats' marks by them, and returns the mask of who signed and where in
    /// `packed` to go on.
    function signatures(
        Case k,
        bytes32 domain,
        bytes calldata packed,
        uint256 index,
        uint256 cursor,
        Position memory p
    ) internal view returns (uint256 signed, uint256) {
        bytes32 digest;
        unchecked {
            while (cursor + ITEM <= packed.length) {
                uint256 head; // at 2 | seat 1
                assembly ("memory-safe") {
                    head := shr(232, calldataload(add(packed.offset, cursor)))
                }
                if (head >> 8 != index) break;
                if (digest == 0) digest = Hashing.digestOf(domain, Hashing.position(k.matchId(), p.turn - 1, p.hash));
                uint256 seat = uint8(head);
                if (seat >= k.seats()) revert IArena.BadSupport();
                if (!Signatures.by(k.signer(seat), digest, packed, cursor + 3)) revert IArena.BadSignature();
                signed |= 1 << seat;
                // Turns rise along the way, but the record's own mark may be this one.
                k.record().setMark(seat, p.turn);
                cursor += ITEM;
            }
        }
        return (signed, cursor);
    }

    /// @dev Where the support begins: whose move the base is, what its seats have signed, who
    /// signed the base itself, and when it was recorded.
    function _begin(Case k, Position memory p, uint64 turn, bytes calldata base, bool stood)
        private
        view
        returns (uint256 known, uint256 recorded)
    {
        if (base.length > MAX_STATE || turn == type(uint64).max) revert IArena.BadSupport();
        p.state = Packed.copy(base);
        p.hash = keccak256(p.state);
        p.turn = turn + 1;
        Record r = k.record();
        uint64 last = r.turn();
        if (p.turn == last && p.hash == r.state() && r.status() != MATCH_UNSIGNED) {
            p.mover = r.mover();
            p.extends_ = true;
            known = r.signed(k.seats());
            if (stood) r.setMarks(k.seats(), last);
            return (known, r.recorded());
        }
        // What is signed after an expiry is based on it: no epoch can be left or jumped.
        if (turn >> 32 != (last == 0 ? 0 : (last - 1) >> 32)) revert IArena.BadSupport();
        r.setMarks(k.seats(), 0);
        bool ok;
        (ok, p.mover) = RulesCalls.mover(k, p.state);
        if (!ok) revert IArena.RulesFailed();
    }
}
