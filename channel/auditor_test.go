package channel_test

import (
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// auditor listens to everything that honest seats send and holds them to their words: nobody ever
// signs two ledgers of a version or two positions of a turn, and no two fully signed ledgers of a
// version exist.
type auditor struct {
	ledgers   map[ledgerKey]common.Hash
	positions map[positionKey]common.Hash
	states    map[turnKey]map[common.Hash]bool // what positions of a turn exist
	fulls     map[uint64]common.Hash
}

type (
	ledgerKey struct {
		seat    int
		version uint64
	}
	turnKey struct {
		match common.Hash
		turn  protocol.Turn
	}
	positionKey struct {
		seat uint8
		turnKey
	}
)

func newAuditor() *auditor {
	return &auditor{ledgers: map[ledgerKey]common.Hash{}, positions: map[positionKey]common.Hash{},
		states: map[turnKey]map[common.Hash]bool{}, fulls: map[uint64]common.Hash{}}
}

func (a *auditor) position(match common.Hash, turn protocol.Turn, state []byte) {
	k := turnKey{match, turn}
	if a.states[k] == nil {
		a.states[k] = map[common.Hash]bool{}
	}
	a.states[k][protocol.StateHash(state)] = true
}

// heard learns which positions exist.
func (a *auditor) heard(tb *table, events []channel.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case channel.Moved:
			a.position(e.MatchID, e.Turn, e.State)
		case channel.MatchExpired:
			a.position(e.MatchID, e.Turn, e.State)
		case channel.MatchLocked:
			rules, err := tb.seats[0].cfg.Rules.Rules(e.Terms.Rules)
			if err != nil {
				continue
			}
			j, err := protocol.NewJudge(tb.domain, &tb.terms, &e.Terms, rules)
			if err != nil {
				tb.t.Fatal(err)
			}
			start, err := j.Start()
			if err != nil {
				tb.t.Fatal(err)
			}
			a.position(e.MatchID, 0, start)
		}
	}
}

// released notes the signatures that a seat lets go.
func (a *auditor) released(tb *table, from int, msg message.Message) {
	switch m := msg.(type) {
	case message.Propose:
		if m.Signatures[from] != (protocol.Signature{}) {
			a.ledger(tb, from, m.Ledger.Version, m.Ledger.Digest(tb.domain))
		}
	case message.Approve:
		a.ledger(tb, from, m.Version, m.Digest)
		for _, c := range m.Starts {
			a.signed(tb, from, c.MatchID, c.Turn, c.Signature)
		}
	case message.Move:
		a.signed(tb, from, m.MatchID, m.Turn, m.Signature)
		if m.First != nil {
			a.signed(tb, from, m.First.MatchID, m.First.Turn, m.First.Signature)
		}
	case message.Countersign:
		a.signed(tb, from, m.MatchID, m.Turn, m.Signature)
	}
}

func (a *auditor) ledger(tb *table, seat int, version uint64, digest common.Hash) {
	tb.t.Helper()
	k := ledgerKey{seat, version}
	if old, ok := a.ledgers[k]; ok && old != digest {
		tb.t.Fatalf("seat %d signed two ledgers of version %d", seat, version)
	}
	a.ledgers[k] = digest
}

// signed finds out which position of a turn a signature is of.
func (a *auditor) signed(tb *table, seat int, match common.Hash, turn protocol.Turn, sig protocol.Signature) {
	tb.t.Helper()
	k := positionKey{uint8(seat), turnKey{match, turn}}
	for state := range a.states[k.turnKey] {
		p := protocol.Position{MatchID: match, Turn: turn, State: state}
		if sig.Verify(p.Digest(tb.domain), tb.terms.Signers[seat]) != nil {
			continue
		}
		if old, ok := a.positions[k]; ok && old != state {
			tb.t.Fatalf("seat %d signed two positions at turn %s", seat, turn)
		}
		a.positions[k] = state
		return
	}
	tb.t.Fatalf("seat %d sent a signature at turn %s that is of no position", seat, turn)
}

// full notes a ledger that a seat holds fully signed.
func (a *auditor) full(tb *table, l protocol.SignedLedger) {
	tb.t.Helper()
	digest := l.Digest(tb.domain)
	if old, ok := a.fulls[l.Version]; ok && old != digest {
		tb.t.Fatalf("two fully signed ledgers of version %d", l.Version)
	}
	a.fulls[l.Version] = digest
}
