// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev Lists of up to 26 letters, a byte each from the first byte of a word on, and what a guess
/// at one is answered: bits 0..9 the sum of the hidden list's places of the letters in common, bits
/// 10..14 their number, bit 15 set if the guess is the hidden list. A transcript holds guesses of d
/// letters, each followed by its answer, two bytes. Go twin: games/sumscows, list.go.

/// @dev Whether a list has d different letters out of n. What follows the letters is not looked at.
function legalList(bytes32 list, uint256 n, uint256 d) pure returns (bool ok) {
    assembly ("memory-safe") {
        ok := 1
        let seen := 0
        for { let i := 0 } lt(i, d) { i := add(i, 1) } {
            let letter := byte(i, list)
            ok := and(ok, lt(letter, n))
            ok := and(ok, iszero(and(shr(letter, seen), 1)))
            seen := or(seen, shl(letter, 1))
        }
    }
}

/// @dev Whether any guess at any hidden list could be answered so.
function possibleResult(uint256 answer, uint256 n, uint256 d) pure returns (bool) {
    unchecked {
        uint256 k = (answer >> 10) & 31;
        uint256 twice = (answer & 1023) * 2; // the sum, doubled as its bounds are
        if (k > d || k + n < 2 * d || twice + k < k * k || twice > k * (2 * d - k - 1)) return false;
        // Of the right letters there is but one order if there is but one letter.
        return answer >> 15 != 0 ? k == d : k < d || d > 1;
    }
}

/// @dev Whether an answer to a guess does not fit one given before. Letters in another order have
/// the same result; only the identical list may be the hidden one, and none is that was not before.
function contradicts(bytes32 guess, uint256 answer, bytes calldata transcript, uint256 d) pure returns (bool yes) {
    assembly ("memory-safe") {
        let letters := 0
        for { let i := 0 } lt(i, d) { i := add(i, 1) } { letters := or(letters, shl(byte(i, guess), 1)) }
        let end := add(transcript.offset, transcript.length)
        for { let entry := transcript.offset } lt(entry, end) { entry := add(entry, add(d, 2)) } {
            let given := shr(240, calldataload(add(entry, d)))
            if iszero(eq(given, answer)) {
                let list := calldataload(entry)
                switch eq(given, and(answer, 0x7fff))
                case 0 {
                    // The same letters, as there are equally many: none of them is missing.
                    let i := 0
                    for {} lt(i, d) { i := add(i, 1) } { if iszero(and(shr(byte(i, list), letters), 1)) { break } }
                    yes := or(yes, eq(i, d))
                }
                default { yes := or(yes, iszero(shr(sub(256, shl(3, d)), xor(list, guess)))) }
            }
        }
    }
}

/// @dev Whether any answer of a transcript is false for a hidden list.
function lies(bytes32 hidden, uint256 d, bytes calldata transcript) pure returns (bool yes) {
    assembly ("memory-safe") {
        // Byte by letter: its place in the hidden list plus one, zero if it is not in it.
        let places := 0
        for { let i := 0 } lt(i, d) { i := add(i, 1) } {
            places := or(places, shl(shl(3, sub(31, byte(i, hidden))), add(i, 1)))
        }
        let behind := shr(shl(3, d), not(0)) // ones behind the letters, which stand for no letter
        let end := add(transcript.offset, transcript.length)
        for { let entry := transcript.offset } lt(entry, end) { entry := add(entry, add(d, 2)) } {
            let guess := or(calldataload(entry), behind)
            let truth := 0 // places plus one, summed up
            let missed := 0
            let i := 0
            for {} lt(i, d) { i := add(i, 4) } {
                let one := byte(byte(i, guess), places)
                let two := byte(byte(add(i, 1), guess), places)
                let three := byte(byte(add(i, 2), guess), places)
                let four := byte(byte(add(i, 3), guess), places)
                truth := add(truth, add(add(one, two), add(three, four)))
                missed := add(missed, add(add(iszero(one), iszero(two)), add(iszero(three), iszero(four))))
            }
            // 1024 - 1 more for each letter in common
            truth := add(truth, mul(sub(i, missed), 1023))
            truth := or(truth, shl(15, eq(guess, or(hidden, behind))))
            yes := or(yes, iszero(eq(truth, shr(240, calldataload(add(entry, d))))))
        }
    }
}
