// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The Arena: a bank, channels and matches
/// @notice Players lock money once, play off-chain, and come back with what all signed, or with
/// evidence against who went silent or lied. No owner, no upgrade, no pause. Authority comes from
/// signatures, never from who sends, except to move one's own money and to open for oneself. Byte
/// strings are packed: Types.sol says how. Amounts are wei, or units of an ERC-20; times are in the
/// Arena's clock (ERC-6372).
interface IArena {
    // -------------------------------------------------------------------------------------- events
    // Byte strings are packed as Types.sol says. `record` is all that the Arena knows of a match,
    // to be supplied again later. `verdict` is of a state that is over: the mask of the guilty, 2
    // bytes, then the first 30 bytes of the reason.

    /// @notice `deposit` added to a bank balance what the Arena received. Other calls add to it
    /// without this event: `open` what its value leaves, `close` and `settle` what they pay there.
    event Deposited(address indexed asset, address indexed account, uint256 amount);
    /// @notice A bank balance was paid out.
    event Withdrawn(address indexed asset, address indexed account, uint256 amount, address to);
    /// @notice Everybody's deposit is locked.
    event Opened(bytes32 indexed channelId, bytes terms);
    /// @notice A closing ledger was paid out.
    event Closed(bytes32 indexed channelId, uint64 version);
    /// @notice A ledger was posted one-sidedly; it can be settled from `deadline` on.
    event Contested(bytes32 indexed channelId, uint48 deadline, bytes ledger, bytes signatures);
    /// @notice The free balances of the contested ledger were paid out.
    event Settled(bytes32 indexed channelId, uint64 version);
    /// @notice A match's lock was paid out.
    event LockPaid(bytes32 indexed channelId, bytes32 indexed matchId, uint256[] payouts);
    /// @notice A supported position was recorded, or an unsigned turn 0. `told` is the length of
    /// the record, 2 bytes, the record, and the support.
    event Advanced(bytes32 indexed channelId, bytes32 indexed matchId, bytes32 verdict, bytes told);
    /// @notice The clock on the recorded position started.
    event Demanded(bytes32 indexed channelId, bytes32 indexed matchId, bytes record);
    /// @notice An Agreement of all seats was posted. Its payouts are in the record.
    event Agreed(bytes32 indexed channelId, bytes32 indexed matchId, bytes record, uint64 turn, bytes signatures);
    /// @notice A clock ran out. `told` is the length of what follows of the record, 2 bytes, the
    /// record but for the hash of its state, and the state itself: the rule state after the expiry,
    /// empty when the match is void.
    event Expired(bytes32 indexed channelId, bytes32 indexed matchId, bytes32 verdict, bytes told);
    /// @notice A seat was proved to have signed two positions at one turn. With two seats the match
    /// is final with this record; with more the seat plays on (`flagged` is the mask of all such
    /// seats), and the record stays what it was.
    event Convicted(
        bytes32 indexed channelId, bytes32 indexed matchId, bytes record, uint16 flagged, uint64 turn, uint8 seat
    );

    // -------------------------------------------------------------------------------------- errors

    /// @notice The value sent is not what the call needs.
    error BadValue();
    /// @notice The account, receiver or asset cannot be used.
    error BadAccount();
    /// @notice An account has less in the bank than the call takes.
    error NotEnough(address account, uint256 balance, uint256 needed);
    /// @notice The channel's terms, or the match's, are malformed or outside the Arena's bounds.
    error BadTerms();
    /// @notice It is too late: `deadline` has come; for `open`, which may come at it, passed.
    error TooLate(uint256 deadline);
    /// @notice This call can't be made before `deadline`; 0: no clock runs.
    error TooEarly(uint256 deadline);
    /// @notice A signature is malformed or not by whom it must be.
    error BadSignature();
    /// @notice The channel or match has a status in which the call makes no sense.
    error BadStatus(uint8 status);
    /// @notice The ledger is malformed, does not sum to the deposits, or is not the one posted.
    error BadLedger();
    /// @notice The ledger's version is not above the posted one.
    error StaleLedger(uint64 posted);
    /// @notice The match is not locked in the ledger with these stakes.
    error NotLocked();
    /// @notice The game or record is not the one the Arena knows: take it from the match's last
    /// event.
    error NotRecorded();
    /// @notice The support is malformed, lacks a seat's or a mover's signature, or does not start
    /// where it must.
    error BadSupport();
    /// @notice The support does not rank above what is recorded.
    error NotHigher();
    /// @notice The Demand is by nobody who may demand, or a clock already runs.
    error BadDemand();
    /// @notice The Agreement is below the recorded turn, or its payouts do not sum to the stakes.
    error BadAgreement();
    /// @notice The two positions prove nothing.
    error BadProof();
    /// @notice The turn 0 supplied, which not all signed, is not what the rules start with.
    error BadState();
    /// @notice The rules refused the call, or returned rubbish.
    error RulesFailed();
    /// @notice Send more gas: the call must be able to forward a fixed allowance.
    error NotEnoughGas();

    // ---------------------------------------------------------------------------------------- bank

    /// @notice Credits an account with money of the sender: the value sent for ETH (`asset` 0),
    /// what arrives for an ERC-20.
    /// @param amount What to take, in wei or token units; for ETH the value sent.
    function deposit(address asset, address account, uint256 amount) external payable;

    /// @notice Pays the sender's free balance out.
    function withdraw(address asset, uint256 amount, address to) external;

    /// @notice What an account has free in the bank.
    function balanceOf(address asset, address account) external view returns (uint256);

    // ------------------------------------------------------------------------------------ channels

    /// @notice Locks everybody's deposit. Value sent tops up the sender's balance first.
    /// @param signatures Each player's signature of the terms, in order: 65 bytes, or what an
    /// ERC-1271 wallet takes. An empty one stands for the sender's own. A wallet is asked here and
    /// for its Contest; all else is signed by session signers.
    function open(bytes calldata terms, bytes[] calldata signatures) external payable;

    /// @notice Pays a closing ledger that every signer signed, not below a contested version.
    /// @param signatures 65 bytes per seat, in order.
    /// @param push Pay to the players' wallets, falling back on the bank, rather than to the bank.
    function close(bytes calldata terms, bytes calldata ledger, bytes calldata signatures, bool push) external;

    /// @notice Starts the window of a one-sided close, or replaces its ledger with a higher
    /// version, which needs no Contest and extends nothing. Version 1 (deposits, no locks) is
    /// derived and needs no signatures.
    /// @param seat Whose Contest it is.
    /// @param contestSignature The Contest of that version by the seat's signer or player (key or
    /// ERC-1271).
    function contest(
        bytes calldata terms,
        bytes calldata ledger,
        bytes calldata signatures,
        uint8 seat,
        bytes calldata contestSignature
    ) external;

    /// @notice After the window: pays the posted ledger's free balances to the bank, once, and the
    /// locks listed, whose matches must be final; those paid are passed over. May be called again
    /// for more locks.
    /// @param posting The terms, the contested ledger, and the matches to pay, in the order of
    /// their locks in the ledger.
    function settle(bytes calldata posting) external;

    /// @notice What the Arena holds of a channel. The fingerprint is of the ledger that was posted:
    /// the last 160 bits of the hash of its bytes, packed as it was posted, 248 once it is settled,
    /// when deadline and version are 0.
    function channelOf(bytes32 channelId)
        external
        view
        returns (uint8 status, uint48 deadline, uint64 version, uint248 fingerprint);

    // ------------------------------------------------------------------------------------- matches

    /// @notice The first record of a match, with proof that a ledger signed by all locks it.
    /// @param ledgerSignatures 65 bytes per seat of the channel, in order; empty when the ledger is
    /// the posted one.
    /// @param support Evidence that all seats are in; or turn 0 without moves, not signed by all,
    /// with a Demand.
    /// @param demandSignature Empty, or the Demand of a seat of the match for the supported turn.
    function advanceNew(
        bytes calldata terms,
        bytes calldata ledger,
        bytes calldata ledgerSignatures,
        bytes calldata matchTerms,
        bytes calldata support,
        bytes calldata demandSignature
    ) external;

    /// @notice Records a supported position that ranks above the recorded one, which clears the
    /// clock.
    /// @param known The game and its record, as the match's last event tells it.
    function advance(bytes calldata known, bytes calldata support, bytes calldata demandSignature) external;

    /// @notice Starts the mover's clock on the recorded position, on the Demand of another seat of
    /// the match.
    function demand(bytes calldata known, bytes calldata demandSignature) external;

    /// @notice Stops the clock and ends the match, one window later, as all its seats agreed.
    /// @param record The recorded one; empty when nothing is recorded.
    /// @param signatures 65 bytes per seat of the match, in order.
    function agree(
        bytes calldata terms,
        bytes calldata matchTerms,
        bytes calldata record,
        uint64 turn,
        uint256[] calldata payouts,
        bytes calldata signatures
    ) external;

    /// @notice The clock ran out: records what the rules say, in a new epoch; voids a match whose
    /// turn 0 was not signed.
    /// @param claim The game, its record but for the hash of the state, and the recorded rule state
    /// itself.
    function expire(bytes calldata claim) external;

    /// @notice Punishes a seat that signed two positions at one turn, whatever is recorded, until
    /// the match is final.
    function convict(bytes calldata terms, bytes calldata matchTerms, bytes calldata proof) external;

    /// @notice What the Arena holds of a match. `flagged` is the mask of the seats that were
    /// convicted and play on.
    function matchOf(bytes32 matchId)
        external
        view
        returns (uint8 status, uint48 deadline, uint16 flagged, uint184 fingerprint);

    // --------------------------------------------------------------------------------------- batch

    /// @notice Makes several calls of the Arena in one transaction, all or nothing. None can use
    /// value.
    function batch(bytes[] calldata calls) external;
}
