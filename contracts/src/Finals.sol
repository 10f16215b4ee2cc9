// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IArena} from "./IArena.sol";
import {Packed} from "./Packed.sol";

/// @notice The locks of a ledger in calldata that are paid, one after the other.
struct Locks {
    uint256 count;
    uint256 index; // of the lock at hand
    uint256 lock; // where it lies
}

/// @notice A match to pay: where in calldata its parts lie. The stakes lie in its lock.
struct Final {
    bytes32 matchId;
    uint256 seats; // how many
    uint256 stakes;
    uint256 rules; // the channel's seats come next, then the length of the params, and the params
    uint256 paramsSize;
    uint256 record;
    uint256 end; // of the record
}

/// @title Reading the matches to pay
/// @notice Layout: Types.sol.
library Finals {
    uint256 private constant RULES = 1; // behind the index of the lock
    uint256 private constant SEATS = 21;

    /// @notice The match to pay that begins at a byte, and where the next one does. Finds its lock,
    /// which must not lie before the one at hand.
    function take(Locks memory p, bytes calldata finals, uint256 from)
        internal
        pure
        returns (Final memory f, uint256 next)
    {
        uint256 start;
        assembly ("memory-safe") {
            start := finals.offset
        }
        uint256 here;
        unchecked {
            here = start + from;
        }
        uint256 wanted = Packed.loaded(here) >> 248;
        (uint256 index, uint256 lock) = (p.index, p.lock);
        if (wanted < index || wanted >= p.count) revert IArena.NotLocked();
        unchecked {
            for (; index < wanted; ++index) {
                (,,, lock) = Packed.lockAt(lock);
            }
            (p.index, p.lock) = (index, lock);
            (f.matchId, f.seats, f.stakes,) = Packed.lockAt(lock);
            f.rules = here + RULES;
            here += SEATS + f.seats;
            f.paramsSize = Packed.loaded(here) >> 240;
            here += 2 + f.paramsSize;
            f.record = here + 2;
            f.end = f.record + (Packed.loaded(here) >> 240);
            next = f.end - start;
        }
        if (next > finals.length) revert IArena.NotRecorded();
    }

    /// @notice The channel's seat that a seat of the match is.
    function seatOf(Final memory f, uint256 seat) internal pure returns (uint256) {
        unchecked {
            return Packed.loaded(f.rules + SEATS - RULES + seat) >> 248;
        }
    }
}
