// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// What calls take and logs carry is packed: big-endian, without padding, offsets or lengths that
// follow from what is known. One byte string stands for one value and only one, except that in a
// support the signatures of one position may stand in any order and repeat, that finals may name a
// paid lock, and that a proof may name its two positions in either order. What is signed are the
// EIP-712 structs (see library Hashing), which the Arena rebuilds from these.
//
//   terms       number of seats n 1 | asset 20 (0: ETH) | window 8 | players 20 each | signers 20 each
//               | deposits 32 each | openBy 8 | salt 32                                             library Packed
//   ledger      version 8 | closing 1 | number of balances 1 | balances 32 each | number of locks 1
//               | per lock, by ascending match id: match id 32, number of seats 1, stakes 32 each     library Packed
//   posting     terms | ledger | finals                                                              contract Settlement
//   matchTerms  nonce 8 | rules 20 | number of seats n 1 | channel seats 1 each, ascending
//               | stakes 32 each | params (the rest)                                                  library Cases
//   game        channel id 32 | match id 32 | rules 20 | window 8 | number of seats 1 | signers 20 each
//               | stakes 32 each | length of params 2, params                                         library Cases
//   record      state 32 | status 1 | mover 1 | turn 8
//               | payouts 32 each (FINAL), or
//               | agreedAt 8 | recorded 8 | since 6 | clock 6 | deadline 6
//               | per seat: mark 8, spent 6 | payouts 32 each (AGREED, OVER)                           library Records
//   known       game | record
//   claim       game | record after its state | the state itself (the rest)                         library Cases
//   support     turn of the base 8 | length of the base 2, base | length of the moves 2, moves: of each its length 2, move
//               | signatures: at 2 (0: base, i: after move i), seat 1, r 32, s 32, v 1, by ascending at  library Replay
//   finals      per match, by ascending lock: index of its lock in the ledger 1 | rules 20 | channel seats 1 each
//               | length of params 2, params | length of the record 2, record                        library Finals
//   proof       turn 8 | seat of the match 1 | state A 32 | state B 32 | signature of A 65 | signature of B 65
//   signatures  r 32 | s 32 | v 1, of every seat in order

// Channel statuses. They only grow, and are never deleted.
uint8 constant CHANNEL_UNKNOWN = 0;
uint8 constant CHANNEL_OPEN = 1;
uint8 constant CHANNEL_CONTESTED = 2; // a ledger is posted, its window runs or has run
// its free balances are paid; locks are paid as their matches end
uint8 constant CHANNEL_SETTLED = 3;
uint8 constant CHANNEL_CLOSED = 4;

// Match statuses. A higher rank turns AGREED and OVER back into LIVE, and an Agreement OVER into
// AGREED; nothing else goes back.
uint8 constant MATCH_UNKNOWN = 0;
// a Demand recorded turn 0 without all signatures; a window later the match is void
uint8 constant MATCH_UNSIGNED = 1;
uint8 constant MATCH_LIVE = 2; // a position is recorded
// an Agreement is posted; final at the deadline unless a higher turn outranks it, all agree to
// another of a higher turn, or a seat of two is convicted
uint8 constant MATCH_AGREED = 3;
// a position that is over; final at the deadline unless it is outranked, an Agreement is posted, or
// a seat of two is convicted
uint8 constant MATCH_OVER = 4;
uint8 constant MATCH_FINAL = 5; // payouts stand
uint8 constant MATCH_PAID = 6; // the lock was paid out

// Bounds. Packages games and protocol have the same.
uint256 constant MAX_SEATS = 16;
uint256 constant MAX_STATE = 4096; // bytes
uint256 constant MAX_MOVE = 4096; // bytes
uint256 constant MAX_PARAMS = 1024; // bytes
uint256 constant MAX_VERSION = type(uint40).max;
