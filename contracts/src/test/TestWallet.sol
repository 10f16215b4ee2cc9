// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A contract wallet for tests: an ERC-1271 player and payee that can behave badly
/// @notice Anybody can tell it what to do. Its signature is 65 bytes r, s, v of its owner's key, as
/// for an EOA, with 32 bytes of anything after them, so that it can't be taken for the owner's own.
contract TestWallet {
    uint8 public constant FINE = 0;
    uint8 public constant REVERT = 1;
    uint8 public constant LOOP = 2; // eats all gas
    uint8 public constant BOMB = 3; // returns megabytes
    uint8 public constant REENTER = 4; // calls back when paid
    uint8 public constant SHORT = 5; // returns 4 bytes where 32 are due
    uint8 public constant DENY = 6; // says that no signature is valid

    bytes4 private constant MAGIC = 0x1626ba7e;

    address public immutable owner;
    uint8 public behaviour;
    address public target;
    bytes public call;
    bool public reentered; // whether the last call back succeeded
    bytes public answer; // what it returned

    error Refused();

    constructor(address owner_) payable {
        owner = owner_;
    }

    receive() external payable {
        uint8 how = behaviour;
        if (how == REENTER) (reentered, answer) = target.call(call);
        else misbehave(how);
    }

    function behave(uint8 how) external {
        behaviour = how;
    }

    function reenter(address back, bytes calldata with) external {
        (behaviour, target, call) = (REENTER, back, with);
    }

    function execute(address to, uint256 value, bytes calldata data) external payable returns (bytes memory) {
        (bool ok, bytes memory out) = to.call{value: value}(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(out, 32), mload(out))
            }
        }
        return out;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        uint8 how = behaviour;
        misbehave(how);
        if (how == DENY || signature.length != 97) return 0xffffffff;
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(digest, uint8(signature[64]), r, s) == owner ? MAGIC : bytes4(0xffffffff);
    }

    function misbehave(uint8 how) private view {
        if (how == REVERT) revert Refused();
        if (how == LOOP) while (true) block.timestamp;
        if (how == BOMB) {
            assembly ("memory-safe") {
                return(0, 2000000)
            }
        }
        if (how == SHORT) {
            assembly ("memory-safe") {
                mstore(0, shl(224, 0x1626ba7e))
                return(0, 4)
            }
        }
    }
}
