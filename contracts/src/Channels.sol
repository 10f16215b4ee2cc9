// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Bank} from "./Bank.sol";
import {Domain} from "./Domain.sol";
import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {Ledger, Packed, Terms} from "./Packed.sol";
import {Shares} from "./Shares.sol";
import {Signatures} from "./Signatures.sol";
import {Timed} from "./Timed.sol";
import "./Types.sol" as T;

/// @title Money locked under fixed terms
/// @dev Functions that call views only, as `open` and `contest` call contract wallets, check that
/// the guard is open but need not lock it: a static call changes nothing.
abstract contract Channels is IArena, Bank, Timed, Domain {
    /// @dev A struct of one word, so that its slot is computed once in a call and not at every use.
    struct ChannelSlot {
        uint256 word;
    }

    /// @dev Lowest bits first. Contested: status 8 | deadline 48 | version 40 | fingerprint 160 of
    /// the posted ledger. Settled: status 8 | fingerprint 248 of it. Fingerprints are of what was
    /// posted.
    mapping(bytes32 channelId => ChannelSlot) internal _channels;

    /// @inheritdoc IArena
    function open(bytes calldata terms, bytes[] calldata signatures) external payable nonReentrantView {
        Terms memory t = Packed.terms(terms);
        bytes32 channelId = _digest(t.hash);
        _check(t);
        if (signatures.length != t.players.length) revert BadSignature();
        ChannelSlot storage slot = _channels[channelId];
        uint256 channel = slot.word;
        if (channel != T.CHANNEL_UNKNOWN) revert BadStatus(uint8(channel));
        slot.word = T.CHANNEL_OPEN;

        uint256 value = msg.value;
        if (value != 0 && t.asset != address(0)) revert BadValue();
        unchecked {
            for (uint256 i; i < signatures.length; ++i) {
                uint256 amount = Packed.word(t.deposits, i);
                address player = Packed.word(t.players, i);
                if (player == msg.sender) {
                    // Value pays first; the bank is touched for the difference only.
                    uint256 paid = value < amount ? value : amount;
                    (amount, value) = (amount - paid, value - paid);
                }
                _debit(t.asset, player, amount);
            }
            if (value != 0) _credit(address(0), msg.sender, value);
            for (uint256 i; i < signatures.length; ++i) {
                bytes calldata signature = signatures[i];
                address player = Packed.word(t.players, i);
                if (signature.length == 0 && player == msg.sender) continue;
                if (!Signatures.byAccount(player, channelId, signature)) revert BadSignature();
            }
        }
        emit Opened(channelId, terms);
    }

    /// @inheritdoc IArena
    function close(bytes calldata terms, bytes calldata ledger, bytes calldata signatures, bool push)
        external
        nonReentrant
    {
        Terms memory t = Packed.terms(terms);
        bytes32 channelId = _digest(t.hash);
        ChannelSlot storage slot = _channels[channelId];
        uint256 channel = slot.word;
        uint8 status = uint8(channel);
        if (status != T.CHANNEL_OPEN && status != T.CHANNEL_CONTESTED) revert BadStatus(status);
        Ledger memory l = Packed.ledger(channelId, ledger);
        if (l.version < uint40(channel >> 56)) revert StaleLedger(uint40(channel >> 56));
        if (!l.closing) revert BadLedger();
        _check(t, l, ledger);
        if (!Signatures.byAll(t.signers, _digest(l.hash), signatures)) revert BadSignature();
        slot.word = (channel & ~uint256(0xff)) | T.CHANNEL_CLOSED;
        emit Closed(channelId, l.version);
        _pay(t, l.balances, push);
    }

    /// @inheritdoc IArena
    function contest(
        bytes calldata terms,
        bytes calldata ledger,
        bytes calldata signatures,
        uint8 seat,
        bytes calldata contestSignature
    ) external nonReentrantView {
        Terms memory t = Packed.terms(terms);
        bytes32 channelId = _digest(t.hash);
        Ledger memory l = Packed.ledger(channelId, ledger);
        ChannelSlot storage slot = _channels[channelId];
        uint256 channel = slot.word;
        uint48 deadline = uint48(channel >> 8);
        if (uint8(channel) == T.CHANNEL_OPEN) {
            if (seat >= t.players.length) revert BadSignature();
            bytes32 word = _digest(Hashing.contest(channelId, l.version));
            if (
                !Signatures.byKey(t.signers[seat], word, contestSignature)
                    && !Signatures.byAccount(t.players[seat], word, contestSignature)
            ) revert BadSignature();
            deadline = clock() + uint48(t.window);
        } else {
            if (uint8(channel) != T.CHANNEL_CONTESTED) revert BadStatus(uint8(channel));
            if (clock() >= deadline) revert TooLate(deadline);
        }
        if (l.version <= uint40(channel >> 56)) revert StaleLedger(uint40(channel >> 56));
        _check(t, l, ledger);
        if (l.version == 1) {
            // Everybody's deposit and nothing else: it is derived, so nobody signs it.
            if (
                signatures.length != 0 || l.closing || l.count != 0
                    || Hashing.kept(l.balances) != Hashing.kept(t.deposits)
            ) revert BadLedger();
        } else if (!Signatures.byAll(t.signers, _digest(l.hash), signatures)) {
            revert BadSignature();
        }
        slot.word = T.CHANNEL_CONTESTED | (uint256(deadline) << 8) | (uint256(l.version) << 56)
            | (Packed.print(ledger) << 96);
        emit Contested(channelId, deadline, ledger, signatures);
    }

    /// @inheritdoc IArena
    function channelOf(bytes32 channelId)
        external
        view
        returns (uint8 status, uint48 deadline, uint64 version, uint248 fingerprint)
    {
        uint256 channel = _channels[channelId].word;
        status = uint8(channel);
        if (status == T.CHANNEL_SETTLED) return (status, 0, 0, uint248(channel >> 8));
        return (status, uint48(channel >> 8), uint40(channel >> 56), uint160(channel >> 96));
    }

    /// @dev Whether a ledger of this hash is the channel's contested one, settled or not.
    function _isPosted(uint256 channel, uint256 print) internal pure returns (bool) {
        if (uint8(channel) == T.CHANNEL_CONTESTED) return channel >> 96 == uint160(print);
        return uint8(channel) == T.CHANNEL_SETTLED && channel >> 8 == uint248(print);
    }

    /// @dev Pays every seat. All other state must have been written before.
    function _pay(Terms memory t, uint256[] memory amounts, bool push) private {
        unchecked {
            for (uint256 i; i < amounts.length; ++i) {
                uint256 amount = Packed.word(amounts, i);
                if (amount == 0) continue;
                if (push) _push(t.asset, Packed.word(t.players, i), amount);
                else _credit(t.asset, Packed.word(t.players, i), amount);
            }
        }
    }

    /// @dev Refuses a ledger whose shape is wrong or whose balances and locks are not the deposits
    /// exactly.
    function _check(Terms memory t, Ledger memory l, bytes calldata packed) private pure {
        uint256 from;
        assembly ("memory-safe") {
            from := packed.offset
        }
        if (l.version > T.MAX_VERSION || (l.count != 0 && l.closing)) revert BadLedger();
        (uint256 seats, uint256 sum,) = Packed.shared(from);
        if (seats != t.players.length || sum != Shares.sum(t.deposits)) revert BadLedger();
    }

    /// @dev Refuses terms that no channel can be opened under, now or ever.
    function _check(Terms memory t) private view {
        uint256 n = t.players.length;
        if (n < 2 || t.window < MIN_WINDOW || t.window > MAX_WINDOW) revert BadTerms();
        if (clock() > t.openBy) revert TooLate(t.openBy);
        Shares.sum(t.deposits); // reverts when they overflow
        unchecked {
            for (uint256 i; i < n; ++i) {
                (address player, address signer) = (Packed.word(t.players, i), Packed.word(t.signers, i));
                if (player == address(0) || signer == address(0)) revert BadTerms();
                for (uint256 j; j < i; ++j) {
                    if (Packed.word(t.players, j) == player || Packed.word(t.signers, j) == signer) revert BadTerms();
                }
            }
        }
    }
}
