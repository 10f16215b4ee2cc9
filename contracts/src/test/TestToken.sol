// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A token for tests that can behave as badly as tokens do
/// @notice Anybody can mint, and set how it behaves.
contract TestToken {
    uint8 public constant FINE = 0;
    uint8 public constant FEE = 1; // a tenth of every transfer goes nowhere
    uint8 public constant NO_BOOL = 2; // returns nothing, as old tokens do
    uint8 public constant FALSE = 3; // returns false and moves nothing
    uint8 public constant LIE = 4; // returns true and moves nothing
    uint8 public constant REENTER = 5; // calls back before it moves
    uint8 public constant BONUS = 6; // moves a tenth more than asked
    uint8 public constant STUCK = 7; // reverts on every transfer
    uint8 public constant LOOP = 8; // eats all gas

    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint8 public behaviour;
    address public target;
    bytes public call;
    bool public reentered; // whether the last call back succeeded
    bytes public answer; // what it returned

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function burn(address from, uint256 amount) external {
        balanceOf[from] -= amount;
    }

    function behave(uint8 how) external {
        behaviour = how;
    }

    function reenter(address back, bytes calldata with) external {
        (behaviour, target, call) = (REENTER, back, with);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return move(from, to, amount);
    }

    function move(address from, address to, uint256 amount) private returns (bool) {
        uint8 how = behaviour;
        if (how == STUCK) revert("stuck");
        if (how == LOOP) while (true) ++balanceOf[address(0)];
        if (how == FALSE) return false;
        if (how == LIE) return true;
        if (how == REENTER) (reentered, answer) = target.call(call);
        balanceOf[from] -= amount;
        balanceOf[to] += how == FEE ? amount - amount / 10 : how == BONUS ? amount + amount / 10 : amount;
        if (how == NO_BOOL) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }
}
