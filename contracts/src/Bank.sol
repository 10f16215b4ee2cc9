// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IArena} from "./IArena.sol";

/// @title Free balances
/// @dev A slot that was ever used holds its balance plus one, so that emptying and refilling it
/// costs no new storage. What a token keeps on the way in is the depositor's loss. One that shrinks
/// or takes more from the Arena than is sent leaves whoever withdraws last short; so does one that
/// moves money and answers false, since what is pushed is then credited, too.
abstract contract Bank is IArena, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @dev Gas that a wallet gets when money is pushed to it, besides the EVM's stipend of 2,300.
    uint256 private constant PUSH_GAS = 30_000;

    /// @dev A struct of one word, so that its slot is computed once in a call and not at every use.
    struct BankSlot {
        uint256 balancePlusOne;
    }

    mapping(address asset => mapping(address account => BankSlot)) private _slots;

    /// @inheritdoc IArena
    function deposit(address asset, address account, uint256 amount) external payable {
        if (account == address(0)) revert BadAccount();
        if (asset == address(0)) {
            if (msg.value != amount) revert BadValue();
        } else {
            if (msg.value != 0) revert BadValue();
            amount = _take(IERC20(asset), amount);
        }
        _deposit(asset, account, amount);
    }

    /// @inheritdoc IArena
    function withdraw(address asset, uint256 amount, address to) external nonReentrant {
        if (to == address(0)) revert BadAccount();
        _debit(asset, msg.sender, amount);
        emit Withdrawn(asset, msg.sender, amount, to);
        if (asset == address(0)) {
            Address.sendValue(payable(to), amount);
        } else {
            IERC20(asset).safeTransfer(to, amount);
        }
    }

    /// @inheritdoc IArena
    function balanceOf(address asset, address account) public view returns (uint256) {
        uint256 slot = _slots[asset][account].balancePlusOne;
        return slot == 0 ? 0 : slot - 1;
    }

    /// @dev Takes tokens of the sender, and returns how many arrived.
    function _take(IERC20 token, uint256 amount) private nonReentrant returns (uint256) {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        return token.balanceOf(address(this)) - before;
    }

    function _deposit(address asset, address account, uint256 amount) private nonReentrantView {
        _credit(asset, account, amount);
        emit Deposited(asset, account, amount);
    }

    function _credit(address asset, address account, uint256 amount) internal {
        BankSlot storage slot = _slots[asset][account];
        uint256 balancePlusOne = slot.balancePlusOne;
        slot.balancePlusOne = (balancePlusOne == 0 ? 1 : balancePlusOne) + amount;
    }

    function _debit(address asset, address account, uint256 amount) internal {
        if (amount == 0) return;
        BankSlot storage slot = _slots[asset][account];
        uint256 balancePlusOne = slot.balancePlusOne;
        if (balancePlusOne <= amount) {
            revert NotEnough(account, balancePlusOne == 0 ? 0 : balancePlusOne - 1, amount);
        }
        unchecked {
            slot.balancePlusOne = balancePlusOne - amount;
        }
    }

    /// @dev Pays to a wallet, or to its bank balance when it refuses. The caller must hold the
    /// guard, so that whoever is paid can change nothing in the Arena meanwhile.
    function _push(address asset, address account, uint256 amount) internal {
        bool paid;
        if (asset == address(0)) {
            // A wallet that refuses must not have been starved by who sent the transaction
            // (EIP-150).
            if (gasleft() < (PUSH_GAS * 64) / 63 + 50_000) revert NotEnoughGas();
            assembly ("memory-safe") {
                paid := call(PUSH_GAS, account, amount, 0, 0, 0, 0)
            }
        } else {
            paid = IERC20(asset).trySafeTransfer(account, amount);
        }
        if (!paid) _credit(asset, account, amount);
    }
}
