package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

const (
	everySample = 5 * time.Second
	everyLook   = time.Second

	mostBehind = 2                // ledgers that a tower may be behind
	behindFor  = 10 * time.Second // for how long it may be further behind
)

// lag is since when a player's tower is too far behind.
type lag struct {
	since time.Time
	worst time.Duration
}

// watch samples what the processes use, and how far the tower is behind, until the context ends.
func (s *soak) watch(ctx context.Context) {
	looks, samples := time.NewTicker(everyLook), time.NewTicker(everySample)
	defer looks.Stop()
	defer samples.Stop()
	for {
		select {
		case <-ctx.Done():
			for p, l := range s.lag {
				s.Logf("%s: the tower was more than %d ledgers behind for %v at most", p.name, mostBehind, l.worst)
			}
			return
		case <-looks.C:
			for _, p := range s.players() {
				s.look(ctx, p)
			}
		case <-samples.C:
			for _, d := range s.daemons() {
				s.usage.sample(ctx, d)
			}
		}
	}
}

// look compares what a player and its tower have. Neither counts while it is dead, or has just been
// started.
func (s *soak) look(ctx context.Context, p *soakPlayer) {
	l := s.lag[p]
	behind, err := p.behind(ctx)
	if err != nil || p.age() < behindFor || s.tower.age() < behindFor || behind <= mostBehind {
		l.since = time.Time{}
		return
	}
	if l.since.IsZero() {
		l.since = time.Now()
	}
	if since := time.Since(l.since); since > l.worst {
		if l.worst = since; since > behindFor {
			s.Errorf("%s's tower is %d ledgers behind for %v", p.name, behind, since)
		}
	}
}

// age is how long a process lives.
func (d *soakDaemon) age() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Since(d.began)
}

// behind returns how many ledgers a player has that its tower lacks, in the channel where that is
// most.
func (p *soakPlayer) behind(ctx context.Context) (most uint64, err error) {
	api, err := p.api()
	if err != nil {
		return 0, err
	}
	status, err := api.GetStatus(ctx, connect.NewRequest(&antev1.GetStatusRequest{}))
	if err != nil {
		return 0, err
	}
	has := map[string]uint64{}
	for _, t := range status.Msg.Towers {
		for _, c := range t.Channels {
			has[c.ChannelId] = c.Version
		}
	}
	channels, err := api.ListChannels(ctx, connect.NewRequest(&antev1.ListChannelsRequest{}))
	if err != nil {
		return 0, err
	}
	for _, c := range channels.Msg.Channels {
		if c.Status == antev1.ChannelStatus_CHANNEL_STATUS_OPEN && c.Version > has[c.Id] {
			most = max(most, c.Version-has[c.Id])
		}
	}
	return most, nil
}

// usage is what each process used, sample by sample.
type usage map[string][]sample

type sample struct{ heap, goroutines, descriptors, resident float64 }

// sample notes what a process uses. One that is dead or starts uses nothing worth noting.
func (u usage) sample(ctx context.Context, d *soakDaemon) {
	if d.age() < behindFor {
		return
	}
	d.mu.Lock()
	pid := d.process.cmd.Process.Pid
	d.mu.Unlock()
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return
	}
	memory, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return
	}
	pages, err := strconv.ParseFloat(strings.Fields(string(memory))[1], 64)
	if err != nil {
		return
	}
	told, err := d.metrics(ctx)
	if err != nil {
		return
	}
	u[d.name] = append(u[d.name], sample{
		heap: told["go_memstats_heap_alloc_bytes"] / (1 << 20), goroutines: told["go_goroutines"],
		descriptors: float64(len(files)), resident: pages * float64(os.Getpagesize()) / (1 << 20),
	})
}

// metrics reads a process's metrics.
func (d *soakDaemon) metrics(ctx context.Context) (map[string]float64, error) {
	url := d.metricsAt
	if url == "" {
		address, err := os.ReadFile(filepath.Join(d.dir, "api-address"))
		if err != nil {
			return nil, err
		}
		url = strings.TrimSpace(string(address))
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+url+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	told := map[string]float64{}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if v, err := strconv.ParseFloat(value, 64); ok && err == nil {
			told[name] = v
		}
	}
	return told, nil
}

// enough samples of a process show whether it grows: those of ten minutes.
const enough = int(10 * time.Minute / everySample)

// report logs what each process used in the second and in the last quarter of the soak, and fails
// where that grew by more than a third and by more than what a moment makes of it.
func (u usage) report(t *testing.T) {
	for name, samples := range u {
		n := len(samples)
		if n < 4 {
			continue
		}
		for what, of := range map[string]struct {
			get   func(sample) float64
			slack float64
		}{
			"MiB of heap":  {func(s sample) float64 { return s.heap }, 16},
			"goroutines":   {func(s sample) float64 { return s.goroutines }, 30},
			"descriptors":  {func(s sample) float64 { return s.descriptors }, 20},
			"MiB resident": {func(s sample) float64 { return s.resident }, 40},
		} {
			before, after := median(samples[n/4:n/2], of.get), median(samples[3*n/4:], of.get)
			t.Logf("%s: %s %.0f, then %.0f", name, what, before, after)
			if n >= enough && after > before*4/3 && after > before+of.slack {
				t.Errorf("%s grows: %s %.0f, then %.0f", name, what, before, after)
			}
		}
	}
}

func median(samples []sample, get func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = get(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
