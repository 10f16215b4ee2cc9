package p2p

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"

	"github.com/ante-games/ante/transport/transporttest"
)

// Of fifty hosts forty-nine are lobbies, each of which was told of one other. The last one, which
// knows one, finds as many as a place in the directory has; a host of another Arena finds none.
func TestLobbies(t *testing.T) {
	const all = 50
	quiet := func(i int) Config {
		cfg := config(i, transporttest.NewRecorder(make(chan struct{}, 1)))
		cfg.Listen = []string{"/ip4/127.0.0.1/tcp/0"}
		return cfg
	}
	var lobbies []*Host
	for i := range all - 1 {
		cfg := quiet(i)
		cfg.Lobby = true
		if i > 0 {
			cfg.Lobbies = lobbies[i/2].Addresses()[:1]
		}
		lobbies = append(lobbies, start(t, cfg))
	}
	cfg := quiet(all - 1)
	cfg.FindLobbies, cfg.Lobbies = true, lobbies[all-2].Addresses()[:1]
	player := start(t, cfg)
	d := &detour{T: t, wake: make(chan struct{}, 1)}
	found := map[string]bool{}
	d.await("the player finds lobbies", func() bool {
		list, err := player.Lobbies(t.Context())
		for _, a := range list {
			found[a] = true
		}
		return err == nil && len(found) >= all/2
	})
	for a := range found {
		if !slices.ContainsFunc(lobbies, func(h *Host) bool { return strings.HasSuffix(a, h.host.ID().String()) }) {
			t.Errorf("%s is no lobby", a)
		}
	}

	cfg = quiet(all)
	cfg.Domain.ChainID++
	cfg.FindLobbies, cfg.Lobbies = true, lobbies[0].Addresses()[:1]
	if list, _ := start(t, cfg).Lobbies(t.Context()); len(list) > 0 {
		t.Errorf("a host of another chain finds %v", list)
	}
}

// A peer asks a lobby's directory on many streams at once, and without end. It gets two, and is cut
// off; whoever comes next is answered.
func TestAttack_DirectoryFlood(t *testing.T) {
	tb := newTableWith(t, func(c *Config) { c.Lobby = true })
	tb.meet()
	const id = "/kad/1.0.0"
	asks := func(m *mallory) (network.Stream, error) {
		must(t, m.host.Connect(t.Context(), m.at(tb.victim)))
		s, err := m.host.NewStream(t.Context(), tb.victim.host.ID(), tb.victim.protocol+"/lobbies"+id)
		must(t, err)
		must(t, s.SetDeadline(time.Now().Add(patience)))
		_, err = s.Write([]byte{2, 8, 5}) // a ping, in bytes
		if err == nil {
			_, err = io.ReadFull(s, make([]byte, 1))
		}
		return s, err
	}
	m := newMallory(t, malloryPlayer)
	first, err := asks(m)
	must(t, err)
	_, err = asks(m)
	must(t, err)
	if _, err := asks(m); err == nil {
		t.Error("a third stream is answered")
	}
	if _, err := asks(newMallory(t, malloryPlayer+1)); err != nil {
		t.Errorf("whoever comes next: %v", err)
	}
	var asked sync.WaitGroup
	asked.Go(func() { _, _ = first.Write(bytes.Repeat([]byte{2, 8, 5}, 2*maxQuestion)) }) // as long as it is read
	answered, _ := io.Copy(io.Discard, first)
	asked.Wait()
	if answered > maxQuestion {
		t.Errorf("%d bytes of answers, each as long as its question", answered)
	}
	tb.talk()
}
