// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Hashing} from "../Hashing.sol";
import {CHANCE, Context, IRules, NOBODY} from "../IRules.sol";
import {RoundBeacon} from "../RoundBeacon.sol";
import {Signatures} from "../Signatures.sol";
import {drawn, legalBet, size} from "./Boxes.sol";

/// @title Box 9: a table of 1..15 players and the house
/// @notice Nine boxes, of which a block's hash makes one gold and two silver. In each round the
/// house names the block and includes the players' signed bets before it; the chain draws. The
/// house is seat 0 and alone moves.
/// @dev Encodings and the rules in full: docs/games/box9.md. Go twin: games/box9; games/gametest
/// keeps the two equal. This contract is its own beacon: it keeps the hashes that its tables draw
/// from, and it notes closings that not all have signed.
contract Box9 is IRules, RoundBeacon {
    /// @notice The parameters are not 22 bytes in range, or there are not 2..16 seats, or their
    /// stakes overflow.
    error BadMatch();
    /// @notice The state is not one of a match with these parameters and stakes, or can't continue
    /// (or has not ended) so.
    error BadState();
    /// @notice The rules do not allow this move here.
    error IllegalMove();
    /// @notice The house did not sign this as a closing of this table, or not with these bets.
    error BadNote();
    /// @notice The round's block is there: its hash may be known.
    error TooLate();
    /// @notice Other bets of this round are noted.
    error OthersNoted();

    /// @notice What the house closed a round with is noted: its draw is of these bets.
    /// @param round from 0
    event Noted(bytes32 indexed matchId, uint256 round, uint256 number, bytes32 key, uint256 bets);

    /// @dev What a match is played under, unpacked.
    struct Rules {
        uint256 rounds;
        uint256 coins; // price of a box in coins
        uint256 price; // the same in wei or token units
        uint256 referrers; // seat i's referrer in nibble i, lowest first; 0, the house, is none
    }

    /// @dev A state, unpacked. Amounts are by seat.
    struct Table {
        uint256 phase;
        uint256 seats;
        uint256 round; // from 0
        uint256 number; // of the round's block; before it is named, of the last round's
        uint256[] pocket; // what a seat owns
        uint256[] credit; // referral credit: it can only be bet
        uint256[] rolled; // what a seat put into prizes that nobody has won yet
        uint256 bets; // seat i's mask in bits 16i..16i+15
    }

    /// @notice What a session signer signs to bet: bit i of the mask is box i+1.
    bytes32 public constant BET = keccak256("Bet(bytes32 matchId,uint32 round,uint16 mask)");

    // Phases, the first byte of a state.
    uint256 private constant NAMING = 0; // the house names the round's block, or ends the match
    uint256 private constant BETTING = 1; // the house includes the bets
    uint256 private constant DRAWING = 2; // the chain draws
    uint256 private constant OVER = 3;

    // How a round's draw counts, the first byte of a draw.
    // its bets were not closed in time, as far as anybody can prove
    uint256 private constant VOID = 0;
    // noted before the block, or, on expiry, signed by all that it is about
    uint256 private constant COUNTED = 1;
    uint256 private constant WHOLE = 2; // signed by every seat: what was rolled is played for too

    // Endings, the last byte of a state that is over.
    uint256 private constant PLAYED = 0;
    uint256 private constant LEFT = 1;
    uint256 private constant SILENT = 2;

    uint256 private constant HEAD = 11; // phase 1 | seats 1 | round 1 | number 8
    uint256 private constant BET_SIZE = 68; // seat 1 | mask 2 | signature 65
    // rounds 1 | margin 1 | price in coins 4 | coin 8 | referrers 8
    uint256 private constant PARAMS = 22;

    /// @notice Notes before a round's block what the house closed it with: then the draw is of
    /// these bets, whatever else is signed or posted, so that nobody chooses when the hash is
    /// known. Anybody may call it. The first that is noted of a round stands; the same again does
    /// nothing.
    /// @param domain EIP-712 domain separator of the Arena; a false one notes nothing that counts
    /// @param turn of the closing
    /// @param state that the house closed to: of it only the round, the block and the bets are kept
    /// @param bets the move that led to it
    /// @param signature the house's of the closing
    function note(
        bytes32 domain,
        bytes32 matchId,
        address[] calldata signers,
        uint64 turn,
        bytes calldata state,
        bytes calldata bets,
        bytes calldata signature
    ) external {
        (uint256 phase, uint256 n) = _form(state);
        if (phase != DRAWING || signers.length != n) revert BadNote();
        uint256 number = uint64(bytes8(state[3:]));
        if (block.number >= number) revert TooLate();
        uint256 round = uint8(state[2]);
        uint256 word = uint256(bytes32(state[state.length - 32:]));
        if (word == 0) revert BadNote();
        bytes32 key = _key(domain, matchId, signers, round, number);
        uint256 first = uint256(noted(key));
        if (first == word) return;
        if (first != 0) revert OthersNoted();
        bytes32 digest = Hashing.digestOf(domain, Hashing.position(matchId, turn, keccak256(state)));
        if (!Signatures.byKey(signers[0], digest, signature)) revert BadNote();
        if (_signed(domain, matchId, signers, round, bets) != word) revert BadNote();
        assembly ("memory-safe") {
            sstore(key, word)
        }
        emit Noted(matchId, round, number, key, word);
    }

    /// @notice The bets that are noted under a key, as in a state; 0: none are. A key is
    /// keccak256(abi.encode(domain, matchId, signers, round, number)), and is itself the slot: none
    /// of RoundBeacon's, which hashes 64 bytes.
    function noted(bytes32 key) public view returns (bytes32 bets) {
        assembly ("memory-safe") {
            bets := sload(key)
        }
    }

    /// @inheritdoc IRules
    function start(Context calldata c) external pure returns (bytes memory state, uint8 seat) {
        _rules(c.params);
        uint256 n = c.stakes.length;
        if (n < 2 || n > 16) revert BadMatch();
        _sum(c.stakes);
        uint256[] memory none = new uint256[](n);
        return (abi.encodePacked(uint8(NAMING), uint8(n), uint8(0), uint64(0), c.stakes, none, none), 0);
    }

    /// @inheritdoc IRules
    function mover(bytes calldata state) external pure returns (uint8 seat) {
        (uint256 phase,) = _form(state);
        return _mover(phase);
    }

    /// @inheritdoc IRules
    function play(Context calldata c, bytes calldata state, bytes calldata move)
        external
        view
        returns (bytes memory next, uint8 seat)
    {
        Rules memory r = _rules(c.params);
        Table memory t = _table(c, r, state);
        if (t.phase == NAMING) return _name(t, move);
        if (t.phase == BETTING) return _close(c, r, t, move);
        if (t.phase != DRAWING || move.length != 65) revert IllegalMove();
        bytes32 hash = bytes32(move[1:]);
        if (hash == 0 || hash != blockHash(t.number)) revert IllegalMove();
        uint256 counts = _shown(c, r, t);
        if (counts == VOID || uint8(move[0]) != counts || uint256(bytes32(move[33:])) != t.bets) revert IllegalMove();
        _draw(r, t, hash, counts);
        return _next(r, t);
    }

    /// @inheritdoc IRules
    /// @dev Nobody can hold back a draw: it is made here if the hash is known. Where nothing is
    /// noted, a signature that the record lacks now counts as not given. With two seats its holder
    /// had a window to show it; with more it could only be shown together with all others that
    /// lack, and nobody has what its seat withholds: hence bets are noted. The house's silence ends
    /// the match.
    function expire(Context calldata c, bytes calldata state) external view returns (bytes memory next, uint8 seat) {
        Rules memory r = _rules(c.params);
        Table memory t = _table(c, r, state);
        if (t.phase == OVER) revert BadState();
        if (t.phase == NAMING) return _end(t, SILENT);
        bytes32 hash = blockHash(t.number);
        if (t.phase == BETTING) {
            if (hash != 0 && _takeNoted(c, r, t)) _draw(r, t, hash, COUNTED);
            return _end(t, SILENT);
        }
        if (hash != 0) _draw(r, t, hash, _counts(c, r, t));
        return _next(r, t);
    }

    /// @inheritdoc IRules
    function outcome(bytes calldata state, uint256[] calldata stakes)
        external
        pure
        returns (uint256[] memory payouts, uint16 guilty, bytes32 reason)
    {
        (uint256 phase, uint256 n) = _form(state);
        if (phase != OVER || stakes.length != n) revert BadState();
        payouts = _words(state, HEAD, n);
        uint256 paid;
        for (uint256 i; i < n; ++i) {
            paid += payouts[i];
        }
        if (paid != _sum(stakes)) revert BadState();
        uint256 ending = uint8(state[state.length - 1]);
        guilty = 0; // there is nothing to lie about
        reason = ending == PLAYED ? bytes32(0) : ending == LEFT ? bytes32("house left") : bytes32("silence");
    }

    /// @notice Which boxes a block hash fills at a table with this price in coins: 1..9, and from
    /// whom anybody can check it.
    function result(bytes32 hash, uint256 coins) external pure returns (uint256 gold, uint256 silver1, uint256 silver2) {
        (gold, silver1, silver2) = drawn(hash, coins);
        return (gold + 1, silver1 + 1, silver2 + 1);
    }

    /// @dev The house names the round's block: the next rounds' blocks come after it. Block 0 ends
    /// the match.
    function _name(Table memory t, bytes calldata move) private pure returns (bytes memory, uint8) {
        if (move.length != 8) revert IllegalMove();
        uint256 number = uint64(bytes8(move));
        if (number == 0) return _end(t, LEFT);
        if (number % 10 != 0 || number <= t.number) revert IllegalMove();
        t.number = number;
        return _go(t, BETTING);
    }

    /// @dev The house includes what was bet. A round without bets awaits its block as any other:
    /// bets of it may be noted.
    function _close(Context calldata c, Rules memory r, Table memory t, bytes calldata move)
        private
        view
        returns (bytes memory, uint8)
    {
        t.bets = _signed(c.domain, c.matchId, c.signers, t.round, move);
        for (uint256 i = 1; i < t.seats; ++i) {
            if (!_affords(r, t, i, _bet(t, i))) revert IllegalMove();
        }
        return _go(t, DRAWING);
    }

    /// @dev The masks of bets, by ascending seat, each of which its seat's session signer signed.
    function _signed(bytes32 domain, bytes32 matchId, address[] calldata signers, uint256 round, bytes calldata bets)
        private
        view
        returns (uint256 word)
    {
        if (bets.length % BET_SIZE != 0) revert IllegalMove();
        uint256 least = 1;
        for (uint256 from; from < bets.length; from += BET_SIZE) {
            uint256 seat = uint8(bets[from]);
            uint256 mask = uint16(bytes2(bets[from + 1:]));
            if (seat < least || seat >= signers.length || !legalBet(mask)) revert IllegalMove();
            bytes32 digest = Hashing.digestOf(domain, keccak256(abi.encode(BET, matchId, round, mask)));
            if (!Signatures.by(signers[seat], digest, bets, from + 3)) revert IllegalMove();
            word |= mask << (16 * seat);
            least = seat + 1;
        }
    }

    /// @dev How the round counts by what can be shown. Sets t.bets to the bets that are played.
    /// That a signature lacks can't be shown: who gave it may leave it out. What is noted goes
    /// before all that is signed, since who holds back a signature could choose between the two.
    /// Where nobody bets nothing depends on signatures.
    function _shown(Context calldata c, Rules memory r, Table memory t) private view returns (uint256) {
        if (_takeNoted(c, r, t)) return COUNTED;
        uint256 all = (1 << t.seats) - 1;
        return t.bets == 0 || c.signed & all == all ? WHOLE : VOID;
    }

    /// @dev Has the noted bets played, if there are any. One that its seat can't pay is a pass.
    function _takeNoted(Context calldata c, Rules memory r, Table memory t) private view returns (bool) {
        uint256 word = uint256(noted(_key(c.domain, c.matchId, c.signers, t.round, t.number)));
        if (word == 0) return false;
        t.bets = 0;
        for (uint256 i = 1; i < t.seats; ++i) {
            uint256 mask = uint16(word >> (16 * i));
            if (_affords(r, t, i, mask)) t.bets |= mask << (16 * i);
        }
        return true;
    }

    /// @dev The key that a round's bets are noted under.
    function _key(bytes32 domain, bytes32 matchId, address[] calldata signers, uint256 round, uint256 number)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(domain, matchId, signers, round, number));
    }

    function _affords(Rules memory r, Table memory t, uint256 seat, uint256 mask) private pure returns (bool) {
        return size(mask) * r.price <= t.pocket[seat] + t.credit[seat];
    }

    /// @dev How the round counts when every signature that there is has been shown.
    function _counts(Context calldata c, Rules memory r, Table memory t) private view returns (uint256 counts) {
        counts = _shown(c, r, t);
        if (counts != VOID) return counts;
        uint256 about = 1; // the house, and who bets
        for (uint256 i = 1; i < t.seats; ++i) {
            if (_bet(t, i) != 0) about |= 1 << i;
        }
        return c.signed & about == about ? COUNTED : VOID;
    }

    /// @dev Ends a round: pays its prizes, or, if it is void, nothing.
    function _draw(Rules memory r, Table memory t, bytes32 hash, uint256 counts) private pure {
        if (counts != VOID) {
            (uint256 gold, uint256 silver1, uint256 silver2) = drawn(hash, r.coins);
            (uint256 pool, uint256[] memory cash) = _take(r, t);
            unchecked {
                // What is left of the pool is the house's: its part, and the dust.
                uint256 left = pool - _refer(r, t);
                uint256 prize = (pool * 70) / 100;
                uint256 pot = counts == WHOLE ? _rolled(t) : 0;
                (bool won, uint256 paid) = _pay(t, gold, prize + pot);
                uint256 unwon;
                if (!won) {
                    unwon = prize;
                } else if (pot != 0) {
                    left += pot;
                    t.rolled = new uint256[](t.seats);
                }
                left -= paid;
                prize = (pool * 125) / 1000;
                (won, paid) = _pay(t, silver1, prize);
                if (!won) unwon += prize;
                left -= paid;
                (won, paid) = _pay(t, silver2, prize);
                if (!won) unwon += prize;
                left -= paid;
                t.pocket[0] += left - _roll(t, cash, unwon);
            }
        }
    }

    /// @dev Takes the bets, from credit first. Returns their sum, and what of each came out of a
    /// pocket.
    function _take(Rules memory r, Table memory t) private pure returns (uint256 pool, uint256[] memory cash) {
        cash = new uint256[](t.seats);
        unchecked {
            for (uint256 i = 1; i < t.seats; ++i) {
                uint256 cost = size(_bet(t, i)) * r.price;
                uint256 credit = t.credit[i] < cost ? t.credit[i] : cost;
                t.credit[i] -= credit;
                cash[i] = cost - credit;
                t.pocket[i] -= cash[i];
                pool += cost;
            }
        }
    }

    /// @dev Gives a hundredth of each bet to who referred its seat. Returns the sum.
    function _refer(Rules memory r, Table memory t) private pure returns (uint256 given) {
        unchecked {
            for (uint256 i = 1; i < t.seats; ++i) {
                uint256 to = (r.referrers >> (4 * i)) & 15;
                if (to == 0 || to == i || to >= t.seats) continue;
                uint256 share = (size(_bet(t, i)) * r.price) / 100;
                t.credit[to] += share;
                given += share;
            }
        }
    }

    /// @dev Shares a prize among those who bet on its box. Returns whether anybody did, and how
    /// much of the prize that is.
    function _pay(Table memory t, uint256 box, uint256 prize) private pure returns (bool won, uint256 paid) {
        unchecked {
            uint256 winners;
            for (uint256 i = 1; i < t.seats; ++i) {
                winners += (_bet(t, i) >> box) & 1;
            }
            if (winners == 0) return (false, 0);
            uint256 each = prize / winners;
            for (uint256 i = 1; i < t.seats; ++i) {
                if ((_bet(t, i) >> box) & 1 != 0) t.pocket[i] += each;
            }
            return (true, each * winners);
        }
    }

    /// @dev Rolls what nobody won into the next round, each seat's part by what it bet out of its
    /// pocket; what rounding leaves is the first such seat's. Returns how much rolls: nothing when
    /// all was bet with credit.
    function _roll(Table memory t, uint256[] memory cash, uint256 unwon) private pure returns (uint256) {
        unchecked {
            uint256 weight;
            uint256 first;
            for (uint256 i = t.seats; i-- > 1;) {
                weight += cash[i];
                if (cash[i] != 0) first = i;
            }
            if (weight == 0) return 0;
            uint256 rest = unwon;
            for (uint256 i = 1; i < t.seats; ++i) {
                uint256 part = (unwon * cash[i]) / weight;
                t.rolled[i] += part;
                rest -= part;
            }
            t.rolled[first] += rest;
            return unwon;
        }
    }

    /// @dev On to the next round, or to the end.
    function _next(Rules memory r, Table memory t) private pure returns (bytes memory, uint8) {
        if (t.round + 1 == r.rounds) return _end(t, PLAYED);
        ++t.round;
        return _go(t, NAMING);
    }

    /// @dev What is rolled goes back to whom it came from, and unused credit is the house's.
    function _end(Table memory t, uint256 ending) private pure returns (bytes memory, uint8) {
        unchecked {
            for (uint256 i; i < t.seats; ++i) {
                t.pocket[i] += t.rolled[i];
                t.pocket[0] += t.credit[i];
            }
        }
        return (abi.encodePacked(_head(t, OVER), t.pocket, uint8(ending)), NOBODY);
    }

    function _go(Table memory t, uint256 phase) private pure returns (bytes memory state, uint8) {
        state = abi.encodePacked(_head(t, phase), t.pocket, t.credit, t.rolled);
        if (phase == DRAWING) state = abi.encodePacked(state, t.bets);
        return (state, _mover(phase));
    }

    function _head(Table memory t, uint256 phase) private pure returns (bytes11) {
        return bytes11(uint88((phase << 80) | (t.seats << 72) | (t.round << 64) | t.number));
    }

    function _mover(uint256 phase) private pure returns (uint8) {
        return phase == OVER ? NOBODY : phase == DRAWING ? CHANCE : 0;
    }

    function _bet(Table memory t, uint256 seat) private pure returns (uint256) {
        return uint16(t.bets >> (16 * seat));
    }

    function _rolled(Table memory t) private pure returns (uint256 sum) {
        unchecked {
            for (uint256 i; i < t.seats; ++i) {
                sum += t.rolled[i];
            }
        }
    }

    /// @dev The phase of a state and its number of seats. Reverts unless the state has the form of
    /// its phase.
    function _form(bytes calldata state) private pure returns (uint256 phase, uint256 n) {
        if (state.length < HEAD) revert BadState();
        phase = uint8(state[0]);
        n = uint8(state[1]);
        uint256 length = HEAD + (phase == OVER ? 32 * n + 1 : 96 * n + (phase == DRAWING ? 32 : 0));
        if (phase > OVER || n < 2 || n > 16 || state.length != length) revert BadState();
        if (phase == OVER && uint8(state[length - 1]) > SILENT) revert BadState();
        // A bet of a seat that there isn't.
        if (phase == DRAWING && uint256(bytes32(state[length - 32:])) >> (16 * n) != 0) revert BadState();
    }

    /// @dev Unpacks a state. Reverts unless it is one that these parameters and stakes allow: what
    /// the seats have is what they staked, no more and no less, and nobody bets what it has not.
    function _table(Context calldata c, Rules memory r, bytes calldata state) private pure returns (Table memory t) {
        (t.phase, t.seats) = _form(state);
        t.round = uint8(state[2]);
        t.number = uint64(bytes8(state[3:]));
        if (t.seats != c.stakes.length || t.round >= r.rounds) revert BadState();
        if (t.phase == OVER) return t;
        t.pocket = _words(state, HEAD, t.seats);
        t.credit = _words(state, HEAD + 32 * t.seats, t.seats);
        t.rolled = _words(state, HEAD + 64 * t.seats, t.seats);
        uint256 total;
        for (uint256 i; i < t.seats; ++i) {
            total = total + t.pocket[i] + t.credit[i] + t.rolled[i];
        }
        if (total != _sum(c.stakes)) revert BadState();
        if (t.phase != DRAWING) return t;
        t.bets = uint256(bytes32(state[HEAD + 96 * t.seats:]));
        if (uint16(t.bets) != 0) revert BadState(); // the house bets
        for (uint256 i = 1; i < t.seats; ++i) {
            uint256 mask = _bet(t, i);
            if (mask == 0) continue;
            if (!legalBet(mask) || !_affords(r, t, i, mask)) revert BadState();
        }
    }

    function _words(bytes calldata state, uint256 from, uint256 n) private pure returns (uint256[] memory list) {
        list = new uint256[](n);
        assembly ("memory-safe") {
            calldatacopy(add(list, 0x20), add(state.offset, from), shl(5, n))
        }
    }

    /// @dev Reverts when the sum overflows.
    function _sum(uint256[] calldata list) private pure returns (uint256 total) {
        for (uint256 i; i < list.length; ++i) {
            total += list[i];
        }
    }

    function _rules(bytes calldata params) private pure returns (Rules memory r) {
        if (params.length != PARAMS) revert BadMatch();
        r.rounds = uint8(params[0]);
        // For the nodes: from 6 on a player has three blocks or more to have a closing noted that
        // a signature lacks of.
        uint256 margin = uint8(params[1]);
        r.coins = uint32(bytes4(params[2:]));
        uint256 coin = uint64(bytes8(params[6:]));
        r.price = r.coins * coin;
        r.referrers = uint64(bytes8(params[14:]));
        if (r.rounds == 0 || margin < 6 || margin > 100 || r.price == 0) revert BadMatch();
    }
}
