// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev The mover of a position that is over.
uint8 constant NOBODY = 255;
/// @dev The mover of a position that the chain itself continues.
uint8 constant CHANCE = 254;

/// @notice What the rules of a match may know besides its state. Arrays range over the match's
/// seats.
struct Context {
    bytes32 matchId;
    bytes params; // the game's own encoding of its parameters
    uint256[] stakes; // wei or token units
    address[] signers; // session signers
    bytes32 domain; // EIP-712 domain separator of the Arena
    uint16 signed; // bit mask of the seats that signed the state
    // block since which the Arena has the state recorded; 0: never. No rules may let money depend
    // on it: a seat keeps others' recordings from landing by changing the record in each block
    uint64 recorded;
}

/// @title A rule set, as the Arena judges by it
/// @notice Functions over rule states, which are opaque bytes to the Arena. They are views so that
/// rules may read the hashes of blocks, and what they themselves noted before these blocks;
/// otherwise they are pure. Exactly one mover at a time, deterministic, finite. Input that the
/// rules do not allow reverts. A provable lie is a legal move to a state that is over, with the
/// liar's verdict. Go twin: package games, interface Rules.
interface IRules {
    /// @notice The state at turn 0 and its mover. Reverts when the parameters, stakes or seats are
    /// not playable.
    function start(Context calldata c) external view returns (bytes memory state, uint8 mover);

    /// @notice The seat that moves next, NOBODY when the state is over, CHANCE when the chain
    /// moves.
    function mover(bytes calldata state) external view returns (uint8 seat);

    /// @notice The state after the mover's move, and who moves then.
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        view
        returns (bytes memory next, uint8 mover);

    /// @notice The state after the mover's time ran out, and who moves then.
    function expire(Context calldata c, bytes calldata state) external view returns (bytes memory next, uint8 mover);

    /// @notice What each seat gets in a state that is over (the sum is that of the stakes), which
    /// seats are proved to have cheated (bit mask), and why (ASCII, padded with zeros). Payouts
    /// alone move money; the mask and the reason are told in an event.
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        view
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason);
}
