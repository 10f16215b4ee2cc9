package transporttest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// What is sent arrives once, in order, both ways, from the account that sent it.
func exchange(t *testing.T, w *world) {
	a, b, ra, rb := w.pair()
	var want []uint64
	for turn := range uint64(100) {
		w.must(a.Send(w.Account(1), move(turn)))
		w.must(b.Send(w.Account(0), move(turn)))
		want = append(want, turn)
	}
	w.await("100 moves each way", func() bool {
		return len(ra.Turns(w.Account(1))) >= 100 && len(rb.Turns(w.Account(0))) >= 100
	})
	if got := ra.Turns(w.Account(1)); !slices.Equal(got, want) {
		t.Errorf("player 0 received %v", got)
	}
	if got := rb.Turns(w.Account(0)); !slices.Equal(got, want) {
		t.Errorf("player 1 received %v", got)
	}
}

// A message goes to whom it is addressed to, and nobody else.
func three(t *testing.T, w *world) {
	a, b, ra, rb := w.pair()
	c, rc := w.join(2)
	w.meet(a, 0, c, 2)
	w.meet(b, 1, c, 2)
	w.await("player 2 knows both", func() bool {
		return rc.Up(w.Account(0)) && rc.Up(w.Account(1)) && ra.Up(w.Account(2)) && rb.Up(w.Account(2))
	})
	w.must(a.Send(w.Account(2), move(1)))
	w.must(b.Send(w.Account(2), move(2)))
	w.must(c.Send(w.Account(0), move(3)))
	w.must(c.Send(w.Account(1), move(4)))
	w.await("each has its message", func() bool {
		return len(rc.Turns(w.Account(0))) > 0 && len(rc.Turns(w.Account(1))) > 0 && len(ra.Turns(w.Account(2))) > 0 && len(rb.Turns(w.Account(2))) > 0
	})
	for name, got := range map[string][]uint64{
		"2 from 0": append(rc.Turns(w.Account(0)), 1), "2 from 1": append(rc.Turns(w.Account(1)), 2),
		"0 from 2": append(ra.Turns(w.Account(2)), 3), "1 from 2": append(rb.Turns(w.Account(2)), 4),
	} {
		if len(got) != 2 || got[0] != got[1] {
			t.Errorf("player %s: received %v, the last being what was sent", name, got)
		}
	}
}

// A handler may send from within a call.
func reentrant(_ *testing.T, w *world) {
	a, b, ra, rb := w.pair()
	bounce := func(n Node) func(common.Address, *antev1.Envelope) {
		return func(from common.Address, env *antev1.Envelope) {
			if turn := env.GetMove().GetTurn(); turn < 20 {
				if err := n.Send(from, move(turn+1)); err != nil {
					w.t.Error(err)
				}
			}
		}
	}
	ra.OnReceive(bounce(a))
	rb.OnReceive(bounce(b))
	w.must(a.Send(w.Account(1), move(1)))
	w.await("the 20th bounce", func() bool { return slices.Contains(ra.Turns(w.Account(1)), 20) })
}

// A message may be changed once it is sent, and once it is received.
func copies(t *testing.T, w *world) {
	a, _, _, rb := w.pair()
	rb.OnReceive(func(_ common.Address, env *antev1.Envelope) { env.GetReject().Digest[0] = 9 })
	env := &antev1.Envelope{Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Version: 7, Digest: []byte{1}}}}
	w.must(a.Send(w.Account(1), env))
	env.GetReject().Version = 8
	w.must(a.Send(w.Account(1), env))
	w.await("both", func() bool { return len(rb.Others(w.Account(0))) == 2 })
	for i, got := range rb.Others(w.Account(0)) {
		if v := got.GetReject().Version; v != uint64(7+i) {
			t.Errorf("message %d says version %d, want %d", i, v, 7+i)
		}
	}
	if env.GetReject().Digest[0] != 1 {
		t.Error("the receiver changed the sender's message")
	}
}

// The largest message passes; a larger one is refused and harms nothing.
func sizes(t *testing.T, w *world) {
	a, _, _, rb := w.pair()
	env := move(1)
	overhead := len(mustFrame(t, env)) + 8
	env.GetMove().Move = make([]byte, wire.MaxMessage-overhead)
	w.must(a.Send(w.Account(1), env))
	large := move(2)
	large.GetMove().Move = make([]byte, wire.MaxMessage)
	if err := a.Send(w.Account(1), large); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("a message above the cap: %v, want ErrTooLarge", err)
	}
	w.must(a.Send(w.Account(1), move(3)))
	w.await("both", func() bool { return slices.Equal(rb.Turns(w.Account(0)), []uint64{1, 3}) })
}

func mustFrame(t *testing.T, env *antev1.Envelope) []byte {
	t.Helper()
	frame, err := wire.FrameEnvelope(env)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// What can't be done says why.
func refusals(t *testing.T, w *world) {
	a, _ := w.join(0)
	b, _ := w.join(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tc := range map[string]struct{ got, want error }{
		"send to nobody we know":  {a.Send(w.Account(3), move(1)), transport.ErrUnknownPeer},
		"connect to nobody known": {a.Connect(t.Context(), w.Account(3)), transport.ErrUnknownPeer},
		"nil message":             {a.Send(w.Account(1), nil), wire.ErrMalformed},
		"empty message":           {a.Send(w.Account(1), new(antev1.Envelope)), wire.ErrMalformed},
		"keep ourselves":          {a.Keep(w.Account(0), b.Addresses()...), transport.ErrAddress},
		"keep nobody":             {a.Keep(common.Address{}), transport.ErrAddress},
		"no address at all":       {a.Keep(w.Account(1), "player one"), transport.ErrAddress},
		"our own address":         {a.Keep(w.Account(1), a.Addresses()...), transport.ErrAddress},
		"too many addresses":      {a.Keep(w.Account(1), slices.Repeat(b.Addresses(), 17)...), transport.ErrAddress},
	} {
		if !errors.Is(tc.got, tc.want) {
			t.Errorf("%s: got %v, want %v", name, tc.got, tc.want)
		}
	}
	if n := len(a.Peers()); n != 0 {
		t.Errorf("refused calls left %d peers", n)
	}
	w.must(a.Keep(w.Account(1)))
	if err := a.Send(w.Account(1), move(1)); !errors.Is(err, transport.ErrNotConnected) {
		t.Errorf("send to one who has not come: %v, want ErrNotConnected", err)
	}
	if err := a.Connect(ctx, w.Account(1)); !errors.Is(err, transport.ErrNotConnected) {
		t.Errorf("connect to one whose address is unknown: %v, want ErrNotConnected", err)
	}
}

// Dialling who isn't there fails, and says so; when it comes, it is reached.
func unreachable(t *testing.T, w *world) {
	a, ra := w.join(0)
	b, _ := w.join(1)
	addresses := b.Addresses()
	w.must(b.Close())
	w.must(a.Keep(w.Account(1), addresses...))
	if err := a.Connect(t.Context(), w.Account(1)); !errors.Is(err, transport.ErrUnreachable) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
	if p := a.Peers(); len(p) != 1 || p[0].Connected || !errors.Is(p[0].Err, transport.ErrUnreachable) {
		t.Errorf("peers: %+v", p)
	}
	b, _ = w.join(1)
	w.must(b.Keep(w.Account(0), a.Addresses()...))
	w.await("connected", func() bool { return ra.Up(w.Account(1)) })
}

// A node that goes away is told, and one that comes back under its account is connected without
// anybody's help.
func restart(t *testing.T, w *world) {
	a, b, ra, _ := w.pair()
	w.must(b.Close())
	w.await("player 0 hears of it", func() bool { return !ra.Up(w.Account(1)) })
	if ra.Why(w.Account(1)) == nil {
		t.Error("no reason given")
	}
	if err := a.Send(w.Account(1), move(1)); !errors.Is(err, transport.ErrNotConnected) {
		t.Errorf("got %v, want ErrNotConnected", err)
	}
	b, rb := w.join(1)
	w.must(b.Keep(w.Account(0), a.Addresses()...))
	w.await("connected again", func() bool { return ra.Up(w.Account(1)) && rb.Up(w.Account(0)) })
	w.must(a.Send(w.Account(1), move(2)))
	w.must(b.Send(w.Account(0), move(3)))
	w.await("moves both ways", func() bool {
		return slices.Equal(rb.Turns(w.Account(0)), []uint64{2}) && slices.Equal(ra.Turns(w.Account(1)), []uint64{3})
	})
	if ups, downs := ra.Count(w.Account(1)); ups < 2 || downs < 1 {
		t.Errorf("%d times up, %d times down", ups, downs)
	}
}

// Forgetting lets go on both sides.
func forget(t *testing.T, w *world) {
	a, b, ra, rb := w.pair()
	b.Forget(w.Account(0))
	a.Forget(w.Account(1))
	w.await("both let go", func() bool { return !ra.Up(w.Account(1)) && !rb.Up(w.Account(0)) })
	a.Forget(w.Account(1))
	a.Forget(w.Account(3))
	if err := a.Send(w.Account(1), move(1)); !errors.Is(err, transport.ErrUnknownPeer) && !errors.Is(err, transport.ErrNotConnected) {
		t.Errorf("got %v, want ErrUnknownPeer", err)
	}
}

// After Close nothing is sent, and nothing is told.
func closing(t *testing.T, w *world) {
	a, b, ra, rb := w.pair()
	w.must(b.Send(w.Account(0), move(1)))
	w.must(a.Close())
	ups, downs := ra.Count(w.Account(1))
	turns := len(ra.Turns(w.Account(1)))
	w.must(a.Close())
	w.await("player 1 hears of it", func() bool { return !rb.Up(w.Account(0)) })
	for name, err := range map[string]error{
		"send":    a.Send(w.Account(1), move(1)),
		"keep":    a.Keep(w.Account(1)),
		"connect": a.Connect(t.Context(), w.Account(1)),
	} {
		if !errors.Is(err, transport.ErrClosed) {
			t.Errorf("%s: got %v, want ErrClosed", name, err)
		}
	}
	a.Forget(w.Account(1))
	if u, d := ra.Count(w.Account(1)); u != ups || d != downs || len(ra.Turns(w.Account(1))) != turns {
		t.Error("the handler was called after Close")
	}
}

// Peers says who is there.
func peers(t *testing.T, w *world) {
	a, b, _, _ := w.pair()
	list := a.Peers()
	if len(list) != 1 || list[0].Account != w.Account(1) || !list[0].Kept || !list[0].Connected || list[0].Err != nil {
		t.Fatalf("player 0 sees %+v", list)
	}
	for _, address := range b.Addresses() {
		if !slices.Contains(list[0].Addresses, address) {
			t.Errorf("%s is not among %v", address, list[0].Addresses)
		}
	}
	w.must(a.Keep(w.Account(2)))
	list = a.Peers()
	if len(list) != 2 || list[0].Account.Cmp(list[1].Account) >= 0 {
		t.Errorf("player 0 sees %+v", list)
	}
	for _, p := range list {
		if p.Account == w.Account(2) && (p.Connected || p.Err == nil) {
			t.Errorf("player 0 sees %+v", p)
		}
	}
}
