package tower

import (
	"fmt"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// budgets is what others can make a tower do. Whatever a message causes is spent from one of these
// first.
type budgets struct {
	messages, chain, signatures, stored, shown, refusals, log *budget.Budget
}

// messageLimit bounds what is read. Looking a channel up took a tower 53 to 176 microseconds where
// nothing of it was in memory: strangers keep it busy for less than a fifth of the time.
func (l *Limits) messageLimit() budget.Limit {
	return budget.Limit{Name: "tower/messages", Counts: "messages whose channel is looked up",
		Account: budget.Rate(8, time.Second), Group: budget.Rate(64, 100*time.Millisecond), Total: budget.Rate(1024, time.Millisecond),
		Friend: budget.Rate(l.Burst, l.Every)}
}

// The other limits, by budget. Strangers have no share of what only a seat's evidence leads to.
var (
	chainLimit = budget.Limit{Name: "tower/chain", Counts: "questions to the chain who is a contract wallet's deputy",
		Account: budget.Rate(16, 2*time.Second), Group: budget.Rate(32, time.Second), Total: budget.Rate(32, 250*time.Millisecond),
		Friend: budget.Rate(16, 2*time.Second), Friends: budget.Rate(256, 50*time.Millisecond)}
	signatureLimit = budget.Limit{Name: "tower/signatures", Counts: fmt.Sprintf("signatures checked; a move replayed counts for %d", protocol.MoveWork),
		Account: budget.None, Friend: budget.Rate(4096, 2*time.Millisecond)}
	storedLimit = budget.Limit{Name: "tower/stored", Counts: "KiB of evidence written",
		Account: budget.None, Friend: budget.Rate(8192, 10*time.Millisecond)}
	shownLimit = budget.Limit{Name: "tower/shown", Counts: "pieces of evidence shown",
		Account: budget.None, Friend: budget.Rate(1024, 100*time.Millisecond)}
	refusalLimit = budget.Limit{Name: "tower/refusals", Counts: "refusals that are answered",
		Account: budget.Rate(8, time.Second), Group: budget.Rate(16, 500*time.Millisecond), Total: budget.Rate(64, 100*time.Millisecond),
		Friend: budget.Rate(64, 500*time.Millisecond)}
	logLimit = budget.Limit{Name: "tower/log", Counts: "refusals in the log",
		Account: budget.Rate(4, time.Minute), Group: budget.Rate(16, 30*time.Second), Total: budget.Rate(64, 5*time.Second),
		Friend: budget.Rate(4, time.Minute), Friends: budget.Rate(256, time.Second)}
)

// Budgets lists the limits of what others can make a tower do, with the defaults of Limits.
func Budgets() []budget.Limit {
	var l Limits
	l.complete()
	return []budget.Limit{l.messageLimit(), chainLimit, signatureLimit, storedLimit, shownLimit, refusalLimit, logLimit}
}

func newBudgets(now func() time.Time, l *Limits) budgets {
	return budgets{
		messages: budget.New(now, l.messageLimit()), chain: budget.New(now, chainLimit), signatures: budget.New(now, signatureLimit), stored: budget.New(now, storedLimit),
		shown: budget.New(now, shownLimit), refusals: budget.New(now, refusalLimit), log: budget.New(now, logLimit),
	}
}

// maxSeated caps the accounts that are remembered to have shown a seat. Each of them paid for the
// opening of a channel.
const maxSeated = 1 << 16

// who says from which shares of the budgets an account's messages are paid.
func (t *Tower) who(account common.Address) budget.Who {
	return budget.Who{Account: account, Group: t.net.Group(account), Friend: handler{t}.Befriended(account)}
}

// seat notes that an account was heard of for a seat, of which another one, or the same, was heard
// of before; the zero account is nobody. One that shows a seat of an open channel is no stranger,
// whatever becomes of another seat of its.
func (t *Tower) seat(before, account common.Address) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if before == account && t.seated[account] > 0 {
		return
	}
	if t.seated[before]--; t.seated[before] <= 0 {
		delete(t.seated, before)
		t.appointments.Forget(before)
	}
	if _, known := t.seated[account]; account != (common.Address{}) && (known || len(t.seated) < maxSeated) {
		t.seated[account]++
	}
}

// work returns how many signatures are to be checked for a piece of evidence. A move to be replayed
// counts for several.
func work(e *message.TowerEvidence) int {
	n := len(e.Ledger.Signatures) + 2*len(e.Proofs) + 1
	if e.Support != nil {
		n += len(e.Support.Signatures) + protocol.MoveWork*len(e.Support.Moves)
	}
	if e.Agreement != nil {
		n += len(e.Agreement.Signatures)
	}
	return n
}
