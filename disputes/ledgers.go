package disputes

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// newest returns the highest fully signed ledger that anybody is known to hold: a peer may have
// completed one.
func (p *planner) newest() protocol.SignedLedger {
	best := protocol.SignedLedger{Ledger: protocol.FirstLedger(p.id, &p.Terms)}
	if p.Ledger != nil {
		best = *p.Ledger
	}
	if posted, _ := p.Chain.Ledger(); posted != nil && posted.Version > best.Version {
		best = *posted
	}
	return best
}

// effective returns the ledger whose locks will pay: the contested one once it can't be replaced,
// else the newest.
func (p *planner) effective() protocol.SignedLedger {
	if p.open() {
		return p.newest()
	}
	posted, _ := p.Chain.Ledger()
	return *posted
}

// open reports whether another ledger than what is posted may still be paid out.
func (p *planner) open() bool {
	_, deadline := p.Chain.Ledger()
	return p.Chain.Status() != Settled && (p.Chain.Status() != Contested || p.Now < deadline)
}

// closing sends a closing ledger, and reports whether that ends the channel.
func (p *planner) closing() bool {
	posted, deadline := p.Chain.Ledger()
	switch {
	case p.Closing == nil:
		return false
	case p.Chain.Status() == Open && (p.Close || p.Exit):
	case p.Chain.Status() == Contested && p.Closing.Version >= posted.Version:
	default:
		return false
	}
	if p.Now >= deadline {
		deadline = 0 // nothing but a settle can come first, and that may be soon
	}
	key := p.channelKey()
	push := p.Push && !p.Failed[key] // a token may call who is paid, who may burn all gas
	var most uint64
	if push && p.Terms.Asset != (common.Address{}) {
		most = gasClose + uint64(len(p.Terms.Players))*gasPushed
	}
	p.add(Step{
		most:     most,
		asked:    p.Asked,
		Key:      key,
		Action:   onchain.Close{Terms: p.Terms, Ledger: *p.Closing, Push: push},
		Why:      fmt.Sprintf("close the channel with ledger %d, which everybody signed: pays everybody at once", p.Closing.Version),
		Deadline: deadline,
		Waits:    p.Chain.Status() == Open,
		Gas:      gasClose,
		Stake:    p.Closing.Balances[p.Seat],
	})
	return true
}

// ledgers starts a contest when the user wants out, and refutes a stale one.
func (p *planner) ledgers() {
	best := p.newest()
	posted, deadline := p.Chain.Ledger()
	switch p.Chain.Status() {
	case Open:
		if p.Exit || p.Leave && p.clocked() {
			p.add(Step{
				Key:    p.channelKey(),
				Action: onchain.ContestLedger{Terms: p.Terms, Ledger: best, Seat: uint8(p.Seat)},
				Why: fmt.Sprintf("start closing the channel alone with ledger %d, the newest that everybody signed: it pays out one window later",
					best.Version),
				Gas:   gasContest,
				Stake: p.due(&best.Ledger),
				Waits: true,
				sign:  true,
			})
		}
	case Contested:
		if p.Now >= deadline {
			if p.Ledger != nil && p.Ledger.Version > posted.Version {
				p.alarm(Critical, "stale ledger paid", common.Hash{}, 0, "ledger %d will be paid out although this node holds %d: its window ended while nothing was posted",
					posted.Version, p.Ledger.Version)
			}
			return
		}
		p.look(deadline)
		if best.Version > posted.Version {
			p.add(Step{
				Key:      p.channelKey(),
				Action:   onchain.ContestLedger{Terms: p.Terms, Ledger: best},
				Why:      fmt.Sprintf("refute ledger %d, which is stale: everybody signed %d", posted.Version, best.Version),
				Deadline: deadline,
				Gas:      gasContest,
				Stake:    p.loss(&best.Ledger, &posted.Ledger),
				before:   answers{p.Chain.now.answers, p.Chain.now.answers},
			})
		}
	}
}

// clocked reports whether the plan starts a clock, or ends one that ran out.
func (p *planner) clocked() bool {
	return slices.ContainsFunc(p.steps, func(s Step) bool {
		_, ended := s.Action.(onchain.Expire)
		return s.sign || ended
	})
}

// settle pays out what can be paid: the free balances once, each lock when its match is final. Of
// more matches than one transaction holds the rest is left to the next settle.
func (p *planner) settle(final map[common.Hash]onchain.FinalMatch) {
	posted, deadline := p.Chain.Ledger()
	status := p.Chain.Status()
	if status != Settled && (status != Contested || p.Now < deadline) {
		return
	}
	a := onchain.Settle{Terms: p.Terms, Ledger: posted.Ledger}
	var gain uint256.Int
	if status == Contested {
		gain = posted.Balances[p.Seat]
	}
	paid, size := 0, 0
	for i := range posted.Locks {
		if p.Chain.Paid(posted.Locks[i].MatchID) {
			paid++
		}
	}
	key := p.channelKey(paid)
	// what pays the seat comes first: the rest must not take its room
	locks := slices.Clone(posted.Locks)
	slices.SortStableFunc(locks, func(a, b protocol.Lock) int { return p.gives(final, b.MatchID) - p.gives(final, a.MatchID) })
	for i := range locks {
		id := locks[i].MatchID
		if p.Chain.Paid(id) {
			continue
		}
		m, ok := final[id]
		// what failed goes alone: its failure must not stop another transaction
		if !ok || p.Failed[key] && !p.ended(id) {
			if status == Contested && p.Matches[id].Bound {
				stakes := pot(locks[i].Stakes)
				// which only the settlement frees for further play
				gain.Add(&gain, &stakes)
			}
			continue
		}
		if size+sizeOfFinal(&m) > maxSettled {
			continue
		}
		if p.gives(final, id) == 0 { // a gift, which must not make the rest too dear
			more := onchain.Settle{Matches: append(slices.Clone(a.Matches), m)}
			if cost := p.cost(&Step{Action: a, Gas: gasOfSettle(&more)}); !money.Worth(&gain, &p.Floor, &cost) {
				continue
			}
		}
		size += sizeOfFinal(&m)
		if seat := seatIn(&m.Terms, p.Seat); int(seat) < len(m.Record.Payouts) {
			gain.Add(&gain, &m.Record.Payouts[seat])
			// a convicted seat's payout goes to the others: see Arena
			for other := range m.Record.Payouts {
				if flags := p.Chain.Record(id).Flagged; flags&(1<<other) != 0 && flags&(1<<seat) == 0 {
					gain.Add(&gain, &m.Record.Payouts[other])
				}
			}
		}
		a.Matches = append(a.Matches, m)
	}
	if gain.IsZero() {
		return
	}
	p.add(Step{
		Key:    key,
		Action: a,
		Why:    fmt.Sprintf("pay out ledger %d: the window is over (with %d of %d locks)", posted.Version, len(a.Matches), len(posted.Locks)),
		Gas:    gasOfSettle(&a),
		Stake:  gain,
		Waits:  true,
	})
}

// gives returns 1 where a final match pays the seat something, else 0.
func (p *planner) gives(final map[common.Hash]onchain.FinalMatch, id common.Hash) int {
	m := final[id]
	seat := seatIn(&m.Terms, p.Seat)
	if int(seat) < len(m.Record.Payouts) && (!m.Record.Payouts[seat].IsZero() || p.Chain.Record(id).Flagged != 0) {
		return 1
	}
	return 0
}

// due returns what a ledger holds for the seat: its balance and its stakes.
func (p *planner) due(l *protocol.Ledger) uint256.Int {
	total := l.Balances[p.Seat]
	for i := range l.Locks {
		m := p.Matches[l.Locks[i].MatchID]
		if seat := seatIn(&m.Terms, p.Seat); int(seat) < len(l.Locks[i].Stakes) {
			total.Add(&total, &l.Locks[i].Stakes[seat])
		}
	}
	return total
}

// loss returns what the seat may lose when the stale ledger is paid out instead of the best: its
// balance and the pots it could win in the one, against its balance alone in the other.
func (p *planner) loss(best, stale *protocol.Ledger) uint256.Int {
	most := best.Balances[p.Seat]
	for i := range best.Locks {
		m := p.Matches[best.Locks[i].MatchID]
		if seatIn(&m.Terms, p.Seat) != games.Nobody {
			all := pot(best.Locks[i].Stakes)
			most.Add(&most, &all)
		}
	}
	if most.Lt(&stale.Balances[p.Seat]) {
		return uint256.Int{}
	}
	most.Sub(&most, &stale.Balances[p.Seat])
	return most
}

// channelKey names a step on the channel itself, of which only one is ever on its way.
func (p *planner) channelKey(on ...any) string {
	posted, _ := p.Chain.Ledger()
	var version uint64
	if posted != nil {
		version = posted.Version
	}
	return key(p.id, append(on, p.Chain.Status(), version)...)
}

// seatIn returns the seat of the match that a seat of the channel plays, or Nobody.
func seatIn(t *protocol.MatchTerms, seat int) uint8 {
	for i, s := range t.Seats {
		if int(s) == seat {
			return uint8(i)
		}
	}
	return games.Nobody
}
