// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Hashing} from "./Hashing.sol";
import {IArena} from "./IArena.sol";
import {MAX_SEATS} from "./Types.sol";

/// @notice Channel terms, unpacked. The arrays are of one length.
struct Terms {
    bytes32 hash; // EIP-712 struct hash
    address asset;
    uint64 window;
    uint64 openBy;
    address[] players;
    address[] signers;
    uint256[] deposits;
}

/// @notice A ledger, unpacked. The locks lie one after the other in memory: see {Packed.lock}.
struct Ledger {
    bytes32 hash; // EIP-712 struct hash
    uint64 version;
    bool closing;
    uint256[] balances;
    uint256 count; // of locks
    uint256 first; // where the first lock lies
}

/// @title Unpacking calldata
/// @notice Layouts: Types.sol. Every length is checked against what is there, to the byte.
library Packed {
    // Where the parts of terms lie. The players lie behind the window, then signers, deposits,
    // openBy and salt.
    uint256 private constant ASSET = 1;
    uint256 private constant WINDOW = 21;
    uint256 private constant PLAYERS = 29;
    // Where the parts of a ledger lie. The locks lie behind the balances, after their number.
    uint256 private constant COUNT = 9;
    uint256 private constant BALANCES = 10;
    // Where the parts of a lock lie. The number of stakes is in the byte before them.
    uint256 private constant STAKES = 33;

    function terms(bytes calldata packed) internal pure returns (Terms memory t) {
        uint256 n;
        assembly ("memory-safe") {
            n := byte(0, calldataload(packed.offset))
        }
        unchecked {
            if (n > MAX_SEATS || packed.length != 69 + 72 * n) revert IArena.BadTerms();
        }
        bytes32 kind = Hashing.TERMS;
        bytes32 hash;
        address asset;
        uint64 window;
        uint64 openBy;
        address[] memory players;
        address[] memory signers;
        uint256[] memory deposits;
        assembly ("memory-safe") {
            let from := packed.offset
            let words := shl(5, n)
            let size := add(words, 0x20) // of an array
            players := mload(0x40)
            signers := add(players, size)
            deposits := add(signers, size)
            let p := add(deposits, size)
            mstore(0x40, p)
            mstore(players, n)
            mstore(signers, n)
            mstore(deposits, n)
            // Players and signers side by side.
            let at := add(from, PLAYERS)
            let apart := mul(20, n)
            for { let to := add(players, 0x20) } lt(to, signers) { to := add(to, 0x20) } {
                mstore(to, shr(96, calldataload(at)))
                mstore(add(to, size), shr(96, calldataload(add(at, apart))))
                at := add(at, 20)
            }
            at := add(at, apart)
            calldatacopy(add(deposits, 0x20), at, words)
            at := add(at, words)
            asset := shr(96, calldataload(add(from, ASSET)))
            window := shr(192, calldataload(add(from, WINDOW)))
            openBy := shr(192, calldataload(at))
            mstore(p, kind)
            mstore(add(p, 0x20), keccak256(add(players, 0x20), words))
            mstore(add(p, 0x40), keccak256(add(signers, 0x20), words))
            mstore(add(p, 0x60), asset)
            mstore(add(p, 0x80), keccak256(add(deposits, 0x20), words))
            mstore(add(p, 0xa0), window)
            mstore(add(p, 0xc0), openBy)
            mstore(add(p, 0xe0), calldataload(add(at, 8)))
            hash := keccak256(p, 0x100)
        }
        (t.hash, t.asset, t.window, t.openBy) = (hash, asset, window, openBy);
        (t.players, t.signers, t.deposits) = (players, signers, deposits);
    }

    function ledger(bytes32 channelId, bytes calldata packed) internal pure returns (Ledger memory l) {
        bytes32 kind = Hashing.LEDGER;
        bytes32 lockKind = Hashing.LOCK;
        bool whole;
        bytes32 hash;
        uint64 version;
        bool closing;
        uint256[] memory balances;
        uint256 count;
        uint256 first;
        assembly ("memory-safe") {
            let from := packed.offset
            let end := add(from, packed.length)
            version := shr(192, calldataload(from))
            let flag := byte(8, calldataload(from)) // closing
            let n := byte(COUNT, calldataload(from))
            let words := shl(5, n)
            balances := mload(0x40)
            mstore(balances, n)
            calldatacopy(add(balances, 0x20), add(from, BALANCES), words)
            from := add(add(from, BALANCES), words)
            count := byte(0, calldataload(from))
            from := add(from, 1)
            // The locks, then room for their hashes.
            first := add(add(balances, 0x20), words)
            let to := first
            for { let i := count } i { i := sub(i, 1) } {
                let size := shl(5, byte(0, calldataload(add(from, 32))))
                mstore(to, calldataload(from))
                mstore(add(to, 0x20), shr(5, size))
                calldatacopy(add(to, 0x40), add(from, STAKES), size)
                from := add(add(from, STAKES), size)
                to := add(add(to, 0x40), size)
            }
            whole := and(eq(from, end), lt(flag, 2))
            closing := eq(flag, 1)
            let hashes := to
            let place := first
            for { let i := count } i { i := sub(i, 1) } {
                let size := shl(5, mload(add(place, 0x20)))
                let p := add(to, 0x20)
                mstore(p, lockKind)
                mstore(add(p, 0x20), mload(place))
                mstore(add(p, 0x40), keccak256(add(place, 0x40), size))
                mstore(to, keccak256(p, 0x60))
                to := p
                place := add(add(place, 0x40), size)
            }
            mstore(add(to, 0xa0), keccak256(hashes, sub(to, hashes)))
            mstore(to, kind)
            mstore(add(to, 0x20), channelId)
            mstore(add(to, 0x40), version)
            mstore(add(to, 0x60), flag)
            mstore(add(to, 0x80), keccak256(add(balances, 0x20), words))
            hash := keccak256(to, 0xc0)
            mstore(0x40, hashes)
        }
        if (!whole) revert IArena.BadLedger();
        (l.hash, l.version, l.closing, l.balances, l.count, l.first) = (hash, version, closing, balances, count, first);
    }

    /// @notice What the ledger that lies at `from` in calldata shares out, balances and stakes,
    /// among how many seats, and where it ends. Refuses one whose sum overflows, or whose locks are
    /// not by ascending match id.
    function shared(uint256 from) internal pure returns (uint256 seats, uint256 sum, uint256 end) {
        bool fine = true;
        assembly ("memory-safe") {
            // where the amounts at hand are, after their number; then where they end
            end := add(from, COUNT)
            seats := byte(0, calldataload(end))
            let locks := 0
            let last := 0
            for { let i := 0 } 1 { i := add(i, 1) } {
                let at := add(end, 1)
                for { end := add(at, shl(5, byte(0, calldataload(end)))) } lt(at, end) { at := add(at, 0x20) } {
                    let v := calldataload(at)
                    sum := add(sum, v)
                    fine := gt(fine, lt(sum, v))
                }
                if iszero(i) {
                    locks := byte(0, calldataload(end)) // behind the balances
                    end := add(end, 1)
                }
                if eq(i, locks) { break }
                let id := calldataload(end)
                fine := and(fine, or(gt(id, last), iszero(i)))
                last := id
                end := add(end, 32)
            }
        }
        if (!fine) revert IArena.BadLedger();
    }

    /// @notice Where in calldata a ledger's balances lie, how many locks it has, and where the
    /// first lies.
    function partsOf(bytes calldata packed, uint256 seats)
        internal
        pure
        returns (uint256 balances, uint256 count, uint256 first)
    {
        assembly ("memory-safe") {
            balances := add(packed.offset, BALANCES)
        }
        unchecked {
            uint256 locks = balances + 32 * seats;
            (count, first) = (loaded(locks) >> 248, locks + 1);
        }
    }

    /// @notice The lock that lies at a place in calldata: how many stakes it has, where they lie,
    /// and where the next lock does.
    function lockAt(uint256 place) internal pure returns (bytes32 matchId, uint256 n, uint256 stakes, uint256 next) {
        unchecked {
            (matchId, n, stakes) = (bytes32(loaded(place)), loaded(place + STAKES - 1) >> 248, place + STAKES);
            next = stakes + 32 * n;
        }
    }

    /// @notice The word at a place in calldata.
    function loaded(uint256 place) internal pure returns (uint256 v) {
        assembly ("memory-safe") {
            v := calldataload(place)
        }
    }

    /// @notice What of a packed ledger is kept when it is posted, or the end of it. Nobody signs
    /// this hash.
    function print(bytes calldata packed) internal pure returns (uint256 hash) {
        assembly ("memory-safe") {
            let p := mload(0x40)
            calldatacopy(p, packed.offset, packed.length)
            hash := keccak256(p, packed.length)
        }
    }

    /// @notice A lock of an unpacked ledger, and where the next lies.
    function lock(uint256 place) internal pure returns (bytes32 matchId, uint256[] memory stakes, uint256 next) {
        assembly ("memory-safe") {
            matchId := mload(place)
            stakes := add(place, 0x20)
            next := add(add(place, 0x40), shl(5, mload(stakes)))
        }
    }

    /// @notice The terms that packed bytes begin with.
    function leading(bytes calldata packed) internal pure returns (bytes calldata) {
        uint256 size;
        unchecked {
            size = 69 + 72 * uint256(uint8(bytes1(packed)));
        }
        if (size > packed.length) revert IArena.BadTerms();
        return packed[:size];
    }

    /// @notice The parts of a support.
    function support(bytes calldata packed)
        internal
        pure
        returns (uint64 turn, bytes calldata base, bytes calldata moves, bytes calldata signatures)
    {
        assembly ("memory-safe") {
            turn := shr(192, calldataload(packed.offset))
        }
        uint256 from;
        (base, from) = part(packed, 8);
        (moves, from) = part(packed, from);
        assembly ("memory-safe") {
            signatures.offset := add(packed.offset, from)
            signatures.length := sub(packed.length, from)
        }
    }

    /// @notice What lies at `from` after its length of 2 bytes, and where it ends.
    function part(bytes calldata packed, uint256 from) internal pure returns (bytes calldata found, uint256 end) {
        assembly ("memory-safe") {
            found.offset := add(add(packed.offset, from), 2)
            found.length := shr(240, calldataload(sub(found.offset, 2)))
            end := add(add(from, 2), found.length)
        }
        if (end > packed.length) revert IArena.BadSupport();
    }

    /// @notice Copies bytes into memory.
    function copy(bytes calldata from) internal pure returns (bytes memory to) {
        assembly ("memory-safe") {
            to := mload(0x40)
            mstore(to, from.length)
            calldatacopy(add(to, 0x20), from.offset, from.length)
            mstore(0x40, add(to, and(add(from.length, 0x3f), not(0x1f))))
        }
    }

    /// @notice An element, without a check that it is one.
    function word(address[] memory list, uint256 i) internal pure returns (address value) {
        assembly ("memory-safe") {
            value := mload(add(add(list, 0x20), shl(5, i)))
        }
    }

    /// @notice An element, without a check that it is one.
    function word(uint256[] memory list, uint256 i) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := mload(add(add(list, 0x20), shl(5, i)))
        }
    }

    /// @notice Adds to an element, without a bounds check.
    function add(uint256[] memory list, uint256 i, uint256 amount) internal pure {
        assembly ("memory-safe") {
            let at := add(add(list, 0x20), shl(5, i))
            mstore(at, add(mload(at), amount))
        }
    }
}
