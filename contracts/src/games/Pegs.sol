// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev Codes of up to 5 pegs and 8 colours as a uint16, peg i in bits 3i..3i+2, and what a guess
/// at one is answered. Pegs beyond a game's own number are zero in every legal code: they match in
/// place and in colour, so the arithmetic below counts all five and the number of pegs drops out of
/// it. Go twin: games/mastermind, code.go.

/// @dev How many pegs a code has of each colour, four bits a colour.
function histogram(uint256 code) pure returns (uint256) {
    unchecked {
        return (1 << ((code << 2) & 28)) + (1 << ((code >> 1) & 28)) + (1 << ((code >> 4) & 28))
            + (1 << ((code >> 7) & 28)) + (1 << ((code >> 10) & 28));
    }
}

/// @dev Whether a code has so many pegs and colours, and no bit more.
function legalCode(uint256 code, uint256 pegs, uint256 colours) pure returns (bool) {
    unchecked {
        return code >> (3 * pegs) == 0 && histogram(code) >> (4 * colours) == 0;
    }
}

/// @dev Whether any guess at any code could be answered so: low nibble right places, high nibble
/// right colours in wrong places. All but one in place leaves the last no wrong place to be in.
function possibleFeedback(uint256 answer, uint256 pegs) pure returns (bool) {
    unchecked {
        uint256 right = answer & 15;
        uint256 wrong = answer >> 4;
        return right + wrong <= pegs && (wrong != 1 || right + 1 != pegs);
    }
}

// Ten entries of a transcript (guess, 2 bytes; answer, 1 byte) are judged at once, in lanes of 24
// bits of one word.
uint256 constant LANE = 24;
uint256 constant LANES = 10;
// 1 in each lane
uint256 constant EACH = 0x000001000001000001000001000001000001000001000001000001000001;
uint256 constant PEGS = 0x1249; // 1 in each of five pegs

/// @dev Which answers of a transcript are false for a code: bit i for entry i.
function lies(uint256 code, uint256 pegs, bytes calldata transcript) pure returns (uint256 mask) {
    unchecked {
        uint256 n = transcript.length / 3;
        for (uint256 i; i < n; i += LANES) {
            uint256 word;
            assembly ("memory-safe") {
                word := shr(16, calldataload(add(transcript.offset, mul(i, 3))))
            }
            uint256 guesses = (word >> 8) & (EACH * 0xffff);
            uint256 missed = _missed(guesses, code);
            // Of all five pegs, 5 - missed are in place, and what colours they have in common
            // beyond those elsewhere.
            uint256 wrong = _inCommon(guesses, histogram(code)) + missed - EACH * 5;
            uint256 wrongRight = ((word & (EACH * 15)) + EACH * (5 - pegs)) ^ (EACH * 5 - missed);
            uint256 differs = wrongRight | (((word >> 4) & (EACH * 15)) ^ wrong);
            // Lanes behind the last entry hold whatever follows it in the calldata.
            uint256 lanes = n - i < LANES ? n - i : LANES;
            differs >>= LANE * (LANES - lanes);
            for (uint256 last = i + lanes - 1; differs != 0; --last) {
                if (uint24(differs) != 0) mask |= 1 << last;
                differs >>= LANE;
            }
        }
    }
}

/// @dev In each lane, the number of pegs in which a guess is not the code. A peg is missed if any
/// of its three bits differs; the product sums the marks of five pegs into the field of the last.
function _missed(uint256 guesses, uint256 code) pure returns (uint256) {
    unchecked {
        uint256 bits = guesses ^ (code * EACH);
        bits = (bits | (bits >> 1) | (bits >> 2)) & (EACH * PEGS);
        return ((bits * PEGS) >> 12) & (EACH * 7);
    }
}

/// @dev In each lane, the number of colours that a guess has in common with a code: the sum over
/// the colours of the lesser of two counts. Counts are at most 5, so a bit above them is free to
/// hold each comparison.
function _inCommon(uint256 guesses, uint256 colours) pure returns (uint256 sum) {
    unchecked {
        for (uint256 colour; colours != 0; colours >>= 4) {
            uint256 inCode = colours & 15;
            if (inCode != 0) {
                uint256 inGuess = EACH * 5 - _missed(guesses, colour);
                uint256 fewer = (((inGuess + EACH * (8 - inCode)) >> 3) & EACH) * 7;
                sum += inGuess ^ ((inGuess ^ (EACH * inCode)) & fewer);
            }
            colour += PEGS; // the code of nothing but the next colour
        }
    }
}
