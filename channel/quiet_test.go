package channel_test

import (
	"errors"
	"reflect"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
)

// quiet gives an input that must change nothing: it is refused for a reason or, if that is nil, passed over. Nothing is
// signed, kept, sent or told.
func (tb *table) quiet(name string, i int, in channel.Input, want error) {
	tb.t.Helper()
	s := tb.seats[i]
	before, told, sent := s.m.Records(), len(s.events), len(tb.queue)
	if err := tb.step(i, in); !errors.Is(err, want) {
		tb.t.Errorf("%s: %T: %v, want %v", name, in, err, want)
	}
	if !reflect.DeepEqual(before, s.m.Records()) {
		tb.t.Errorf("%s: %T changes what is kept", name, in)
	}
	if len(s.events) != told || len(tb.queue) != sent {
		tb.t.Errorf("%s: %T makes %d events and %d messages", name, in, len(s.events)-told, len(tb.queue)-sent)
	}
}

// heard is quiet for a message of a peer.
func (tb *table) heard(name string, from, to int, msg channel.Message, want error) {
	tb.t.Helper()
	tb.quiet(name, to, channel.Received{From: from, Message: msg}, want)
}

var errNoSigner = errors.New("the signer does not answer")

// noSigner is a signer that can't be reached.
type noSigner struct{ address common.Address }

func (s noSigner) Address() common.Address { return s.address }

func (noSigner) Sign(common.Hash) (channel.Signature, error) { return channel.Signature{}, errNoSigner }

// loseSigner lets a seat go on with a signer that can't be reached.
func (tb *table) loseSigner(i int) {
	tb.t.Helper()
	tb.seats[i].cfg.Signer = noSigner{tb.keys[i].Address()}
	tb.restart(i)
}
