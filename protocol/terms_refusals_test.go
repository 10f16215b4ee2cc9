package protocol_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Terms that the Arena would not open are signed by nobody.
func TestTermsRefuse(t *testing.T) {
	for _, n := range []int{2, games.MaxSeats} {
		if terms := protocoltest.Terms(n); terms.Check() != nil {
			t.Fatalf("%d seats: %v", n, terms.Check())
		}
	}
	for name, spoil := range map[string]func(*protocol.Terms){
		"one seat":           func(t *protocol.Terms) { *t = protocoltest.Terms(1) },
		"17 seats":           func(t *protocol.Terms) { *t = protocoltest.Terms(games.MaxSeats + 1) },
		"a deposit too few":  func(t *protocol.Terms) { t.Deposits = t.Deposits[:2] },
		"a deposit too many": func(t *protocol.Terms) { t.Deposits = append(t.Deposits, uint256.Int{}) },
		"a signer too few":   func(t *protocol.Terms) { t.Signers = t.Signers[:2] },
		"no player":          func(t *protocol.Terms) { t.Players[1] = common.Address{} },
		"no signer":          func(t *protocol.Terms) { t.Signers[1] = common.Address{} },
		"a player twice":     func(t *protocol.Terms) { t.Players[2] = t.Players[0] },
		"a signer twice":     func(t *protocol.Terms) { t.Signers[2] = t.Signers[0] },
		"too much money":     func(t *protocol.Terms) { t.Deposits[1].SetAllOne() },
	} {
		terms := protocoltest.Terms(3)
		if spoil(&terms); !errors.Is(terms.Check(), protocol.ErrTerms) {
			t.Errorf("%s: %v", name, terms.Check())
		}
	}
}

// A seat is found by its player and by its signer, and a player has its own seat, whoever names it
// as a signer.
func TestSeatOf(t *testing.T) {
	terms := protocoltest.Terms(3)
	for i := range 3 {
		if terms.SeatOf(terms.Players[i]) != i || terms.SeatOf(terms.Signers[i]) != i {
			t.Errorf("seat %d is not found", i)
		}
	}
	if seat := terms.SeatOf(common.Address{9}); seat != -1 {
		t.Errorf("a stranger has seat %d", seat)
	}
	terms.Signers[0] = terms.Players[2]
	if seat := terms.SeatOf(terms.Players[2]); seat != 2 {
		t.Errorf("the player of seat 2, named as a signer, has seat %d", seat)
	}
}

// Ledgers that the Arena would not pay out: whoever signed one would have money in it that nobody
// can get at.
func TestLedgersRefuse(t *testing.T) {
	lock := func(id byte, stake uint64) protocol.Lock {
		return protocol.Lock{MatchID: common.Hash{id}, Stakes: []uint256.Int{*uint256.NewInt(stake), *uint256.NewInt(stake)}}
	}
	ledger := func(version uint64, closing bool, locks ...protocol.Lock) protocol.Ledger {
		l := protocol.Ledger{Version: version, Closing: closing, Locks: locks}
		for _, d := range protocoltest.Terms(2).Deposits {
			for _, k := range locks {
				d.Sub(&d, &k.Stakes[0])
			}
			l.Balances = append(l.Balances, d)
		}
		return l
	}
	terms := protocoltest.Terms(2)
	for name, l := range map[string]protocol.Ledger{
		"the last version": ledger(protocol.MaxVersion, false), "two locks": ledger(2, false, lock(1, 10), lock(2, 10)), "closing": ledger(2, true),
	} {
		if err := l.Check(&terms); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	third := ledger(2, false)
	third.Balances = append(third.Balances, uint256.Int{})
	more := ledger(2, false)
	more.Balances[0].AddUint64(&more.Balances[0], 1)
	wide := ledger(2, false)
	wide.Balances[0].SetAllOne()
	for name, x := range map[string]struct {
		l    protocol.Ledger
		says string
	}{
		"no version":           {ledger(0, false), "version"},
		"version of 41 bits":   {ledger(protocol.MaxVersion+1, false), "version"},
		"a balance too many":   {third, "balances"},
		"closing with a lock":  {ledger(2, true, lock(1, 10)), "closing"},
		"locks out of order":   {ledger(2, false, lock(2, 10), lock(1, 10)), "ascending"},
		"a match locked twice": {ledger(2, false, lock(1, 10), lock(1, 10)), "ascending"},
		"a unit from nowhere":  {more, "sums"},
		"more than there is":   {wide, "overflow"},
	} {
		if err := x.l.Check(&terms); !errors.Is(err, protocol.ErrTerms) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := ledger(2, false)
	if terms.Deposits[0].SetAllOne(); !errors.Is(l.Check(&terms), protocol.ErrTerms) {
		t.Errorf("deposits that overflow: %v", l.Check(&terms))
	}
}
