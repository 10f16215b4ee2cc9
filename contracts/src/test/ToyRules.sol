// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CHANCE, Context, IRules, NOBODY} from "../IRules.sol";

/// @title A toy rule set for tests, which does whatever its players want, broken things included
/// @notice Parameters are 4 bytes: who moves first, what `start` does, what `expire` does, what
/// `outcome` does (values of Fault; expire knows two more). A move is a command byte, an argument
/// byte and anything else after them. A state is 37 bytes: mover, winner (NOBODY: everybody keeps
/// their stake), guilty (2 bytes), what outcome does, and a hash chain over all moves, so that
/// other moves lead to another state.
contract ToyRules is IRules {
    // What a call does instead of its work.
    uint8 private constant FINE = 0;
    uint8 private constant REVERT = 1;
    uint8 private constant LOOP = 2;
    // return as much as the gas of one call pays for, which nobody should copy
    uint8 private constant BOMB = 3;
    uint8 private constant GARBAGE = 4; // return what can't be decoded
    uint8 private constant TOO_MUCH = 5; // outcome: pay out one wei too many
    uint8 private constant TOO_MANY = 6; // outcome: pay one seat too many
    uint8 private constant BIG = 7; // start, play, expire: a state longer than any rules may have
    uint8 private constant STRANGER = 8; // start, play, expire: a mover that has no seat
    uint8 private constant OVERFLOW = 9; // outcome: payouts whose sum wraps to the stakes'
    // What else expire does.
    uint8 private constant SKIP = 10; // the next seat moves
    uint8 private constant AGAIN = 11; // the same seat moves

    // Moves.
    uint8 private constant PASS = 0; // the seat in the argument moves next (CHANCE: the chain)
    uint8 private constant WIN = 1; // over: the seat in the argument takes all
    // over: the seat in the argument is guilty, the next one takes all
    uint8 private constant LIE = 2;
    uint8 private constant POISON = 3; // over, with an outcome that does what the argument says
    uint8 private constant BREAK = 4; // play does what the argument says
    // pass, but only on a state that the Arena recorded in an earlier block
    uint8 private constant IF_RECORDED = 5;
    // pass, but only on a state signed by the seats in the mask of the third byte
    uint8 private constant IF_SIGNED = 6;

    uint256 private constant LENGTH = 37;

    error Illegal();

    function start(Context calldata c) external view returns (bytes memory, uint8) {
        require(c.params.length == 4 && c.stakes.length == c.signers.length, Illegal());
        bytes memory first = abi.encodePacked(
            c.params[0], NOBODY, uint16(0), c.params[3], keccak256(abi.encode(c.matchId, c.stakes, c.signers, c.domain))
        );
        return misbehave(uint8(c.params[1]), first, uint8(c.params[0]));
    }

    function mover(bytes calldata state) external pure returns (uint8) {
        require(state.length == LENGTH, Illegal());
        return uint8(state[0]);
    }

    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        view
        returns (bytes memory, uint8)
    {
        require(state.length == LENGTH && uint8(state[0]) != NOBODY && move.length >= 2, Illegal());
        uint8 what = uint8(move[0]);
        uint8 argument = uint8(move[1]);
        bytes32 chain = keccak256(abi.encodePacked(bytes32(state[5:]), move));
        if (what == WIN || what == LIE || what == POISON) {
            uint8 winner = what == WIN ? argument : what == LIE ? uint8((argument + 1) % c.stakes.length) : NOBODY;
            uint16 guilty = what == LIE ? uint16(1 << argument) : 0;
            uint8 outcomes = what == POISON ? argument : uint8(state[4]);
            return (abi.encodePacked(NOBODY, winner, guilty, outcomes, chain), NOBODY);
        }
        if (what == BREAK) return misbehave(argument, abi.encodePacked(uint8(0), state[1:5], chain), 0);
        if (what == IF_RECORDED) require(c.recorded != 0 && c.recorded < block.number, Illegal());
        else if (what == IF_SIGNED) require(move.length > 2 && c.signed == uint8(move[2]), Illegal());
        else require(what == PASS, Illegal());
        require(argument < c.stakes.length || argument == CHANCE, Illegal());
        return (abi.encodePacked(argument, state[1:5], chain), argument);
    }

    function expire(Context calldata c, bytes calldata state) external view returns (bytes memory, uint8) {
        uint8 late = uint8(state[0]);
        uint8 next = uint8((late + 1) % c.stakes.length);
        bytes32 chain = keccak256(abi.encodePacked(bytes32(state[5:]), "expired"));
        uint8 what = uint8(c.params[2]);
        if (what == FINE) return (abi.encodePacked(NOBODY, next, state[2:5], chain), NOBODY);
        if (what == SKIP) return (abi.encodePacked(next, state[1:5], chain), next);
        if (what == AGAIN) return (abi.encodePacked(late, state[1:5], chain), late);
        return misbehave(what, abi.encodePacked(next, state[1:5], chain), next);
    }

    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        view
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason)
    {
        require(state.length == LENGTH && uint8(state[0]) == NOBODY, Illegal());
        uint8 what = uint8(state[4]);
        misbehave(what, "", 0);
        payouts = new uint256[](what == TOO_MANY ? stakes.length + 1 : stakes.length);
        uint256 total;
        for (uint256 i; i < stakes.length; ++i) {
            payouts[i] = stakes[i];
            total += stakes[i];
        }
        uint8 winner = uint8(state[1]);
        if (winner != NOBODY) {
            for (uint256 i; i < stakes.length; ++i) payouts[i] = i == winner ? total : 0;
        }
        unchecked {
            if (what == TOO_MUCH) ++payouts[0];
            if (what == OVERFLOW) {
                payouts[0] += 1 << 255;
                payouts[1] += 1 << 255;
            }
        }
        guilty = uint16(bytes2(state[2:4]));
        reason = guilty == 0 ? bytes32(0) : bytes32("lie");
    }

    /// @dev Does what a fault says; FINE and the faults of other calls return what was asked for.
    function misbehave(uint8 what, bytes memory state, uint8 next) private view returns (bytes memory, uint8) {
        if (what == REVERT) revert Illegal();
        if (what == LOOP) while (true) block.timestamp;
        if (what == BOMB) {
            assembly ("memory-safe") {
                return(0, 600000)
            }
        }
        if (what == GARBAGE) {
            assembly ("memory-safe") {
                mstore(0, not(0))
                return(0, 32)
            }
        }
        if (what == BIG) state = new bytes(4097);
        if (what == STRANGER) next = 16;
        return (state, next);
    }
}
