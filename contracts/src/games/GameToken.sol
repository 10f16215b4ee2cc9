// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token to play for, bought for the chain's coin at a fixed rate and redeemed at it
/// @notice The asset of channels like any other ERC-20. What is deposited in the Arena or locked in
/// a channel is the Arena's to hold, so it can be redeemed only when it has come back. No owner, no
/// fee, no other way to mint.
/// @dev Always totalSupply = rate * (what was paid in and not paid out), so every token can be
/// redeemed. Coin forced upon the contract is nobody's.
contract GameToken is ERC20 {
    /// @notice A rate of zero.
    error BadRate();
    /// @notice Nothing to buy or to redeem: less than one wei's worth.
    error Nothing();
    /// @notice The receiver refuses the coin.
    error NotPaid();

    /// @notice Tokens were bought.
    event Bought(address indexed account, uint256 paid, uint256 tokens);
    /// @notice Tokens were redeemed.
    event Redeemed(address indexed account, uint256 tokens, uint256 paid);

    /// @notice Token units for one wei.
    uint256 public immutable RATE;

    /// @notice The rate never changes.
    constructor(uint256 rate) ERC20("Ante game token", "ANTE") {
        if (rate == 0) revert BadRate();
        RATE = rate;
    }

    /// @notice Coin sent without a call buys tokens for its sender.
    receive() external payable {
        buy();
    }

    /// @notice Buys tokens for the value sent.
    function buy() public payable {
        if (msg.value == 0) revert Nothing();
        uint256 tokens = msg.value * RATE;
        emit Bought(msg.sender, msg.value, tokens);
        _mint(msg.sender, tokens);
    }

    /// @notice Burns the caller's tokens and pays what they cost. Units that are worth less than a
    /// wei stay.
    function redeem(uint256 tokens) external {
        uint256 paid = tokens / RATE;
        if (paid == 0) revert Nothing();
        tokens = paid * RATE;
        _burn(msg.sender, tokens);
        emit Redeemed(msg.sender, tokens, paid);
        (bool ok,) = msg.sender.call{value: paid}("");
        if (!ok) revert NotPaid();
    }
}
