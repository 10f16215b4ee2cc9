package message_test

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"google.golang.org/protobuf/proto"
)

// registered is a round with so many players, each with a valid registration, in ascending order.
func registered(t *testing.T, d protocol.Domain, players int) (matchmaking.Round, []matchmaking.Registration) {
	t.Helper()
	round := matchmaking.Round{House: common.Address{1}, Rules: common.Address{2}, Params: []byte{1, 2, 3}, Most: *uint256.NewInt(1000), Fewest: 2, Seats: 2, Window: 20, Closes: 100, Shuffle: 105, Study: 20, Salt: common.Hash{3}}
	var list []matchmaking.Registration
	for i := range players {
		secret, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i), byte(i >> 8)}))
		if err != nil {
			t.Fatal(err)
		}
		key := protocol.NewKey(secret)
		r := matchmaking.Registration{Player: key.Address(), Stake: *uint256.NewInt(uint64(i))}
		if r.Signature, err = key.Sign(r.Digest(d, round.ID(d))); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b matchmaking.Registration) int { return bytes.Compare(a.Player[:], b.Player[:]) })
	return round, list
}

var roundTypes = apitypes.Types{
	"EIP712Domain": typedData["EIP712Domain"],
	"Round": {{Name: "house", Type: "address"}, {Name: "rules", Type: "address"}, {Name: "params", Type: "bytes"}, {Name: "asset", Type: "address"},
		{Name: "least", Type: "uint256"}, {Name: "most", Type: "uint256"}, {Name: "fewest", Type: "uint8"}, {Name: "seats", Type: "uint8"}, {Name: "window", Type: "uint64"}, {Name: "closes", Type: "uint64"},
		{Name: "shuffle", Type: "uint64"}, {Name: "study", Type: "uint64"}, {Name: "salt", Type: "bytes32"}},
	"Registration": {{Name: "round", Type: "bytes32"}, {Name: "player", Type: "address"}, {Name: "stake", Type: "uint256"}, {Name: "referrer", Type: "address"}},
	"RoundSeal":    {{Name: "round", Type: "bytes32"}, {Name: "entries", Type: "bytes32"}},
}

// What the house and the players of a round sign is EIP-712, as wallets show it.
func TestRoundDigestsAreEIP712(t *testing.T) {
	d := protocol.Domain{ChainID: 1337, Arena: common.Address{9}}
	r, list := registered(t, d, 3)
	id := r.ID(d)
	var flat []byte
	for _, e := range list {
		stake := e.Stake.Bytes32()
		flat = append(append(append(flat, e.Player[:]...), stake[:]...), e.Referrer[:]...)
	}
	num := func(v uint64) string { return strconv.FormatUint(v, 10) }
	for _, x := range []struct {
		kind string
		got  common.Hash
		msg  map[string]any
	}{
		{"Round", id, map[string]any{"house": r.House.Hex(), "rules": r.Rules.Hex(), "params": r.Params, "asset": r.Asset.Hex(), "least": r.Least.Dec(),
			"most": r.Most.Dec(), "fewest": num(uint64(r.Fewest)), "seats": num(uint64(r.Seats)), "window": num(r.Window), "closes": num(r.Closes), "shuffle": num(r.Shuffle), "study": num(r.Study), "salt": r.Salt[:]}},
		{"Registration", list[1].Digest(d, id), map[string]any{"round": id[:], "player": list[1].Player.Hex(), "stake": list[1].Stake.Dec(), "referrer": list[1].Referrer.Hex()}},
		{"RoundSeal", matchmaking.SealDigest(d, id, list), map[string]any{"round": id[:], "entries": crypto.Keccak256(flat)}},
	} {
		want, _, err := apitypes.TypedDataAndHash(apitypes.TypedData{Types: roundTypes, PrimaryType: x.kind, Message: x.msg,
			Domain: apitypes.TypedDataDomain{Name: "Ante", Version: "1", ChainId: (*math.HexOrDecimal256)(new(big.Int).SetUint64(d.ChainID)), VerifyingContract: d.Arena.Hex()}})
		if err != nil || x.got != common.Hash(want) {
			t.Errorf("%s: %s, want %x, %v", x.kind, x.got, want, err)
		}
	}
}

// A list counts only as it was signed, in its one order, each player once and within the limits.
func TestRoundRegistrations(t *testing.T) {
	d := protocol.Domain{ChainID: 1, Arena: common.Address{9}}
	r, list := registered(t, d, 5)
	if err := errors.Join(r.Check(), r.CheckRegistrations(protocol.Authority{Domain: d}, nil, list), r.CheckRegistrations(protocol.Authority{Domain: d}, nil, nil)); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(r *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration{
		"twice": func(_ *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			return slices.Insert(l, 1, l[1])
		},
		"swapped": func(_ *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			slices.Reverse(l)
			return l
		},
		"another stake": func(_ *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			l[2].Stake.SetUint64(7)
			return l
		},
		"unsigned": func(_ *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			l[2].Signature = protocol.Signature{}
			return l
		},
		"above": func(r *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			r.Most.SetUint64(3)
			return l
		},
		"another round": func(r *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			r.Salt[0]++
			return l
		},
		"the house": func(r *matchmaking.Round, l []matchmaking.Registration) []matchmaking.Registration {
			r.House = l[0].Player
			return l
		},
	} {
		other := r
		if l := spoil(&other, slices.Clone(list)); other.CheckRegistrations(protocol.Authority{Domain: d}, nil, l) == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	for name, bad := range map[string]func(*matchmaking.Round){
		"no house": func(r *matchmaking.Round) { r.House = common.Address{} }, "no rules": func(r *matchmaking.Round) { r.Rules = common.Address{} },
		"no stake fits": func(r *matchmaking.Round) { r.Least.SetUint64(1001) }, "no window": func(r *matchmaking.Round) { r.Window = 0 },
		"shuffled when it closes": func(r *matchmaking.Round) { r.Shuffle = r.Closes }, "never": func(r *matchmaking.Round) { r.Shuffle = 1 << 60 },
		"studied for ever": func(r *matchmaking.Round) { r.Study = protocol.MaxDeadline - r.Shuffle + 1 }, "studied beyond all": func(r *matchmaking.Round) { r.Study = 1<<64 - 1 },
		"a table that is studied": func(r *matchmaking.Round) { r.Shuffle = 0 },
	} {
		other := r
		if bad(&other); other.Check() == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// TestAttack_TwoSeats: at a table sits nobody twice, nobody refers itself, and only players of the
// same table do.
func TestAttack_TwoSeats(t *testing.T) {
	d := protocol.Domain{ChainID: 1, Arena: common.Address{9}}
	shuffled, _ := registered(t, d, 0)
	table := shuffled
	table.Seats, table.Fewest, table.Shuffle, table.Study = 4, 1, 0, 0
	keys := map[common.Address]*protocol.Key{}
	var list []matchmaking.Registration
	for i := range 5 {
		secret, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i)}))
		if err != nil {
			t.Fatal(err)
		}
		key := protocol.NewKey(secret)
		keys[key.Address()] = key
		list = append(list, matchmaking.Registration{Player: key.Address(), Stake: *uint256.NewInt(5)})
	}
	slices.SortFunc(list, func(a, b matchmaking.Registration) int { return bytes.Compare(a.Player[:], b.Player[:]) })
	for name, x := range map[string]struct {
		round  matchmaking.Round
		change func(l []matchmaking.Registration) []matchmaking.Registration
		ok     bool
	}{
		"as it should be": {table, func(l []matchmaking.Registration) []matchmaking.Registration {
			l[0].Referrer, l[1].Referrer = l[2].Player, l[2].Player
			return l[:4]
		}, true},
		"twice": {table, func(l []matchmaking.Registration) []matchmaking.Registration {
			return []matchmaking.Registration{l[0], l[0], l[1]}
		}, false},
		"too many": {table, func(l []matchmaking.Registration) []matchmaking.Registration { return l }, false},
		"itself": {table, func(l []matchmaking.Registration) []matchmaking.Registration {
			l[0].Referrer = l[0].Player
			return l[:4]
		}, false},
		"the house": {table, func(l []matchmaking.Registration) []matchmaking.Registration {
			l[0].Referrer = table.House
			return l[:4]
		}, false},
		"a stranger": {table, func(l []matchmaking.Registration) []matchmaking.Registration {
			l[0].Referrer = l[4].Player
			return l[:4]
		}, false},
		"not at a table": {shuffled, func(l []matchmaking.Registration) []matchmaking.Registration {
			l[0].Referrer = l[1].Player
			return l[:4]
		}, false},
	} {
		l := x.change(slices.Clone(list))
		for i := range l {
			var err error
			if l[i].Signature, err = keys[l[i].Player].Sign(l[i].Digest(d, x.round.ID(d))); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.round.CheckRegistrations(protocol.Authority{Domain: d}, nil, l); (err == nil) != x.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string]func(*matchmaking.Round){
		"nobody": func(r *matchmaking.Round) { r.Fewest = 0 }, "fewer than the fewest": func(r *matchmaking.Round) { r.Seats = r.Fewest - 1 },
		"more than there are seats for": func(r *matchmaking.Round) { r.Seats = matchmaking.MaxGroup + 1 }, "never": func(r *matchmaking.Round) { r.Closes = 1 << 60 },
	} {
		other := table
		if bad(&other); table.Check() != nil || other.Check() == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// The shuffle keeps everybody, and depends on the block, the round and the whole list; over many
// blocks each is paired with each about equally often.
func TestRoundShuffle(t *testing.T) {
	d := protocol.Domain{ChainID: 1, Arena: common.Address{9}}
	r, list := registered(t, d, 5)
	random := rand.New(rand.NewPCG(3, 4))
	met, odd := map[[2]common.Address]int{}, map[common.Address]int{}
	const draws = 10_000
	for range draws {
		got := matchmaking.Shuffle(r.ID(d), common.Hash(randomBytes(random, 32)), list)
		for i := 0; i+1 < len(got); i += 2 {
			met[[2]common.Address{got[i].Player, got[i+1].Player}]++
		}
		odd[got[4].Player]++
		slices.SortFunc(got, func(a, b matchmaking.Registration) int { return bytes.Compare(a.Player[:], b.Player[:]) })
		if !slices.Equal(got, list) {
			t.Fatal("somebody is lost")
		}
	}
	for pair, n := range met { // 20 ordered pairs, two of them each time
		if n < 850 || n > 1150 {
			t.Errorf("%v met %d times of %d, want about 1000", pair, n, draws)
		}
	}
	for player, n := range odd {
		if n < 1800 || n > 2200 {
			t.Errorf("%s was left over %d times of %d", player, n, draws)
		}
	}
	if len(met) != 20 || len(odd) != 5 {
		t.Errorf("%d pairs, %d odd ones", len(met), len(odd))
	}
	changed := slices.Clone(list)
	changed[0].Stake.SetUint64(999)
	one, other := matchmaking.Shuffle(r.ID(d), common.Hash{7}, list), matchmaking.Shuffle(r.ID(d), common.Hash{7}, changed)
	same := slices.EqualFunc(one, other, func(a, b matchmaking.Registration) bool { return a.Player == b.Player })
	if third := matchmaking.Shuffle(common.Hash{}, common.Hash{7}, list); same && slices.Equal(one, third) {
		t.Error("neither list nor round changes the draw")
	}
}

// Messages of a round come back as they were sent; what is malformed is refused.
func TestRoundMessages(t *testing.T) {
	d := protocol.Domain{ChainID: 1, Arena: common.Address{9}}
	r, list := registered(t, d, matchmaking.MaxRegistrations)
	reach := slices.Repeat([]string{"/ip4/127.0.0.1/tcp/1"}, message.MaxPeerAddresses)
	notice := message.RoundNotice{Round: r, Signature: list[0].Signature, Entries: list, Seal: list[1].Signature, Refusal: "late",
		Peers: []message.Peer{{Account: list[0].Player, Addresses: reach}}}
	for _, m := range []message.Message{message.RoundQuery{}, message.RoundEnd{}, message.RoundJoin{RoundID: common.Hash{1}, Entry: list[0], Addresses: reach}, notice} {
		e := message.Envelope(common.Hash{}, m)
		if size := proto.Size(e); size > 64<<10 {
			t.Errorf("%T has %d bytes", m, size)
		}
		if _, back, err := message.FromEnvelope(e); err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("%T is read back as %+v, %v", m, back, err)
		}
		e.ChannelId = make([]byte, 32)
		if _, _, err := message.FromEnvelope(e); !errors.Is(err, encoding.ErrMessage) {
			t.Errorf("%T in a channel: %v", m, err)
		}
	}
	for name, spoil := range map[string]func(*antev1.RoundNotice){
		"no round": func(m *antev1.RoundNotice) { m.Round = nil }, "no signature": func(m *antev1.RoundNotice) { m.Signature = nil },
		"many": func(m *antev1.RoundNotice) { m.Entries = append(m.Entries, m.Entries[0]) }, "nil entry": func(m *antev1.RoundNotice) { m.Entries[3] = nil },
		"short salt": func(m *antev1.RoundNotice) { m.Round.Salt = m.Round.Salt[1:] }, "bad seal": func(m *antev1.RoundNotice) { m.Seal = m.Seal[1:] },
		"long text": func(m *antev1.RoundNotice) { m.Refusal = string(make([]byte, protocol.MaxText+1)) },
		"nil peer":  func(m *antev1.RoundNotice) { m.Peers = []*antev1.RoundPeer{nil} },
	} {
		e := proto.Clone(message.Envelope(common.Hash{}, notice)).(*antev1.Envelope)
		spoil(e.GetRoundNotice())
		if _, _, err := message.FromEnvelope(e); !errors.Is(err, encoding.ErrMessage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, e := range []*antev1.Envelope{{Body: &antev1.Envelope_RoundJoin{}}, {Body: &antev1.Envelope_RoundNotice{}}, {Body: &antev1.Envelope_RoundJoin{RoundJoin: &antev1.RoundJoin{}}}} {
		if _, _, err := message.FromEnvelope(e); !errors.Is(err, encoding.ErrMessage) {
			t.Errorf("%v: %v", e, err)
		}
	}
}

// TestRegistrationsAreCheckedOnce: a list that grows costs the signatures that are new; one that
// was changed anywhere is checked.
func TestRegistrationsAreCheckedOnce(t *testing.T) {
	d := protocol.Domain{ChainID: 1, Arena: common.Address{1}}
	r := matchmaking.Round{House: common.Address{1}, Rules: common.Address{2}, Most: *uint256.NewInt(9), Fewest: 2, Seats: 2, Window: 9, Closes: 3, Shuffle: 9}
	entry := func(name string) matchmaking.Registration {
		key := protocoltest.Key(name)
		e := matchmaking.Registration{Player: key.Address(), Stake: *uint256.NewInt(5)}
		var err error
		if e.Signature, err = key.Sign(e.Digest(d, r.ID(d))); err != nil {
			t.Fatal(err)
		}
		return e
	}
	known := []matchmaking.Registration{entry("first")}
	list := append(slices.Clone(known), entry("second"))
	slices.SortFunc(list, func(a, b matchmaking.Registration) int { return a.Player.Cmp(b.Player) })
	if n := matchmaking.Unchecked(known, list); n != 1 {
		t.Errorf("%d entries are new", n)
	}
	if err := r.CheckRegistrations(protocol.Authority{Domain: d}, known, list); err != nil {
		t.Error(err)
	}
	forged := slices.Clone(list)
	for i := range forged {
		forged[i].Signature[5]++
	}
	if err := r.CheckRegistrations(protocol.Authority{Domain: d}, forged, forged); err != nil {
		t.Errorf("what was checked is checked again: %v", err)
	}
	for name, change := range map[string]func(*matchmaking.Registration){
		"stake":     func(e *matchmaking.Registration) { e.Stake.SetUint64(6) },
		"signature": func(e *matchmaking.Registration) { e.Signature[5]++ },
		"deputy":    func(e *matchmaking.Registration) { e.Deputy = &protocol.SignedDeputy{} },
	} {
		changed := slices.Clone(known)
		change(&changed[0])
		if r.CheckRegistrations(protocol.Authority{Domain: d}, known, changed) == nil || matchmaking.Unchecked(known, changed) != 1 {
			t.Errorf("another %s is not checked", name)
		}
	}
}

// What a round takes is signed by its player, and within what the house offers.
func TestRegistrationsRefuse(t *testing.T) {
	house, player := protocoltest.Key("house"), protocoltest.Key("player")
	a := protocol.Authority{Domain: inviteDomain}
	r := matchmaking.Round{House: house.Address(), Rules: common.Address{0x70}, Least: *uint256.NewInt(10), Most: *uint256.NewInt(20), Fewest: 1,
		Seats: matchmaking.MaxGroup, Window: protocol.MaxDeadline, Closes: 5, Shuffle: 6}
	if err := r.Check(); err != nil {
		t.Fatalf("the longest window and the largest group: %v", err)
	}
	wide := r
	if wide.Window++; !errors.Is(wide.Check(), protocol.ErrTerms) {
		t.Error("a longer window than the Arena can hold is taken")
	}
	entry := func(key *protocol.Key, as common.Address, stake uint64) matchmaking.Registration {
		e := matchmaking.Registration{Player: as, Stake: *uint256.NewInt(stake)}
		sig, err := key.Sign(e.Digest(a.Domain, r.ID(a.Domain)))
		if err != nil {
			t.Fatal(err)
		}
		e.Signature = sig
		return e
	}
	for _, x := range []struct {
		name string
		e    matchmaking.Registration
		want error
	}{
		{"the least stake", entry(player, player.Address(), 10), nil},
		{"the largest stake", entry(player, player.Address(), 20), nil},
		{"too small a stake", entry(player, player.Address(), 9), protocol.ErrTerms},
		{"too large a stake", entry(player, player.Address(), 21), protocol.ErrTerms},
		{"the house", entry(house, house.Address(), 10), protocol.ErrTerms},
		{"nobody", entry(player, common.Address{}, 10), protocol.ErrTerms},
		{"somebody else", entry(player, common.Address{5}, 10), protocol.ErrSignature},
	} {
		if err := r.CheckRegistration(a, &x.e); !errors.Is(err, x.want) {
			t.Errorf("%s: %v, want %v", x.name, err, x.want)
		}
		if err := r.CheckRegistrations(a, nil, []matchmaking.Registration{x.e}); !errors.Is(err, x.want) {
			t.Errorf("%s in a list: %v, want %v", x.name, err, x.want)
		}
	}
}
