package lobby_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

const now = 1000

var domain = protocol.Domain{ChainID: 7, Arena: common.Address{7}}

func key(t *testing.T, n int) *protocol.Key {
	t.Helper()
	k, err := crypto.ToECDSA(common.LeftPadBytes([]byte{1, byte(n >> 8), byte(n)}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return protocol.NewKey(k)
}

func invite(t *testing.T, k *protocol.Key, salt int, change func(*matchmaking.Invite)) matchmaking.SignedInvite {
	t.Helper()
	i := matchmaking.SignedInvite{Invite: matchmaking.Invite{Player: k.Address(), Rules: common.Address{1}, Most: *uint256.NewInt(5), Window: 20,
		Expiry: now + 100, Salt: common.BigToHash(uint256.NewInt(uint64(salt)).ToBig())}}
	if change != nil {
		change(&i.Invite)
	}
	var err error
	if i.Signature, err = k.Sign(i.ID(domain)); err != nil {
		t.Fatal(err)
	}
	return i
}

// at is who checks signatures at a time.
func at(now uint64) protocol.Authority { return protocol.Authority{Domain: domain, Now: now} }

func post(t *testing.T, b *lobby.Board, i matchmaking.SignedInvite) {
	t.Helper()
	if err := b.Post(i.Player, false, i, at(now)); err != nil {
		t.Fatal(err)
	}
}

// read returns the ids that an account sees, page by page.
func read(t *testing.T, b *lobby.Board, asker common.Address, q message.ListInvites, at uint64) (ids []common.Hash) {
	t.Helper()
	for {
		page := b.Page(asker, q, at)
		if page.More && len(page.Invites) != message.MaxPage {
			t.Fatalf("a page of %d, and more", len(page.Invites))
		}
		for i := range page.Invites {
			ids = append(ids, page.Invites[i].ID(domain))
		}
		if !page.More {
			return ids
		}
		q.After = ids[len(ids)-1]
	}
}

func TestPages(t *testing.T) {
	b := lobby.Sized(domain, 100, 1024)
	alice, bob := key(t, 1), key(t, 2)
	for i := range 50 {
		in := invite(t, alice, i, func(in *matchmaking.Invite) {
			in.Rules[1], in.Asset[0] = byte(i%2), byte(i%5)
			if i%10 == 0 {
				in.Guests = []common.Address{bob.Address()}
			}
			if i == 49 {
				in.Expiry = now + 1
			}
		})
		post(t, b, in)
		post(t, b, in) // again
	}
	eth, game := common.Address{}, common.Address{1, 1}
	for name, c := range map[string]struct {
		asker common.Address
		query message.ListInvites
		at    uint64
		want  int
	}{
		"a guest":       {bob.Address(), message.ListInvites{}, now, 50},
		"somebody else": {common.Address{9}, message.ListInvites{}, now, 45},
		"the player":    {alice.Address(), message.ListInvites{}, now, 0},
		"one game":      {bob.Address(), message.ListInvites{Rules: game}, now, 25},
		"one asset":     {bob.Address(), message.ListInvites{Asset: &eth}, now, 10},
		"both":          {bob.Address(), message.ListInvites{Rules: game, Asset: &eth}, now, 5},
		"a second on":   {bob.Address(), message.ListInvites{}, now + 1, 49},
	} {
		seen := map[common.Hash]bool{}
		ids := read(t, b, c.asker, c.query, c.at)
		for _, id := range ids {
			seen[id] = true
		}
		if len(ids) != c.want || len(seen) != c.want {
			t.Errorf("%s sees %d invites (%d different), want %d", name, len(ids), len(seen), c.want)
		}
	}
}

func TestWithdrawAndLeave(t *testing.T) {
	b := lobby.NewBoard(domain)
	alice, bob := key(t, 1), key(t, 2)
	first, second, third := invite(t, alice, 1, nil), invite(t, alice, 2, nil), invite(t, bob, 3, nil)
	for _, i := range []matchmaking.SignedInvite{first, second, third} {
		post(t, b, i)
	}
	b.Withdraw(bob.Address(), first.ID(domain)) // which is not bob's
	if got := len(read(t, b, common.Address{9}, message.ListInvites{}, now)); got != 3 {
		t.Errorf("%d are shown after a stranger withdrew one", got)
	}
	b.Withdraw(alice.Address(), first.ID(domain))
	b.Leave(bob.Address())
	if got := len(read(t, b, common.Address{9}, message.ListInvites{}, now)); got != 2 {
		t.Errorf("%d are shown while bob is away", got)
	}
	b.Return(alice.Address()) // who was there all the time
	b.Return(bob.Address())
	if got := read(t, b, common.Address{9}, message.ListInvites{}, now); len(got) != 1 || got[0] != second.ID(domain) {
		t.Errorf("%v are shown", got)
	}
}

// TestWithdrawals: what is withdrawn leaves the others to be withdrawn, and what is not shown can't
// be.
func TestWithdrawals(t *testing.T) {
	b := lobby.NewBoard(domain)
	alice, anybody := key(t, 1), common.Address{9}
	post(t, b, invite(t, alice, 1, nil))
	post(t, b, invite(t, alice, 2, nil))
	ids := read(t, b, anybody, message.ListInvites{}, now)
	for _, unknown := range []common.Hash{{}, common.MaxHash} {
		b.Withdraw(alice.Address(), unknown)
	}
	if got := read(t, b, anybody, message.ListInvites{}, now); len(got) != 2 {
		t.Fatalf("%v are shown", got)
	}
	for _, id := range ids {
		b.Withdraw(alice.Address(), id)
	}
	if got := read(t, b, anybody, message.ListInvites{}, now); len(got) != 0 {
		t.Errorf("%v are shown", got)
	}
}

// appointed is an invite that a deputy signed, whose appointment is for the player's contract
// wallet to check.
func appointed(t *testing.T, wallet common.Address, salt int) matchmaking.SignedInvite {
	t.Helper()
	deputy := key(t, 7)
	i := invite(t, deputy, salt, func(i *matchmaking.Invite) { i.Player = wallet })
	i.Deputy = &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: wallet, Key: deputy.Address(), Expiry: now + 1000}, Signature: []byte{1}}
	return i
}

// TestPostedMeanwhile: a place counts as taken by what was shown while a signature was checked, and
// no signature is checked where there is no place, for that may cost a call of the chain.
func TestPostedMeanwhile(t *testing.T) {
	wallet := common.Address{0xca}
	for name, c := range map[string]struct {
		meanwhile matchmaking.SignedInvite
		refused   bool
	}{
		"the same": {appointed(t, wallet, 1), false},
		"another":  {appointed(t, wallet, 2), true},
	} {
		b := lobby.Sized(domain, 1, 1024)
		asked := 0
		a := protocol.Authority{Domain: domain, Now: now}
		a.Wallets = func(common.Address, common.Hash, []byte) error {
			if asked++; asked > 1 {
				return nil
			}
			return b.Post(wallet, false, c.meanwhile, a)
		}
		if err := b.Post(wallet, false, appointed(t, wallet, 1), a); errors.Is(err, lobby.ErrRefused) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
		if page := b.Page(common.Address{9}, message.ListInvites{}, now); len(page.Invites) != 1 || page.Invites[0].Salt != c.meanwhile.Salt {
			t.Errorf("%s: shown: %+v", name, page.Invites)
		}
		before := asked
		if err := b.Post(wallet, false, appointed(t, wallet, 3), a); !errors.Is(err, lobby.ErrRefused) || asked != before {
			t.Errorf("%s: where there is no place: %v, and the wallet is asked %d times", name, err, asked-before)
		}
	}
}

// TestAttack_LobbyForgery: a lobby takes only what its player signed for this Arena, and only from
// the player.
func TestAttack_LobbyForgery(t *testing.T) {
	b := lobby.NewBoard(domain)
	alice := key(t, 1)
	for name, change := range map[string]func(*matchmaking.SignedInvite) common.Address{
		"of another account": func(*matchmaking.SignedInvite) common.Address { return common.Address{9} },
		"changed":            func(i *matchmaking.SignedInvite) common.Address { i.Most.SetUint64(6); return i.Player },
		"expired": func(i *matchmaking.SignedInvite) common.Address {
			*i = invite(t, alice, 1, func(i *matchmaking.Invite) { i.Expiry = now })
			return i.Player
		},
		"for ever": func(i *matchmaking.SignedInvite) common.Address {
			*i = invite(t, alice, 1, func(i *matchmaking.Invite) { i.Expiry = 1 << 62 })
			return i.Player
		},
		"of another Arena": func(i *matchmaking.SignedInvite) common.Address {
			i.Signature, _ = alice.Sign(i.ID(protocol.Domain{ChainID: 7}))
			return i.Player
		},
	} {
		i := invite(t, alice, 1, nil)
		if err := b.Post(change(&i), false, i, at(now)); !errors.Is(err, lobby.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAttack_LobbyFlood: one account has few places, and all of them have a bounded number.
func TestAttack_LobbyFlood(t *testing.T) {
	b := lobby.Sized(domain, 3, 10)
	shown := 0
	for n := range 6 {
		for i := range 5 {
			in := invite(t, key(t, n), i, nil)
			if err := b.Post(in.Player, false, in, at(now)); err == nil {
				shown++
			} else if !errors.Is(err, lobby.ErrRefused) {
				t.Fatal(err)
			}
		}
		if n == 0 && shown != 3 {
			t.Errorf("one account has %d places", shown)
		}
	}
	if shown != 10 {
		t.Errorf("%d places are taken", shown)
	}
	late := invite(t, key(t, 9), 0, func(i *matchmaking.Invite) { i.Expiry = now + 300 })
	if err := b.Post(late.Player, false, late, at(now+100)); err != nil {
		t.Errorf("expired invites keep their places: %v", err)
	}
}

// TestLife: an invite may stand for just as long as the board shows it.
func TestLife(t *testing.T) {
	b := lobby.NewBoard(domain)
	post(t, b, invite(t, key(t, 1), 1, func(i *matchmaking.Invite) { i.Expiry = now + lobby.Life + lobby.Skew }))
}

// TestShownAgain: what is shown stays as it is, whatever signature comes with it the next time.
func TestShownAgain(t *testing.T) {
	b := lobby.NewBoard(domain)
	i := invite(t, key(t, 1), 1, nil)
	post(t, b, i)
	again := i
	again.Signature[3]++
	post(t, b, again)
	if page := b.Page(common.Address{9}, message.ListInvites{}, now); len(page.Invites) != 1 || page.Invites[0].Signature != i.Signature {
		t.Errorf("shown: %+v", page.Invites)
	}
}

// TestPostedAgain: who posts an invite again before its return is noted keeps it shown.
func TestPostedAgain(t *testing.T) {
	b := lobby.NewBoard(domain)
	bob := key(t, 2)
	post(t, b, invite(t, bob, 1, nil))
	post(t, b, invite(t, bob, 2, nil))
	b.Leave(bob.Address())
	post(t, b, invite(t, bob, 1, nil))
	b.Return(bob.Address())
	if page := b.Page(common.Address{9}, message.ListInvites{}, now); len(page.Invites) != 1 || page.Invites[0].Salt != invite(t, bob, 1, nil).Salt {
		t.Errorf("shown: %+v", page.Invites)
	}
}

// TestAttack_LobbyGhosts: accounts that post and leave keep nobody off the board: their invites
// yield one by one, the first to leave first, and those of players who are there don't.
func TestAttack_LobbyGhosts(t *testing.T) {
	b := lobby.Sized(domain, 8, 4)
	shown := func(n int) bool {
		in := invite(t, key(t, n), 0, nil)
		return slices.Contains(read(t, b, common.Address{9}, message.ListInvites{}, now), in.ID(domain))
	}
	friend := invite(t, key(t, 100), 0, nil)
	if err := b.Post(friend.Player, true, friend, at(now)); err != nil {
		t.Fatal(err)
	}
	b.Leave(friend.Player)
	for n := range 4 { // 0 stays
		post(t, b, invite(t, key(t, n), 0, nil))
	}
	for _, n := range []int{2, 1, 3} {
		b.Leave(key(t, n).Address())
	}
	for n, gone := range []int{2, 1, 3} {
		forged := invite(t, key(t, 10+n), 0, nil)
		forged.Signature[3]++
		if err := b.Post(forged.Player, false, forged, at(now)); !errors.Is(err, lobby.ErrRefused) || !shown(gone) {
			t.Errorf("an invite that its player did not sign displaces another: %v", err)
		}
		post(t, b, invite(t, key(t, 10+n), 0, nil))
		if shown(gone) || !shown(0) || !shown(100) || !shown(10+n) {
			t.Errorf("after %d more of who left %d is shown: %t", n+1, gone, shown(gone))
		}
	}
	late := invite(t, key(t, 20), 0, nil)
	if err := b.Post(late.Player, false, late, at(now)); !errors.Is(err, lobby.ErrRefused) || !shown(0) {
		t.Errorf("of a board full of who is there: %v", err)
	}
}

// TestReturnKeepsTheOrder: pages go on where they ended while others go.
func TestReturnKeepsTheOrder(t *testing.T) {
	b := lobby.NewBoard(domain)
	alice, bob := key(t, 1), key(t, 2)
	for n := range 8 {
		post(t, b, invite(t, bob, n, nil))
	}
	post(t, b, invite(t, alice, 1, nil))
	post(t, b, invite(t, alice, 2, nil))
	b.Leave(bob.Address())
	b.Return(bob.Address())
	ids := read(t, b, common.Address{9}, message.ListInvites{}, now)
	if rest := read(t, b, common.Address{9}, message.ListInvites{After: ids[0]}, now); len(ids) != 2 || len(rest) != 1 || rest[0] != ids[1] {
		t.Errorf("after the first of %v come %v", ids, rest)
	}
}
