package channel_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// arena is the real Arena with a channel open in it, and what it has said.
type arena struct {
	mini    *minichain.Chain
	codec   *codec.Codec
	at      protocol.Domain
	game    common.Address // the toy rules
	players int
	stand
	unfinal []onchain.Event // oldest first
	before  stand           // what a reorganisation goes back to, and its checkpoint
	final   *minichain.Checkpoint
	settled bool // and final
}

// stand is what the Arena holds of a channel.
type stand struct {
	latest  map[common.Hash]recorded // by match
	contest *onchain.Contested
	over    bool // paid out
}

type recorded struct {
	protocol.Record
	state []byte
}

// runs reports whether somebody's clock runs.
func (r *recorded) runs() bool { return r.Status == protocol.MatchLive && r.Deadline != 0 }

// newArena opens a channel of so many seats.
func newArena(t *testing.T, seats int) *arena {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	mini, err := minichain.New(1337)
	ok(err)
	deploy := func(code string, arguments []byte) common.Address {
		at, _, err := mini.Deploy(common.Address{1}, append(common.FromHex(code), arguments...))
		ok(err)
		return at
	}
	a := &arena{players: seats, mini: mini, at: protocol.Domain{ChainID: 1337, Arena: deploy(bindings.ArenaMetaData.Bin, bindings.NewArena().PackConstructor(true, 8, 100_000))}}
	a.game, a.codec = deploy(testbindings.ToyRulesMetaData.Bin, nil), codec.New(a.at)
	tb := newTableAt(t, a.at, seats)
	open := onchain.Open{Terms: tb.terms}
	for i, player := range tb.terms.Players {
		mini.Fund(player, &tb.terms.Deposits[i])
		_, err := a.send(player, onchain.Deposit{Account: player, Amount: tb.terms.Deposits[i]})
		ok(err)
		sig, err := protocoltest.Key(fmt.Sprintf("player %d", i)).Sign(tb.id)
		ok(err)
		open.Signatures = append(open.Signatures, sig[:])
	}
	_, err = a.send(tb.terms.Players[0], open)
	ok(err)
	return a
}

// fresh returns a copy, in which nothing else has happened.
func (a *arena) fresh() *arena {
	return &arena{mini: a.mini.Copy(), codec: a.codec, at: a.at, game: a.game, players: a.players, stand: stand{latest: map[common.Hash]recorded{}}}
}

// send has an account do something at the Arena, which refuses it or says what happened.
func (a *arena) send(from common.Address, does onchain.Action) (said []onchain.Event, err error) {
	call, err := a.codec.Encode(does)
	if err != nil {
		return nil, err
	}
	r, err := a.mini.Send(minichain.Tx{From: from, To: &a.at.Arena, Value: call.Value, Data: call.Data, Gas: minichain.MaxGas})
	if f := (*minichain.Failure)(nil); errors.As(err, &f) {
		return nil, codec.Explain(f.Data)
	}
	if err != nil {
		return nil, err
	}
	for _, log := range r.Logs {
		e, err := a.codec.Decode(*log)
		if err != nil {
			return nil, err
		}
		said = append(said, e)
	}
	return said, nil
}
