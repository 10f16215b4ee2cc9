// Package nodesim plays histories of real nodes. Package disputes/sim proves the core, the planner
// and the contracts; here whole nodes run: node.Node with its goroutines, its sender and follower,
// its timers and its policy, and towers.
//
// # How a history runs
//
// Everything is in one process and in a bubble of testing/synctest: time is virtual, and moves on
// only when every goroutine waits. So no code of the node is replaced, and no test waits for a
// clock. (Virtual time doesn't pass while a goroutine waits for a sync.Mutex: locks of the node
// that are held while the chain is asked are channels.) A history has one chain: the real contracts
// in a real EVM (package minichain), behind go-ethereum's own JSON-RPC server, which a node reaches
// through its own endpoint (http.RoundTripper). Accounts pay for gas, transactions wait in a pool,
// and a block comes every twelve seconds. Nodes talk over package transport/memory, whose virtual
// time follows the bubble's.
//
// # What is fixed by a seed
//
// A seed draws a Case: the scene, who cheats and how, and what befalls whom. The case fixes the
// rest: the game, the stakes, the time of every fault, the network's delays, and the randomness of
// each node. Every strategy draws from a source of its own, so that a case which is kept stays what
// it was when strategies are added. The order in which goroutines that are ready at one virtual
// instant run is the Go scheduler's, which is why little happens at one instant: every message and
// every answer of an endpoint has a time of its own, each node hears one thing after the other, and
// what befalls a message or a question hangs on itself alone, and on who asks it. Nearly every case
// gives the same history each time, to every message and question, on a busy machine too:
// TestReplay measures it, and names the first step that differs.
//
// # What happens in a history
//
// There are three scenes. In a channel, two players open one, play one to six matches by their
// bots, and close. A house plays unattended by a policy against one or two players. By invites, two
// or three players meet whose nodes do nothing without their user: they invite each other, at the
// same time too, and join what they see. In three of four histories one of the seats cheats in one
// way or two (cheats): it falls silent or is gone, withholds bookings or acknowledgements, contests
// with an old ledger, posts old positions, plays on from an older copy of its store, runs a second
// node on a copy of its store, offers draws, asks a house for matches in which it stakes nothing,
// or asks for a match again that was agreed to once. Honest seats meet up to two troubles
// (troubles): crashes, partitions, a bad network, fee spikes, and endpoints that are down, slow,
// starved, behind, that lose transactions, or refuse requests or calls. These last for less time
// than the Arena grants for an answer; or the node is off for longer, and a tower that holds all
// acts for it; strangers flood it; blocks that are not final are taken back, and others come. One
// honest seat of five meets something that lasts longer (dire): an endpoint of two hides what
// happens, the store is put back from an older copy, or a second node runs with the seat's keys on
// a copy of its store. Two nodes of an account have a peer's connection in turns, as in package
// p2p.
//
// # What is checked
//
//   - after every block: the Arena is solvent to the wei (package audit);
//   - an honest seat ends with at least what is due to it: its deposit, and for each match instead
//     of its stake what the rules give
//     it at the newest position that its node knew, against opponents who never move again;
//   - where something dire befalls an honest seat it may lose what it could not defend, but then
//     its node alarmed it;
//   - an alarm stands where a seat's endpoint is down or its account is empty, and where an answer
//     of its node is not mined one block
//     before it is too late (danger_test.go);
//   - no honest seat is convicted, and no clock of its own runs out, but one that started while it
//     was away and that only a move
//     would have answered, or that was of a match long booked (absence_test.go);
//   - a node on an older copy of its store says so where a peer knows of more, and is convicted of
//     nothing;
//   - a store signs one content for each turn and each ledger. A node that a peer tells of another
//     one with its keys has an alarm that
//     stands; one that hears of a signature of its own that it did not give signs nothing more in
//     that channel, and an alarm says so.
//     Both may have signed before that, so an owner of two may be convicted, but not without such
//     an alarm. Whom they play loses nothing;
//   - the money is not locked for ever;
//   - a house stakes nothing against those who stake less than their part, and over all histories
//     it loses no more than its policy says on
//     average and bad luck explains (money.Risk);
//   - no stake is locked, and no channel opened, that neither a user nor its policy agreed to.
package nodesim
