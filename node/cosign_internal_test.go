package node

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestHowItWas: a seat won, drew or lost by what it got for its stake, or as the game says where
// nothing was staked; what isn't known is a draw.
func TestHowItWas(t *testing.T) {
	amounts := func(v ...uint64) (list []uint256.Int) {
		for _, x := range v {
			list = append(list, *uint256.NewInt(x))
		}
		return list
	}
	terms := protocol.MatchTerms{Seats: []uint8{0, 1, 2}, Stakes: amounts(5, 5, 5)}
	for i, c := range []struct {
		r    Result
		want []int
	}{
		{Result{Terms: terms, Payouts: amounts(4, 5, 6)}, []int{-1, 0, 1}}, {Result{Terms: terms, Payouts: amounts(4, 5)}, []int{-1, 0, 0}},
		{Result{Terms: terms, Payouts: amounts(4, 5, 6), Free: []int{1, 1, -1}}, []int{1, 1, -1}}, {Result{Terms: terms}, []int{0, 0, 0}},
	} {
		if got := c.r.standing(); !slices.Equal(got, c.want) {
			t.Errorf("%d: %d", i, got)
		}
	}
	one := protocol.Signature{1}
	for i, c := range []struct {
		r     Result
		whole bool
	}{
		{Result{Terms: terms, Paid: true, Signatures: []protocol.Signature{one, one, one}}, true}, {Result{Terms: terms, Signatures: []protocol.Signature{one, one, one}}, false},
		{Result{Terms: terms, Paid: true, Signatures: []protocol.Signature{one, one}}, false}, {Result{Terms: terms, Paid: true}, false},
		{Result{Terms: terms, Paid: true, Signatures: []protocol.Signature{one, {}, one}}, false},
	} {
		if _, whole := c.r.signed(); whole != c.whole {
			t.Errorf("%d: all signatures %t", i, whole)
		}
	}
}

// TestSignaturesOfResults: a peer's signature of a result counts where that is final, of this
// channel, and signed by seats, for its own seat, and if it holds. What doesn't count changes
// nothing.
func TestSignaturesOfResults(t *testing.T) {
	match, id := common.Hash{1}, common.Hash{2}
	whole := Result{Match: match, Channel: id, Paid: true, Payouts: []uint256.Int{{}, {}}, Signatures: make([]protocol.Signature, 2),
		Terms: protocol.MatchTerms{Seats: []uint8{0, 2}, Stakes: []uint256.Int{{}, {}}}}
	for name, c := range map[string]struct {
		change func(*Result)
		from   int
		want   error
	}{
		"not final":          {func(r *Result) { r.Paid = false }, 2, nil},
		"of another channel": {func(r *Result) { r.Channel = common.Hash{3} }, 2, nil},
		"without signatures": {func(r *Result) { r.Signatures = nil }, 2, nil},
		"not known":          {func(r *Result) { r.Match = common.Hash{4} }, 2, nil},
		"of another seat":    {func(*Result) {}, 1, channel.ErrPeer},
		"that doesn't hold":  {func(*Result) {}, 2, channel.ErrPeer},
	} {
		kept := store.NewMemory()
		s := &member{node: newNode(t.Context(), Config{Store: kept, Now: time.Now}).channels, id: id, terms: protocol.Terms{Signers: []common.Address{{5}, {6}, {7}}}}
		r := whole
		c.change(&r)
		value, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := kept.Commit(map[string][]byte{resultPrefix + r.Match.Hex(): value}); err != nil {
			t.Fatal(err)
		}
		if err := s.receiveResult(c.from, message.ResultSignature{MatchID: match, Signature: protocol.Signature{9}}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := kept.Get(resultPrefix + r.Match.Hex()); err != nil || string(now) != string(value) {
			t.Errorf("%s: %s is stored, %v", name, now, err)
		}
	}
}

// TestResultsAreAskedForInParts: when a peer connects, a bounded number of results is asked for, of
// that peer's.
func TestResultsAreAskedForInParts(t *testing.T) {
	kept := store.NewMemory()
	n := newNode(t.Context(), Config{Store: kept, Now: time.Now})
	bob := common.Address{1}
	for i := range byte(askedOnConnecting + 5) {
		if err := kept.Commit(map[string][]byte{lackKey(bob, common.Hash{i}): {1}, lackKey(common.Address{2}, common.Hash{i}): {1}}); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := n.lacking(bob); err != nil || len(list) != askedOnConnecting {
		t.Errorf("%d are asked for, %v", len(list), err)
	}
}

// TestSignedAnew: the signatures of a result are kept as long as it is the same; another one has to
// be signed anew by the others.
func TestSignedAnew(t *testing.T) {
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	r := Result{Match: common.Hash{1}, Paid: true, Payouts: stakes(2, 0), Terms: protocol.MatchTerms{Seats: []uint8{0, 1}, Stakes: stakes(1, 1)}}
	s.history(nil).cosign(&r)
	r.Signatures[1] = protocol.Signature{9}
	if s.history(nil).cosign(&r); r.Signatures[1] != (protocol.Signature{9}) {
		t.Error("the same result loses its signature")
	}
	own := r.Signatures[0]
	r.Payouts = stakes(0, 2)
	if s.history(nil).cosign(&r); r.Signatures[1] != (protocol.Signature{}) || r.Signatures[0] == own {
		t.Error("another result has the signatures of the first")
	}
	r = Result{Match: common.Hash{1}, Terms: protocol.MatchTerms{Rules: common.Address{0xee}, Seats: []uint8{0, 1}, Stakes: stakes(0, 0)}}
	if s.history(nil).freely(&r); r.Free != nil {
		t.Errorf("by rules that nobody knows: %v", r.Free)
	}
}

// TestResultsOfLetGo: of a channel that is let go nothing is taken: the other sends it again when
// it connects.
func TestResultsOfLetGo(t *testing.T) {
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	s := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob))
	m := message.ResultSignature{MatchID: common.Hash{1}}
	l.spoil(alice, resultPrefix+m.MatchID.Hex())
	for _, s.gone = range []bool{false, true} {
		if err := s.takeResult(1, m); (err == nil) != s.gone {
			t.Errorf("let go %t: %v", s.gone, err)
		}
	}
}

// TestWhoseSignatureIsMissing: who connects is sent the results that lack its own signature, and no
// others.
func TestWhoseSignatureIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		seats []uint8
		its   protocol.Signature
		want  int
	}{
		"it is missing":   {[]uint8{0, 1}, protocol.Signature{}, 1},
		"it is there":     {[]uint8{0, 1}, protocol.Signature{9}, 0},
		"it did not play": {[]uint8{0, 2}, protocol.Signature{}, 0},
	} {
		l := newLab(t)
		alice := l.node(nil)
		g := l.guest(alice)
		terms := protocol.Terms{
			Players: []common.Address{alice.Account(), g.Address(), {3}}, Signers: []common.Address{{4}, {5}, {6}}, Deposits: stakes(5, 5, 5), Window: 20, OpenBy: 100,
		}
		signer, err := alice.config.Sessions(terms.Salt)
		l.must(err)
		terms.Signers[0] = signer.Address()
		_, err = alice.found(terms, 0)
		l.must(err)
		r := Result{Match: common.Hash{1}, Channel: terms.ID(alice.domain), Paid: true, Payouts: stakes(2, 0), Signatures: make([]protocol.Signature, 2),
			Terms: protocol.MatchTerms{Seats: c.seats, Stakes: stakes(1, 1)}}
		result := r.result()
		r.Signatures[0], err = signer.Sign(result.Digest(alice.domain))
		l.must(err)
		r.Signatures[1] = c.its
		l.put(alice, resultPrefix+r.Match.Hex(), r)
		l.must(alice.config.Store.Commit(map[string][]byte{lackKey(g.Address(), r.Match): {1}}))
		g.told()
		l.must(alice.askResults(g.Address()))
		if heard := g.told(); len(heard) != c.want {
			t.Errorf("%s: told %v", name, heard)
		}
	}
}

// TestResultsThatNobodySigns: the session's signer fails when a match is paid out, and ever after.
// The channel goes on, and what the chain says of all is taken in; the result has no signature, of
// which an alarm tells, and nobody is sent one.
func TestResultsThatNobodySigns(t *testing.T) {
	l := newLab(t)
	fails := false
	alice, bob := l.node(func(c *Config) {
		sessions := c.Sessions
		c.Sessions = func(salt common.Hash) (protocol.Signer, error) {
			signer, err := sessions(salt)
			return unable{signer, &fails}, err
		}
	}), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	match := l.match(alice, id, 1, 0, 1)
	s := l.session(alice, id)
	fails = true
	l.says(alice, id, onchain.Settled{ChannelID: id, Version: s.machine.Ledger().Version})
	l.says(alice, id, onchain.LockPaid{ChannelID: id, MatchID: match, Payouts: stakes(2, 0)})
	if r, err := alice.Result(match); err != nil || !r.Paid || !r.Settled || r.Signatures != nil || !s.over() {
		t.Errorf("noted is %+v, %v; the channel is over: %t", r, err, s.over())
	}
	if list := alice.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, "not signed") {
		t.Errorf("alarms: %v", list)
	}
	l.must(alice.config.Store.Commit(map[string][]byte{lackKey(bob.Account(), match): {1}}))
	l.must(alice.askResults(bob.Account()))
}

// unable is a signer that may fail.
type unable struct {
	protocol.Signer
	fails *bool
}

// Sign implements protocol.Signer.
func (s unable) Sign(digest common.Hash) (protocol.Signature, error) {
	if *s.fails {
		return protocol.Signature{}, errors.New("the signer is away")
	}
	return s.Signer.Sign(digest)
}
