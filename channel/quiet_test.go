package channel_test

import (
	"errors"
	"reflect"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// unchanged gives an input that must change nothing: it is refused for a reason or, if that is nil,
// passed over. Nothing is signed, sent or told, and what is kept stays as it is. It returns what is
// written again.
func (tb *table) unchanged(name string, i int, in channel.Input, want error) []channel.Entry {
	tb.t.Helper()
	if s, ok := tb.seats[i].cfg.Signer.(*absent); ok && errors.Is(want, errNoSigner) {
		s.asked = 0
	}
	m := tb.seats[i].m
	before := m.Records()
	fx, err := m.Step(in)
	written := fx.Entries
	if fx.Entries = nil; !errors.Is(err, want) || !reflect.DeepEqual(fx, channel.Effects{}) {
		tb.t.Errorf("%s: seat %d: %T %+v: %v, %+v; want %v", name, i, in, in, err, fx, want)
	}
	if !reflect.DeepEqual(before, m.Records()) {
		tb.t.Errorf("%s: seat %d: %T changes what is kept", name, i, in)
	}
	return written
}

// quiet gives an input that must change nothing. Nothing is written either.
func (tb *table) quiet(name string, i int, in channel.Input, want error) {
	tb.t.Helper()
	if written := tb.unchanged(name, i, in, want); len(written) > 0 {
		tb.t.Errorf("%s: seat %d: %T writes %v", name, i, in, written)
	}
}

// heard is quiet for a message of a peer.
func (tb *table) heard(name string, from, to int, msg message.Message, want error) {
	tb.t.Helper()
	tb.quiet(name, to, channel.Received{From: from, Message: msg}, want)
}

// refuses is quiet where the input says all that there is to say.
func (tb *table) refuses(i int, in channel.Input, want error) {
	tb.t.Helper()
	tb.quiet("refused", i, in, want)
}

var errNoSigner = errors.New("the signer does not answer")

// absent is a signer that does not answer once, after so many signatures: whoever goes on without
// that one is noticed by the next.
type absent struct {
	protocol.Signer
	after, asked int
}

func (s *absent) Sign(digest common.Hash) (protocol.Signature, error) {
	if s.asked++; s.asked == s.after+1 {
		return protocol.Signature{}, errNoSigner
	}
	return s.Signer.Sign(digest)
}

// loseSigner lets a seat's signer fail once, after so many signatures, and again in every input
// that must be refused for it.
func (tb *table) loseSigner(i, after int) {
	tb.t.Helper()
	tb.seats[i].cfg.Signer = &absent{tb.keys[i], after, 0}
	tb.restart(i)
}
