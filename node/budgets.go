package node

import (
	"context"
	"fmt"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// budgets is what others can make a node do. Whatever a message of an account without an open
// channel causes is spent from one of these first. Before that a node looks up, in memory or in its
// store, whether the message can matter: is the offer known, has its sender a seat, was this
// account asked? What can't is refused for nothing but a line in the log (node/log).
//
//	Handshake, HandshakeProof     p2p/handshakes; p2p/arrivals for what is repeated to who connects; for a deputy of a contract wallet
//	                              node/chain 1
//	OpenOffer                     node/told, node/offers; node/chain 2 for a token's unit, 5 more if a policy accepts it;
//	                              node/queries if it is repeated after it was accepted
//	OpenReply                     node/signatures; node/chain where the sender is no key
//	PostInvite                    lobby/invites, node/posts, node/signatures; node/chain for a deputy; node/told for a guest
//	WithdrawInvite, RefuseInvite  nothing; node/told for a refusal that the user hears of
//	ListInvites, RoundQuery       node/queries, for each round in the answer as well
//	InvitePage                    node/signatures; node/chain for deputies
//	Bid                           node/queries; node/told and one of 8 places of the invite for an account's first, or another's: see Invite.yields;
//	                              node/told for one that answers no bid of the user's own, if the user hears of it;
//	                              node/chain 5, and 2 for a token's unit, if it is answered without the user
//	EndBids, RoundEnd             nothing
//	Nickname                      node/nicknames, node/signatures; node/chain for a deputy of a contract wallet
//	RoundJoin                     node/registrations, node/signatures; node/chain 1, and 1 for a deputy
//	RoundNotice                   node/signatures for each registration not checked before, node/chain 1 for a seal: a player's share, the
//	                              user chose the house
//	ResultSignature               node/signatures
//	TowerEvidence, …Ask, …Receipt tower/messages, at a tower; node/towers, of a tower
//	AgreementSignature, Note      node/stored: its KiB and one more
//	other messages of a channel   nothing: package channel bounds what seats cost (allowance.go)
type budgets struct {
	log, told, nicknames, chain, signatures, posts, queries, registrations, stored, towers *budget.Budget
}

// The limits, by budget. internal/repository/budgets.txt has them as a table.
var (
	logLimit = budget.Limit{Name: "node/log", Counts: "warnings in the log about refused messages",
		Account: budget.Rate(20, 10*time.Second), Group: budget.Rate(60, 3*time.Second), Total: budget.Rate(200, time.Second),
		Friend: budget.Rate(20, 10*time.Second), Friends: budget.Rate(200, time.Second)}
	toldLimit = budget.Limit{Name: "node/told", Counts: "offers, bids and invites that the user is told of",
		Account: budget.Rate(16, time.Minute), Group: budget.Rate(32, 10*time.Second), Total: budget.Rate(128, 2*time.Second),
		Friend: budget.Rate(16, time.Minute), Friends: budget.Rate(128, 2*time.Second)}
	nicknameLimit = budget.Limit{Name: "node/nicknames", Counts: "nicknames that are shown",
		Account: budget.Rate(4, time.Minute), Group: budget.Rate(32, 10*time.Second), Total: budget.Rate(128, 2*time.Second),
		Friend: budget.Rate(4, time.Minute), Friends: budget.Rate(128, 2*time.Second)}
	chainLimit = budget.Limit{Name: "node/chain", Counts: "questions to the chain",
		Account: budget.Rate(16, 2*time.Second), Group: budget.Rate(32, time.Second), Total: budget.Rate(32, 250*time.Millisecond),
		Friend: budget.Rate(64, 250*time.Millisecond), Friends: budget.Rate(256, 50*time.Millisecond)}
	signatureLimit = budget.Limit{Name: "node/signatures", Counts: "signatures checked",
		Account: budget.Rate(64, 100*time.Millisecond), Group: budget.Rate(256, 20*time.Millisecond), Total: budget.Rate(1024, 5*time.Millisecond),
		Friend: budget.Rate(1024, 10*time.Millisecond), Friends: budget.Rate(4096, time.Millisecond)}
	postLimit = budget.Limit{Name: "node/posts", Counts: "invites to be shown here",
		Account: budget.Rate(8*maxInvites, 2*time.Second), Group: budget.Rate(16*maxInvites, time.Second), Total: budget.Rate(64*maxInvites, 100*time.Millisecond),
		Friend: budget.Rate(8*maxInvites, 2*time.Second), Friends: budget.Rate(64*maxInvites, 100*time.Millisecond)}
	queryLimit = budget.Limit{Name: "node/queries", Counts: "questions what is shown here",
		Account: budget.Rate(128, 100*time.Millisecond), Group: budget.Rate(256, 50*time.Millisecond), Total: budget.Rate(1024, 10*time.Millisecond),
		Friend: budget.Rate(128, 100*time.Millisecond), Friends: budget.Rate(1024, 10*time.Millisecond)}
	registrationLimit = budget.Limit{Name: "node/registrations", Counts: "registrations for a round of this house",
		Account: budget.Rate(32, time.Second), Group: budget.Rate(64, time.Second), Total: budget.Rate(256, 100*time.Millisecond),
		Friend: budget.Rate(16, time.Second), Friends: budget.Rate(256, 100*time.Millisecond)}
	storedLimit = budget.Limit{Name: "node/stored", Counts: "KiB of notes, draws and concessions, which are written down or answered",
		// no total: it would let some players of a house silence the others
		Account: budget.None, Friend: budget.Rate(256, 250*time.Millisecond)}
	// above what a tower may show at once, and answers in the long run
	towerLimit = budget.Limit{Name: "node/towers", Counts: "receipts of a tower of this node, and pieces of evidence that it shows",
		Account: budget.None, Friend: budget.Rate(2048, 20*time.Millisecond)}
)

// offerLimit bounds the offers of others that wait for an answer. They are counted where they are
// stored.
var offerLimit = budget.Limit{Name: "node/offers", Counts: "offers of channels that wait for an answer; of too many, a stranger's yields to a newer one",
	Account: budget.Places(8), Total: budget.Places(256), Friend: budget.Places(8), Friends: budget.Places(256)}

// questionsOfOpening is how many questions to the chain show whether this player can afford a
// channel: the clock, its bank balance, and for the cost of a dispute the head, the gas price and
// the wallet. With fewer, strangers who return in turn would use up the chain package's budget, and
// none would ever be served.
const questionsOfOpening = 5

// questionsOfUnit is what it takes to find out what a token's amounts are written in.
const questionsOfUnit = 2

// Budgets lists the limits of what others can make a node do.
func Budgets() []budget.Limit {
	return []budget.Limit{
		chainLimit, signatureLimit, toldLimit, nicknameLimit, offerLimit, postLimit, lobby.Limit, queryLimit, registrationLimit, storedLimit, towerLimit, logLimit,
	}
}

func newBudgets(now func() time.Time) budgets {
	return budgets{
		log: budget.New(now, logLimit), told: budget.New(now, toldLimit), nicknames: budget.New(now, nicknameLimit), chain: budget.New(now, chainLimit),
		signatures: budget.New(now, signatureLimit), posts: budget.New(now, postLimit), queries: budget.New(now, queryLimit),
		registrations: budget.New(now, registrationLimit), stored: budget.New(now, storedLimit),
		towers: budget.New(now, towerLimit),
	}
}

// who says from which shares of the budgets an account's messages are paid.
func (n *core) who(account common.Address) budget.Who {
	return budget.Who{Account: account, Group: n.net.Group(account), Friend: n.friend(account)}
}

// charge pays for n units that somebody causes. It fails with ErrBusy, and says when to come back.
func charge(b *budget.Budget, who budget.Who, units int) error {
	if err := b.Spend(who, units); err != nil {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return nil
}

// charge pays for n units that an account causes. It fails with ErrBusy, and says when to come
// back.
func (n *core) charge(b *budget.Budget, account common.Address, units int) error {
	return charge(b, n.who(account), units)
}

// allows is charge of one unit, for callers to whom the reason does not matter.
func (n *core) allows(b *budget.Budget, account common.Address) bool { return b.Allow(n.who(account)) }

// askFor returns the context of so many questions to the chain that somebody causes, paid for.
// Those of strangers come after all others.
func (n *core) askFor(who budget.Who, questions int) (context.Context, error) {
	if err := charge(n.budgets.chain, who, questions); err != nil {
		return nil, err
	}
	if who.Friend {
		return n.run, nil
	}
	return chain.As(n.run, chain.Stranger), nil
}

// checkedFor charges the sender for so many checks of players' signatures.
func (n *core) checkedFor(who budget.Who, signatures int) (protocol.Authority, error) {
	a := n.authority()
	a.Wallets = func(account common.Address, digest common.Hash, signature []byte) error {
		ctx, err := n.askFor(who, 1)
		if err != nil {
			return err
		}
		return n.wallets.Signed(ctx, account, digest, signature)
	}
	return a, charge(n.budgets.signatures, who, signatures)
}
