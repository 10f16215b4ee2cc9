// Package disputes decides what a seat does on-chain, and carries it out.
//
// A channel needs the chain only when somebody is silent, gone or lying. Then this package tells
// each honest seat what to do: refute what is stale, answer demands, demand what is missing, and
// collect.
//
// # The planner
//
// Plan is a pure function: from a Case (what the chain says, what the seat can prove, what its user
// wants, what time it is on the Arena's clock) to a Plan (transactions to send, moves that only the
// caller can make, alarms, and when to look again). It remembers nothing. Whatever changes, a new
// event, a reorg that takes events back, a new position, a restart, the next plan starts from what
// is true then. A step that is on its way has a Key and is not ordered twice; the key changes as
// soon as the state of the chain that the step builds on does.
//
// What the chain says is a View: the channel's events, folded. Each event carries all that an
// answer needs, so a position that a peer showed only to the chain is learnt there.
//
// # What it does, and when
//
//	on the chain                         what the seat has                       what it does
//	---------------------------------   --------------------------------------  ------------------------------------------
//	open                                 the user wants out                      contest with the newest ledger
//	open, or contested                   a closing ledger signed by all          close
//	contested with an old ledger         a newer one signed by all               contest with that, before the deadline
//	contest's window is over             -                                       settle: balances at once, locks when final
//	match: nothing, peer silent          support; the peer is on move            advance with a Demand
//	match: nothing, peer silent          turn 0 lacks a signature                the same; a window later it is void
//	match: nothing, channel ends         support of an end, or an agreement      advance, or agree
//	the same, contested                  of an end by which a peer gets most     advance, a margin before that is paid out
//	match of 3+: nothing                 its own move, on what not all signed    advance: a window later all count as having
//	match: no clock                      its own move, after a run of them       advance: it goes on from what is recorded
//	match of 3+: no clock, chance moves  the position, which not all signed      a Demand: the chain's clock draws
//	match: "turn 0 is unsigned"          support signed by all                   advance, before the deadline
//	match: a clock or an end's window    an agreement signed by all              agree
//	match: live, a clock runs            higher-ranking support                  advance, whoever's clock it is, with a Demand to who let one run
//	match: live, its own clock runs      nothing higher                          a Want: only the player can move
//	match: live, a clock ran out         -                                       expire
//	match: live, no clock, peer silent   -                                       a Demand alone
//	match of 3+: live, not agreed        higher-ranking support                  advance, before it stood for a window
//	match: an agreement is posted        support of a higher turn                advance, before the deadline
//	match: an end is posted              higher-ranking support                  advance, before the deadline
//	match: not final                     two signatures at one turn              convict
//
// Matches that the effective ledger doesn't lock are ignored: no posting of them can cost the seat
// anything. The effective ledger is the newest that all signed, or, once its window is over, the
// contested one.
//
// # What a seat wants
//
// Seat.Wishes is the other pure function: from a machine, what its user asked for and since when
// its peers have owed it something, it says whether to leave, to start a clock or to send a closing
// ledger. The node, the simulator and the explorer (package sim) all call it, so that what is
// proved is what runs.
//
// # What it never does
//
// It never starts a seat's own clock. It never posts the recorded position again, which could only
// restart a clock. It never posts less than its best. Before a deadline it doesn't expire, and from
// the deadline on it does nothing but expire or convict. It accuses nobody without two valid
// signatures of that seat, and never its own seat. In a restored store it asks for no move, because
// the seat may have signed another one before.
//
// # Cost
//
// The planner posts support in its shortest form: the base as late as possible, and of each seat
// only the signature that counts. Steps share a transaction where they can, since each transaction
// saved is 21,000 gas; but an urgent step, or one that failed, goes alone, so that nobody can delay
// it by making another call fail. The step on which most depends goes first, because the account
// may not pay for all. A tower (Policy.Frugal) sends each step in its own transaction, and answers
// what somebody else did in a match twice at most. A step that costs more than is at stake, or
// whose stake is below the user's floor, is left out. An alarm says so: a Warning, but a Notice
// where nothing is at stake, or less than the floor and nobody is taking it.
//
// # Time
//
// All times are on the Arena's clock, in its unit (blocks or seconds), never the machine's.
// Case.Now is the clock of the newest block: what is sent now lands later. The planner answers a
// running clock at once, even where the seat moves again afterwards: nothing is signed on top of
// the answer before it is recorded, so waiting would save no transaction, and an early one can be
// mined again after a reorganisation. From Policy.Margin before a deadline on, waiting ends: the
// step goes alone and an alarm is raised. The margin covers the time that a transaction takes to
// land when blocks are full. It is at most a quarter of the window, the least time that the Arena
// grants for an answer.
//
// # The watcher
//
// A Watcher folds events, plans, signs the Contests and Demands in the plan and hands transactions
// to a Submitter. It has no goroutine: its owner calls Step. Every failure is reported: what could
// not be sent, or failed, stands as an alarm in every plan until it is done or no longer needed,
// and is tried again at every Step.
//
// Planner and watcher are deterministic, do no I/O of their own and are not safe for concurrent
// use; use one per channel.
package disputes
