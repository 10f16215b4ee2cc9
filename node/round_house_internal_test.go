package node

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// entry is a registration for nothing, signed by its player as it is then.
func entry(t testing.TB, n *Node, round common.Hash, player byte, change func(*matchmaking.Registration)) matchmaking.Registration {
	t.Helper()
	e := bets(playerKey(t, player).Address(), 0)
	if change != nil {
		change(&e)
	}
	e.Signature = sign(t, player, e.Digest(n.domain, round))
	return e
}

// TestRegistrationsThatAHouseTakes: a house takes a registration of whoever sends it, for its own
// round, while it is open and has room, for a stake that its player has. All players are told of
// it; a refusal only who is refused.
func TestRegistrationsThatAHouseTakes(t *testing.T) {
	t.Parallel()
	arena := Join(t, nil).drive.Arena
	carol := playerKey(t, 3).Address()
	for name, c := range map[string]struct {
		round  func(*Round)
		join   func(*message.RoundJoin)
		entry  func(*matchmaking.Registration)
		block  uint64
		known  bool // bob is registered
		spent  bool // all that bob may do
		want   error
		listed int // how many are, then
		told   int // how many notices bob gets
	}{
		"as it should be":        {block: 99, listed: 2, told: 1},
		"when it is over":        {block: 100, want: ErrDeclined, listed: 1, told: 1},
		"when it is sealed":      {round: func(r *Round) { r.Seal = sign(t, 1, common.Hash{}) }, want: ErrDeclined, listed: 1, told: 1},
		"for the last place":     {round: func(r *Round) { r.Terms.Seats = 2 }, listed: 2, told: 1},
		"when it is full":        {round: func(r *Round) { r.Terms.Fewest, r.Terms.Seats = 1, 1 }, want: ErrDeclined, listed: 1, told: 1},
		"referred by a player":   {entry: func(e *matchmaking.Registration) { e.Referrer = carol }, listed: 2, told: 1},
		"referred by a stranger": {entry: func(e *matchmaking.Registration) { e.Referrer = common.Address{9} }, want: ErrDeclined, listed: 1, told: 1},
		"for more than he has":   {entry: func(e *matchmaking.Registration) { e.Stake.SetUint64(1) }, want: ErrDeclined, listed: 1, told: 1},
		"for too much":           {entry: func(e *matchmaking.Registration) { e.Stake.SetUint64(1001) }, want: protocol.ErrTerms, listed: 1},
		"again":                  {known: true, listed: 2, told: 1},
		"of somebody else":       {join: func(m *message.RoundJoin) { m.Entry.Player = common.Address{9} }, want: ErrUnknownRound, listed: 1},
		"of another house's":     {round: func(r *Round) { r.Terms.House = carol }, want: ErrUnknownRound, listed: 1},
		"of another round":       {join: func(m *message.RoundJoin) { m.RoundID = common.Hash{1} }, want: ErrUnknownRound, listed: 1},
		"signed by nobody":       {join: func(m *message.RoundJoin) { m.Entry.Signature = protocol.Signature{} }, want: protocol.ErrSignature, listed: 1},
		"once too often":         {spent: true, want: ErrBusy, listed: 1},
	} {
		l := newLab(t)
		n := l.node(nil)
		n.drive.Arena = arena
		bob, other := l.guest(n, 2), l.guest(n, 3)
		r := tableBy(t, n, n.Account())
		if c.round != nil {
			c.round(&r)
		}
		r.ID = r.Terms.ID(n.domain)
		r.Signature = sign(t, 1, r.ID)
		r.Entries = append(r.Entries, entry(t, n, r.ID, 3, nil))
		if c.known {
			r.Entries = append(r.Entries, entry(t, n, r.ID, 2, nil))
			slices.SortFunc(r.Entries, func(a, b matchmaking.Registration) int { return a.Player.Cmp(b.Player) })
		}
		l.putRound(n, &r)
		m := message.RoundJoin{RoundID: r.ID, Entry: entry(t, n, r.ID, 2, c.entry), Addresses: []string{"there"}}
		if c.join != nil {
			c.join(&m)
		}
		n.head.block.Number = c.block
		if c.spent {
			l.must(n.charge(n.budgets.registrations, bob.Address(), registrationLimit.Account.Burst))
		}
		if err := n.receiveJoin(bob.Address(), m); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		now, err := n.Round(r.ID)
		l.must(err)
		taken := len(now.Entries) > len(r.Entries)
		if len(now.Entries) != c.listed || !slices.IsSortedFunc(now.Entries, func(a, b matchmaking.Registration) int { return a.Player.Cmp(b.Player) }) {
			t.Errorf("%s: %d are listed", name, len(now.Entries))
		}
		if taken && (len(now.Reach) != 1 || now.Reach[0].Account != bob.Address() || !slices.Equal(now.Reach[0].Addresses, m.Addresses)) {
			t.Errorf("%s: players are reached at %v", name, now.Reach)
		}
		heard := bob.told()
		if taken { // it was sent twice, and this is the other one
			err := n.enter(&r, m)
			if again, failed := n.Round(r.ID); err != nil || failed != nil || len(again.Entries) != c.listed {
				t.Errorf("%s, twice at once: %d are listed, %v, %v", name, len(again.Entries), err, failed)
			}
		}
		if len(heard) != c.told || (len(other.told()) == 1) != taken {
			t.Errorf("%s: told %v", name, heard)
		}
		for _, m := range heard {
			if notice := m.(message.RoundNotice); len(notice.Entries) != c.listed || (notice.Refusal != "") != (c.want != nil) {
				t.Errorf("%s: told of %d players, refused %q", name, len(notice.Entries), notice.Refusal)
			}
		}
	}
}

// TestHousesSealTheirLists: when registration is over, or the table full, the house signs the list
// and tells all players. Of pairs that comes too late once the block that shuffles them can be
// known.
func TestHousesSealTheirLists(t *testing.T) {
	t.Parallel()
	const away = "the house was away when it had to seal the list"
	for name, c := range map[string]struct {
		table          bool
		seats          uint8
		block          uint64
		sealed, before bool
		trouble        string
	}{
		"open pairs":       {block: 99},
		"pairs":            {block: 100, sealed: true},
		"pairs, just":      {block: 109, sealed: true},
		"pairs, too late":  {block: 110, sealed: true, trouble: away},
		"an open table":    {table: true, seats: 3, block: 99},
		"a full table":     {table: true, seats: 2, block: 99, sealed: true},
		"a table":          {table: true, seats: 3, block: 100, sealed: true},
		"what is sealed":   {block: 100, before: true},
		"a seated table":   {table: true, seats: 2, block: 100, before: true},
		"a table, by then": {table: true, seats: 3, block: 200, sealed: true},
	} {
		l := newLab(t)
		n := l.node(nil)
		bob, carol := l.guest(n, 2), l.guest(n, 3)
		r := pairsBy(t, n, n.Account())
		if c.table {
			r = tableBy(t, n, n.Account())
			r.Terms.Seats = c.seats
			r.ID = r.Terms.ID(n.domain)
		}
		r.Signature, r.Entries = sign(t, 1, r.ID), []matchmaking.Registration{signedBets(t, n, r.ID, 2), signedBets(t, n, r.ID, 3)}
		if c.before {
			r.Seal = sign(t, 1, common.Hash{})
		}
		l.putRound(n, &r)
		n.head.block.Number = c.block
		n.drive.Facts.At(&chain.Reach{Highest: c.block})
		l.must(n.tendHouse(t.Context(), &r))
		now, err := n.Round(r.ID)
		l.must(err)
		digest := matchmaking.SealDigest(n.domain, r.ID, r.Entries)
		if now.Trouble != c.trouble || c.sealed != (now.Seal.Verify(digest, n.Account()) == nil) || !c.sealed && now.Seal != r.Seal {
			t.Errorf("%s: sealed by %x, %q", name, now.Seal, now.Trouble)
		}
		if seated := len(now.Groups) == 1 && len(now.Groups[0].Players) == 2; seated != (c.table && c.sealed) {
			t.Errorf("%s: %d groups", name, len(now.Groups))
		}
		for _, g := range []*guest{bob, carol} {
			heard := g.told()
			if (len(heard) == 1) != c.sealed || c.sealed && heard[0].(message.RoundNotice).Seal != now.Seal {
				t.Errorf("%s: a player is told %v", name, heard)
			}
		}
	}
}

// TestAttack_LateSeal_House: one of a house's two endpoints hides the newest blocks, so that the
// house still registers players when others know what shuffles them. It seals, and plays nothing.
func TestAttack_LateSeal_House(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	for highest, late := range map[uint64]bool{109: false, 110: true} {
		r := pairsBy(t, n, n.Account())
		l.putRound(n, &r)
		n.head.block.Number = r.Terms.Closes
		n.drive.Facts.At(&chain.Reach{Highest: highest})
		l.must(n.sealRound(r.ID))
		if now, err := n.Round(r.ID); err != nil || (now.Trouble != "") != late {
			t.Errorf("at block %d: %q, %v", highest, now.Trouble, err)
		}
	}
}

// elsewhere is an owner whose key is not here.
type elsewhere struct {
	Owner
	at common.Address
}

func (o elsewhere) Address() common.Address { return o.at }

// TestRoundsThatAHouseOpens: a house opens rounds that close later, in windows that the Arena
// takes, and signs them; an owner elsewhere can't.
func TestRoundsThatAHouseOpens(t *testing.T) {
	t.Parallel()
	arena := Join(t, nil).drive.Arena
	least, most := arena.Windows()
	for name, c := range map[string]struct {
		closes, window uint64
		owned          bool
		want           error
	}{
		"as they should be": {101, 20, false, nil},
		"over already":      {100, 20, false, protocol.ErrTerms},
		"as fast as may be": {101, least, false, nil},
		"too fast":          {101, least - 1, false, protocol.ErrTerms},
		"as slow as may be": {101, most, false, nil},
		"too slow":          {101, most + 1, false, protocol.ErrTerms},
		"by an owner":       {101, 20, true, ErrDeclined},
	} {
		l := newLab(t)
		n := l.node(func(config *Config) {
			if c.owned {
				config.Owner = elsewhere{at: playerKey(t, 9).Address()}
			}
		})
		n.drive.Arena, n.head.block.Number = arena, 100
		id, err := n.OpenRound(RoundRequest{Game: splitsteal.Name, Least: *uint256.NewInt(1), Most: *uint256.NewInt(9), Window: c.window, Closes: c.closes, Shuffle: 110})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		list, failed := n.Rounds()
		l.must(failed)
		if (len(list) == 1) != (err == nil) {
			t.Errorf("%s: %d rounds", name, len(list))
		}
		for _, r := range list {
			if r.ID != id || r.ID != r.Terms.ID(n.domain) || r.Game != splitsteal.Name || r.Signature.Verify(id, n.Account()) != nil {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}
