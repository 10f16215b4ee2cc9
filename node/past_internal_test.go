package node

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestLetGo: a channel that is paid out is let go once; then it takes nothing more in, and its
// peers may still sign results.
func TestLetGo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	s := l.session(alice, id)
	over := alice.over.Load()
	for range 2 {
		l.must(alice.letGo(s))
	}
	if got := alice.over.Load() - over; got != 1 {
		t.Errorf("it is over %d times", got)
	}
	s.mu.Lock()
	stepped, wished := s.stepLocked(along{}, channel.CloseChannel{}), s.instruct(func(*instructions) {})
	s.mu.Unlock()
	if !errors.Is(stepped, ErrEnded) || !errors.Is(wished, ErrEnded) {
		t.Errorf("a step: %v, a wish: %v", stepped, wished)
	}
	if again, err := alice.found(s.terms, 0); again != nil || !errors.Is(err, ErrEnded) {
		t.Errorf("founded again: %v", err)
	}
	if _, err := alice.member(common.Hash{1}); !errors.Is(err, ErrUnknownChannel) {
		t.Errorf("member of a channel that never was: %v", err)
	}
	for name, c := range map[string]struct {
		from common.Address
		want error
	}{"its peer": {bob.Account(), nil}, "a stranger": {common.Address{9}, ErrUnknownChannel}, "itself": {alice.Account(), ErrUnknownChannel}} {
		if err := alice.late(c.from, id, message.ResultSignature{MatchID: common.Hash{1}}); !errors.Is(err, c.want) {
			t.Errorf("a result by %s: %v", name, err)
		}
	}
}

// TestAttack_LoudArena_LetGo: the Arena said more of a channel than a store takes at once, because
// a peer posted much in it. It is let go all the same, and nothing of it is lost.
func TestAttack_LoudArena_LetGo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	const logs, long = 12, 1 << 20
	for i := range logs {
		l.must(alice.config.Store.Commit(map[string][]byte{fmt.Sprintf("%slog/%d", s.prefix(), i): make([]byte, long)}))
	}
	l.must(alice.letGo(s))
	size := 0
	l.must(alice.config.Store.Scan(pastPrefix, "", func(_ string, value []byte) error { size += len(value); return nil }))
	l.must(alice.config.Store.Scan(channelPrefix, "", func(key string, _ []byte) error { return errors.New(key + " is left") }))
	if size < logs*long {
		t.Errorf("%d bytes are kept", size)
	}
}

// TestAttack_LoudArena_LetGoOften: the Arena said so often something of a channel that the names
// alone are more than a store takes at once. It is let go, and forgotten, all the same.
func TestAttack_LoudArena_LetGoOften(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	changes := map[string][]byte{}
	for i := 0; i*(len(s.prefix())+90) < store.MaxCommit*3/2; i++ {
		changes[fmt.Sprintf("%slog/%090d", s.prefix(), i)] = []byte{1}
		if len(changes) == 1<<13 {
			l.must(alice.config.Store.Commit(changes))
			changes = map[string][]byte{}
		}
	}
	l.must(alice.letGo(s))
	none := func(key string, _ []byte) error { return errors.New(key + " is left") }
	l.must(alice.config.Store.Scan(channelPrefix, "", none))
	if c, err := alice.pastChannel(s.id); c == nil || err != nil {
		t.Errorf("it is not over: %v", err)
	}
	l.must(alice.forgetChannels(nil, 0))
	l.must(alice.config.Store.Scan(pastPrefix, "", none))
}

// TestAttack_StreamFlood_Results: who played here once sends the signature of a result over and
// over, each of which is to be checked and answered. It gets what a stranger gets; in a channel
// that goes on it gets more, and not all.
func TestAttack_StreamFlood_Results(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		over bool
		most int
	}{"a channel that is over": {true, signatureLimit.Account.Burst}, "one that goes on": {false, signatureLimit.Friend.Burst}} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		s := l.session(alice, id)
		r := Result{Match: common.Hash{1}, Channel: id, Paid: true, Payouts: stakes(2, 0), Terms: protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: stakes(1, 1)}}
		s.history(nil).cosign(&r)
		l.put(alice, resultPrefix+r.Match.Hex(), r)
		result := r.result()
		sig, err := l.session(bob, id).signer.Sign(result.Digest(alice.domain))
		l.must(err)
		if c.over {
			l.must(alice.letGo(s))
		}
		done := 0
		for range 2 * c.most {
			err := (handler{alice}).route(bob.Account(), message.Envelope(id, message.ResultSignature{MatchID: r.Match, Signature: sig}))
			if err == nil {
				done++
			} else if !errors.Is(err, ErrBusy) {
				t.Fatal(err)
			}
		}
		if done != c.most {
			t.Errorf("%s: %d signatures are checked at once, want %d", name, done, c.most)
		}
	}
}

// TestWhoSpeaksInAChannel: only the other players of a channel have something to say in it.
func TestWhoSpeaksInAChannel(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	sig, err := alice.config.Player.Sign(common.Hash{1})
	l.must(err)
	for name, c := range map[string]struct {
		from common.Address
		want error
	}{"its peer": {bob.Account(), nil}, "a stranger": {common.Address{9}, ErrUnknownChannel}, "itself": {alice.Account(), ErrUnknownChannel}} {
		if err := (handler{alice}).route(c.from, message.Envelope(id, message.ResultSignature{MatchID: common.Hash{1}, Signature: sig})); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAdopted: of the channels that another store opened only this player's with this node's
// session key is taken over, and the user is told of it, or that the key is another's.
func TestAdopted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	terms := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob)).terms
	for name, c := range map[string]struct {
		change  func(*protocol.Terms)
		adopted bool
		alarms  int
	}{
		"others'":          {func(t *protocol.Terms) { t.Players = []common.Address{{7}, {8}} }, false, 0},
		"with another key": {func(t *protocol.Terms) { t.Signers = []common.Address{{7}, {8}} }, false, 1},
		"its own":          {func(t *protocol.Terms) { t.OpenBy++ }, true, 1},
	} {
		other := terms
		c.change(&other)
		before := len(l.events(alice, Alarm))
		opened := onchain.Opened{ChannelID: other.ID(alice.domain), Terms: other}
		s, err := alice.adopt(opened)
		if err != nil || (s != nil) != c.adopted || len(l.events(alice, Alarm))-before != c.alarms {
			t.Errorf("%s: adopted %t, %v, alarms %q", name, s != nil, err, l.events(alice, Alarm)[before:])
		}
		if c.adopted {
			continue
		}
		l.must(alice.happened(&chain.Event{Event: opened, Stage: chain.Undone}))
		if slices.ContainsFunc(alice.Standing(), func(e Event) bool { return e.Channel == opened.ChannelID }) {
			t.Errorf("%s: undone, and still said: %v", name, alice.Standing())
		}
	}
}

// TestFrozenUntilTheEnd: that a channel signs nothing more stands until it is paid out.
func TestFrozenUntilTheEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	s := l.session(alice, id)
	l.must(s.freeze(oldCopy))
	if list := alice.Standing(); len(list) != 1 || list[0].Text != oldCopy {
		t.Errorf("frozen: %v", list)
	}
	l.says(alice, id, onchain.Closed{ChannelID: id, Version: 1})
	if list := alice.Standing(); !s.over() || len(list) != 0 {
		t.Errorf("over %t: %v", s.over(), list)
	}
}

// TestNotSent: the user who insists on something is told what of it was not sent.
func TestNotSent(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{"not sent": true, "worthless": true, "urgent": false} {
		if err := notSent([]disputes.Alarm{{Kind: kind, Text: "why"}}); errors.Is(err, ErrNotSent) != want {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestFinishedWhere: the matches of one channel are counted.
func TestFinishedWhere(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	want := common.Hash{2}
	for i, in := range []common.Hash{{1}, want, {1}, want} {
		r := Result{Match: common.Hash{byte(i)}, Channel: in, Payouts: stakes(1), Paid: true, Began: int64(i)}
		l.put(n, resultPrefix+r.Match.Hex(), r)
	}
	if r, err := n.Finished(t.Context(), want, 2); err != nil || r.Match != (common.Hash{3}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// stubborn is a store that does not delete what is left of a channel.
type stubborn struct {
	store.Store
	fails bool
}

func (s *stubborn) Commit(changes map[string][]byte) error {
	for key, value := range changes {
		if s.fails && value == nil && strings.HasPrefix(key, channelPrefix) && !strings.HasSuffix(key, foundingSuffix) {
			return store.ErrStop
		}
	}
	return s.Store.Commit(changes)
}

// TestLetGo_Leftovers: the store fails when the rest of a channel that is over is cleared. Nobody
// looks at the channel any more, so this is no alarm that would stand for good. The rest goes when
// the channel is forgotten.
func TestLetGo_Leftovers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	kept := &stubborn{Store: store.NewMemory()}
	alice, bob := l.node(func(c *Config) { c.Store = kept }), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	kept.fails = true
	l.must(alice.letGo(s))
	kept.fails = false
	left := func() (count int) {
		l.must(kept.Scan(channelPrefix, "", func(string, []byte) error { count++; return nil }))
		return count
	}
	if c, err := alice.pastChannel(s.id); c == nil || err != nil || left() == 0 {
		t.Errorf("it is %v, %v, and %d keys are left", c, err, left())
	}
	l.must(alice.forgetChannels(nil, 0))
	if left() != 0 {
		t.Errorf("%d keys are left", left())
	}
}

// forgetful is a store that fails once: when it is to scan what lies under a prefix this time.
type forgetful struct {
	store.Store
	prefix string
	time   int // 0: not any more
}

func (s *forgetful) Scan(prefix, after string, visit func(string, []byte) error) error {
	if s.time > 0 && strings.HasPrefix(prefix, s.prefix) {
		if s.time--; s.time == 0 {
			return errors.New("the disk is away")
		}
	}
	return s.Store.Scan(prefix, after, visit)
}

// TestAttack_Reorg_EndedUnread: the store fails once, at any of its steps, while a channel is taken
// up whose closing a deep reorganisation takes back. The follower repeats the event, or the process
// starts anew: the channel is taken up all the same, and once more when that happens again, with
// nothing left of what was undone.
func TestAttack_Reorg_EndedUnread(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		for _, restarts := range []bool{false, true} {
			l := newLab(t)
			kept := &forgetful{Store: store.NewMemory(), prefix: []string{pastPrefix, channelPrefix}[i%2]}
			alice, bob := l.node(func(c *Config) { c.Store = kept }), l.node(nil)
			id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
			l.must(store.Clear(kept.Store, l.session(alice, id).prefix()+"log/")) // a lab's logs can't be read
			for version := range byte(2) {
				closed := chain.Event{Event: onchain.Closed{ChannelID: id, Version: uint64(version)}, Block: chain.Block{Number: uint64(version)}, Log: types.Log{
					Topics: []common.Hash{crypto.Keccak256Hash([]byte("Closed(bytes32,uint64)")), id}, Data: common.LeftPadBytes([]byte{version}, 32)}}
				at := func(stage chain.Stage) error { closed.Stage = stage; return alice.happened(&closed) }
				l.must(errors.Join(at(chain.Seen), at(chain.Final), alice.letGo(l.session(alice, id))))
				kept.time = 1 + i/2
				if err := at(chain.Undone); err != nil && restarts && alice.live(id) == nil {
					l.must(alice.restore())
				}
				kept.time = 0
				l.must(at(chain.Undone))
				logs := 0
				l.must(kept.Scan(channelPrefix+id.Hex()+"/log/", "", func(string, []byte) error { logs++; return nil }))
				past, failed := alice.pastChannel(id)
				if s := alice.live(id); s == nil || s.over() || past != nil || failed != nil || logs > 0 {
					t.Fatalf("failure %d, restarts %t, version %d: live %t, past %v, %d logs, %v", i, restarts, version, s != nil, past, logs, failed)
				}
			}
		}
	}
}

// TestUnreadablePast: a deep reorganisation takes back the closing of a channel of which the store
// holds what this program can't read. The user is told, and the follower, which repeats what is not
// taken in, goes on to what the chain says of others.
func TestUnreadablePast(t *testing.T) {
	t.Parallel()
	for name, damaged := range map[string]string{
		"nothing": "", "its state": pastPrefix + "%s/state/channel", "its terms": pastPrefix + "%s/" + foundingSuffix, "a log": pastPrefix + "%s/log/1", "that it is over": endedPrefix + "%s",
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
		s := l.session(alice, id)
		l.must(store.Clear(alice.config.Store, s.prefix()+"log/")) // a lab's logs can't be read
		closed := chain.Event{Event: onchain.Closed{ChannelID: id}, Log: types.Log{
			Topics: []common.Hash{crypto.Keccak256Hash([]byte("Closed(bytes32,uint64)")), id}, Data: make([]byte, 32)}}
		at := func(stage chain.Stage) error {
			if closed.Stage = stage; !alice.reads(id, closed.Event) {
				return nil
			}
			return alice.happened(&closed)
		}
		l.must(errors.Join(at(chain.Seen), at(chain.Final), alice.letGo(s)))
		alarms := 0
		if damaged != "" {
			l.spoil(alice, fmt.Sprintf(damaged, id.Hex()))
			alarms = 1
		}
		if err, told := at(chain.Undone), l.events(alice, Alarm); err != nil || len(told) != alarms || (alice.live(id) == nil) != (alarms > 0) {
			t.Errorf("unreadable is %s: the follower repeats it: %v; the user is told %q", name, err, told)
		}
	}
}

// TestDamagedEnding: what is kept of the first of the channels that are over can't be read. The
// user is told, the others are shown, their players are kept, and they are forgotten in their time.
func TestDamagedEnding(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	for range 3 {
		l.over(alice, time.Second, func(*Node) {})
	}
	all := alice.Channels()
	l.spoil(alice, endedPrefix+all[0].ID.Hex())
	if list := alice.Channels(); len(list) != 2 || list[0].ID != all[1].ID || list[1].ID != all[2].ID {
		t.Errorf("shown are %v", list)
	}
	again := l.node(func(c *Config) {
		c.Store, c.Player, c.Sessions = alice.config.Store, alice.config.Player, alice.config.Sessions
	})
	again.keepPeers()
	for i, c := range all {
		if kept := again.retired(c.Terms.Players[1]); kept != (i > 0) {
			t.Errorf("the player of channel %d is kept: %t", i, kept)
		}
	}
	for _, n := range []*Node{alice, again} {
		if list := n.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, all[0].ID.Hex()) {
			t.Errorf("alarms: %v", list)
		}
	}
	for _, c := range all {
		l.put(alice, peerPrefix+c.Terms.Players[1].Hex(), []string{"there"})
	}
	l.must(alice.forgetChannels(nil, 0))
	if list := alice.Channels(); len(list) != 0 {
		t.Errorf("left are %v", list)
	}
	for i, c := range all { // which of them are players of the one that can't be read is not known
		if at, err := stored[[]string](alice.config.Store, peerPrefix+c.Terms.Players[1].Hex()); at == nil {
			t.Errorf("where the player of channel %d can be reached is forgotten: %v", i, err)
		}
	}
}

// over has a node let a channel with another go after a while, when something else was done, and
// returns who that was.
func (l *lab) over(n *Node, after time.Duration, change func(other *Node)) common.Address {
	other := l.node(nil)
	s := l.session(n, l.channel(common.Address{}, []uint64{5, 5}, n, other))
	l.put(n, peerPrefix+other.Account().Hex(), other.net.Addresses())
	l.now = l.now.Add(after)
	change(other)
	l.must(n.letGo(s))
	return other.Account()
}

// TestAttack_Sybil_Peers: ever others open a channel, and are gone. Who was a player of none that
// is remembered is not kept any more, unless the user named it or has it for a tower.
func TestAttack_Sybil_Peers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	over := func(change func(n *Node)) common.Address { return l.over(alice, time.Hour, change) }
	nothing := func(*Node) {}
	gone := over(nothing)
	named := over(func(n *Node) { l.must(alice.AddPeer(n.Account(), n.net.Addresses()...)) })
	tower := over(func(n *Node) { l.must(alice.AddTower(n.Account())) })
	plays := over(func(n *Node) { l.channel(common.Address{}, []uint64{6, 6}, alice, n) })
	needed := over(nothing)
	last := over(nothing)
	channels := map[common.Hash]bool{}
	l.must(allStored(alice.config.Store, endedPrefix, func(_ string, e ending) {
		channels[e.ID] = slices.Contains(e.Terms.Players, needed)
	}))
	for range 2 {
		l.must(alice.forgetChannels(channels, 1))
	}
	var stored []string
	l.must(allStored(alice.config.Store, peerPrefix, func(account string, _ []string) { stored = append(stored, account) }))
	for account, want := range map[common.Address]bool{gone: false, named: true, tower: true, plays: true, needed: true, last: true} {
		if got := alice.seek(account); got != want || slices.Contains(stored, account.Hex()) != want {
			t.Errorf("%s is known: %v, stored: %v, want %v", account, got, stored, want)
		}
	}
}
