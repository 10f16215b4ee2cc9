package p2p

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport/wire"
)

// echo sends back what it gets, or tells that it got it.
type echo struct {
	back func(common.Address, *antev1.Envelope) error
	got  chan struct{}
	up   chan struct{}
}

func (e *echo) Connected(common.Address)           { e.up <- struct{}{} }
func (e *echo) Disconnected(common.Address, error) {}
func (e *echo) Receive(from common.Address, env *antev1.Envelope) {
	if e.back != nil {
		if err := e.back(from, env); err != nil {
			panic(err)
		}
		return
	}
	e.got <- struct{}{}
}

func echoPair(b *testing.B, listen string) (near *Host, got chan struct{}, far common.Address) {
	limits := Limits{MessagesPerSecond: 1 << 30, BytesPerSecond: 1 << 40}
	there, here := &echo{up: make(chan struct{}, 2)}, &echo{up: make(chan struct{}, 2), got: make(chan struct{}, 1024)}
	var farHost *Host
	there.back = func(from common.Address, env *antev1.Envelope) error { return farHost.Send(from, env) }
	cfg := config(0, there)
	cfg.Listen, cfg.Limits = []string{listen}, limits
	farHost = start(b, cfg)
	cfg = config(1, here)
	cfg.Listen, cfg.Limits = []string{listen}, limits
	near = start(b, cfg)
	far, err := near.Dial(b.Context(), farHost.Addresses()[0])
	if err != nil {
		b.Fatal(err)
	}
	<-here.up
	<-there.up
	return near, here.got, far
}

// BenchmarkEcho sends one move of 300 bytes there and back, the next one when it has come back:
// from Send to Receive and again, framing, checking and decoding included.
func BenchmarkEcho(b *testing.B) {
	for name, listen := range map[string]string{"tcp": "/ip4/127.0.0.1/tcp/0", "quic": "/ip4/127.0.0.1/udp/0/quic-v1"} {
		b.Run(name, func(b *testing.B) {
			near, got, far := echoPair(b, listen)
			env := move(1 << 40)
			if frame, err := wire.FrameEnvelope(env); err != nil || len(frame) < 290 || len(frame) > 310 {
				b.Fatalf("the move has %d bytes (%v), want about 300", len(frame), err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := near.Send(far, env); err != nil {
					b.Fatal(err)
				}
				<-got
			}
		})
	}
}

// BenchmarkEchoMany has 64 moves on their way at any time, as a node with many matches has.
func BenchmarkEchoMany(b *testing.B) {
	for name, listen := range map[string]string{"tcp": "/ip4/127.0.0.1/tcp/0", "quic": "/ip4/127.0.0.1/udp/0/quic-v1"} {
		b.Run(name, func(b *testing.B) {
			near, got, far := echoPair(b, listen)
			env := move(1 << 40)
			for range 64 {
				if err := near.Send(far, env); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				<-got
				if err := near.Send(far, env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
