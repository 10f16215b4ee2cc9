// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CHANCE} from "./IRules.sol";
import {Record} from "./Records.sol";
import {MATCH_AGREED, MATCH_LIVE} from "./Types.sol";

/// @title The time that a mover has on-chain
/// @notice The mover gets a window for an answer, or less once its budget of three windows runs
/// short, but at least a quarter; a convicted seat gets the quarter only. Times are in the Arena's
/// clock; records are of n seats.
library Clocks {
    uint256 private constant BUDGET = 3; // windows, per seat and match
    uint256 private constant FLOOR = 4; // a quarter of a window is always granted

    /// @notice Whether a mover's clock runs, or ran out and nobody has called `expire` yet.
    function running(Record r) internal pure returns (bool) {
        return r.status() == MATCH_LIVE && r.deadline() != 0;
    }

    /// @notice Whether the recorded position counts as signed by all: with three seats or more it
    /// does after a window, in which anybody could have posted a higher one; an Agreement on top
    /// does not change that. With two seats the signatures alone decide.
    function stood(Record r, uint256 n, uint64 window, uint48 time) internal pure returns (bool) {
        if (n < 3 || time < r.since() + window) return false;
        return r.status() == MATCH_LIVE || r.status() == MATCH_AGREED;
    }

    /// @notice Charges the clock that runs to the mover's budget.
    function charge(Record r, uint256 n, uint48 time) internal pure {
        if (!running(r)) return;
        (uint8 mover, uint48 from, uint48 end) = (r.mover(), r.clock(), r.deadline());
        if (mover >= n || time <= from) return;
        unchecked {
            r.addSpent(mover, (time < end ? time : end) - from);
        }
    }

    /// @notice Starts the mover's clock. In a match of three seats or more a position that not all
    /// have signed first stands for a window, unless the mover made it: it knows its own position,
    /// and could otherwise gain a free window each time.
    /// @param again Whether the mover made the recorded position.
    function start(Record r, uint256 n, uint64 window, uint16 flagged, uint48 time, bool again) internal pure {
        uint48 begin = time;
        if (n > 2 && !again && r.since() + window > time) {
            if (r.agreed(n) < r.turn()) begin = r.since() + uint48(window);
        }
        r.setClock(begin, begin + uint48(_grant(r, window, flagged)));
    }

    function _grant(Record r, uint64 window, uint16 flagged) private pure returns (uint64 time) {
        uint8 mover = r.mover();
        if (mover == CHANCE) return window;
        uint64 least = window / uint64(FLOOR);
        if ((flagged >> mover) & 1 != 0) return least;
        uint64 budget = window * uint64(BUDGET);
        uint64 used = r.spent(mover);
        uint64 left = used < budget ? budget - used : 0;
        if (left < least) return least;
        return left < window ? left : window;
    }
}
