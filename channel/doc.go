// Package channel is one seat's part in one channel, as a deterministic machine: it decides what to
// sign, what to say and what to keep. It does no I/O, has no clock, no goroutine and no randomness.
// Whatever happens to a channel is an Input of its Machine, and whatever is to be done about it is
// an effect of that step; package node drives machines so, and a simulator can run thousands of
// hostile games a minute with the same code. What is signed and said is package protocol.
//
// # Driving a machine
//
// The caller hands in what happened, one Input at a time, and does what comes back, in this order:
//
//	fx, err := m.Step(input)
//	if err != nil {
//		// Refused: nothing has changed but what the peer is charged. Tell the user, or log which
//		// peer it came from (ErrPeer).
//	}
//	store.Commit(fx.Entries) // atomically, and on the disk before anything else happens
//	for _, out := range fx.Messages {
//		transport.Send(out.To, message.Envelope(m.ID(), out.Message)) // may get lost
//	}
//	for _, event := range fx.Events {
//		tell(user, event) // best committed with the entries, so that a crash doesn't swallow it
//	}
//
// That order is what makes a crash harmless. A signature is in the entries of the same batch as its
// high-water mark, so that it cannot leave before the mark is kept; if the process dies first, it
// was never given. If the commit fails, go back to the machine as it was before the step, or
// Restore it from the store: both are at the last batch, to the bit.
//
// Messages may be lost, repeated and reordered. Four inputs drive what nobody else does:
//
//   - Idle, when no automatic step is left and a person thinks: the machine countersigns the newest
//     positions, so that the other side can prove them without us;
//   - Tick, every few seconds: the machine retransmits what is unanswered, proposes again what lost
//     a race, and refills each peer's allowance of work (ErrFlood);
//   - Connected, when a seat can be reached again: both sides compare how far they are, and the one
//     with more sends it;
//   - ClockAt, at new blocks: in matches of three or more seats a record that stood for a window
//     counts as signed by all, and a position that was too late to sign is signed if the rules have
//     lifted that limit.
//
// Each event of the Arena is given as ChainSeen when it is seen, and then either again as final or
// as ChainUndone. A machine reacts at first sight where that is the careful thing to do (a contest
// freezes the ledgers, a running clock the match) and only to final events where signing depends on
// them (the opening, an expiry). After Restore the records among them are given once more, in their
// order, as ChainTold: a match whose rules were missing follows them now.
//
// # The life of a channel
//
// New makes a machine from complete terms. The negotiation that leads to them, and the transaction
// that opens the channel, are the node's. At the first final Opened it says ChannelReady.
//
// ProposeMatch asks all seats to sign the next ledger, which locks the stakes. The seats that play
// are asked (ProposalAsked) unless Policy.Approve speaks for them; for the others it is enough that
// their balance stays the same. When every seat has signed the ledger, every seat of the match
// signs its turn 0, which says "I am here"; when all have, MatchStarted comes, and YourTurn to
// whoever moves. Several matches may run at once, among all seats or some.
//
// MakeMove signs the position that the move leads to and sends one message. The other side's next
// move is the acknowledgement. A match that is over, agreed (OfferAgreement, AcceptAgreement,
// Concede) or finally decided by the Arena is booked: its lowest seat proposes the ledger that pays
// it out, any seat at BookMatch or Tick. The ledger that books an agreement is proposed by the seat
// on move, which alone could go on: nobody else signs before it. While the chain is on move nothing
// is agreed (ErrChainMoves). Bookings that are right are signed without asking.
//
// WithdrawMatches withdraws what our user proposed and is not locked yet: our next version takes
// its place.
//
// CloseChannel does the same, and proposes a closing ledger; while a match is locked it is refused.
// CloseSigned has the ledger with all signatures, for the Arena.
//
// # Whose proposal wins
//
// The seat that may propose version v is v mod seats, so that two proposals never bear the same
// version. A seat signs a version if it is above all that it has signed and follows from its newest
// fully signed ledger. When proposals cross, the higher version wins; the other is dead, because a
// seat that signed above it never signs it, and its proposer makes it again on top of the winner
// with its next version, without being told to. A proposal made on an older ledger is answered with
// the newer one, and made again on top of that. A refused match is dropped (ProposalRefused);
// refused bookings and closings are said again at the next Tick. A booking goes before a proposed
// match that waits for a person's word; the match is then proposed again. So no order of messages
// wedges a channel (go-perun#380 tells what happens otherwise).
//
// A proposal that lost may still be completed by those who hold its signatures. Each kind is
// harmless then: a late lock is void, because no seat signs turn 0 while it has signed a higher
// ledger that need not lock the match; the same ledger is first signed again above that one. What
// is booked stays provable until no such ledger is left. After a closing ledger no other balances
// are signed, whatever becomes of it: if it isn't answered, contest.
//
// # What is never signed
//
//   - Another digest at or below the high-water mark: not after a time-out, a rejection, a crash, a
//     reorganisation.
//   - A position of a match that isn't locked in a fully signed ledger, or whose clock runs
//     on-chain. MakeMove then signs the answer for the chain only: it is in the match's Support, and
//     no message is sent.
//   - With three seats or more, a position of turn t+1 before every seat has signed turn t.
//   - A move after an agreement that all seats signed, or while others can still complete a ledger
//     that books a match although it went on: the machine first signs the ledger from before again,
//     with a higher version.
//   - A ledger while the channel is contested, or turn 0 of a match that was not locked yet then.
//   - Anything, once StoreRestored has said that the store came from a backup.
//
// # What is kept
//
// A channel's record, one of each match, the first ledger that locks it, and the user's secret. A
// match's record holds the positions from the one before the newest that all seats signed or signed
// past. Where there are many, as a seat goes on while its peer is silent, it holds the newest, and
// each older one has a key of its own: no record's size grows with the moves. A deep reorganisation
// can undo even a final payout: a match that is paid on-chain stays with all that is held of it. No
// other history is kept; a second signature of a seat at a turn that is still held is proof
// (SeatEquivocated), and kept.
package channel
