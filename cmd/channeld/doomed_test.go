package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/cmd/channeld/internal/cli"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// seam is where a node lets something out: into its store, to a peer, to the chain.
type seam string

const (
	persist  seam = "persist"
	send     seam = "send"
	submit   seam = "submit"
	anywhere seam = "anywhere"
)

// point is where a daemon dies: in the n-th operation at a seam, from 1, before it is done or
// after. 0 is nowhere.
type point struct {
	seam  seam
	n     int
	after bool
}

func (p point) String() string { return fmt.Sprintf("%s %d %t", p.seam, p.n, p.after) }

// What tells a doomed daemon its fate.
const (
	pointEnv   = "DOOM"         // a point
	journalEnv = "DOOM_JOURNAL" // the file in which it writes what it did
	diskEnv    = "DOOM_DISK"    // not empty: its disk is full when its standard input says so
)

// doomed is the whole of channeld, which kills itself at a point or has a full disk.
func doomed() {
	d := &doom{counts: map[seam]int{}}
	if _, err := fmt.Sscan(os.Getenv(pointEnv), &d.seam, &d.n, &d.after); err != nil {
		panic(err)
	}
	var err error
	if d.journal, err = os.Create(os.Getenv(journalEnv)); err != nil {
		panic(err)
	}
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Terminal{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Games: catalog.Standard(), Adapt: d.adapt,
	}))
}

// doom counts what passes the seams of a node, and ends the process at its point.
type doom struct {
	point
	data string // where the database is

	mu      sync.Mutex
	counts  map[seam]int
	journal *os.File
}

// adapt puts the doom between a node and its store, its network and its chain.
func (d *doom) adapt(c *node.Config) error {
	for i, arg := range os.Args[:len(os.Args)-1] {
		if arg == "--dir" {
			d.data = filepath.Join(os.Args[i+1], "store", "data")
		}
	}
	if err := d.acknowledge(); err != nil {
		return err
	}
	if os.Getenv(diskEnv) != "" {
		if err := d.starve(c); err != nil {
			return err
		}
	}
	c.Store = doomedStore{c.Store, d}
	dev.Wrap(c, func(net node.Network) node.Network { return doomedNetwork{net, d} })
	var err error
	c.Chain.URL, err = d.proxy(c.Chain.URL)
	return err
}

// starve opens the store again, on a disk of which every line of the standard input says how many
// writes it has room for, and how many more once the store gives up its reserve; -1: it has room
// again.
func (d *doom) starve(c *node.Config) error {
	if err := c.Store.Close(); err != nil {
		return err
	}
	disk := storetest.RealDisk(filepath.Dir(d.data))
	s, err := disk.Open()
	if err != nil {
		return err
	}
	c.Store = s
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			var room, reserve int
			if _, err := fmt.Sscan(lines.Text(), &room, &reserve); err != nil {
				panic(err)
			}
			if room < 0 {
				disk.Free()
			} else {
				disk.Fill(room, reserve)
			}
		}
	}()
	return nil
}

// at does an operation at a seam.
func (d *doom) at(s seam, do func() error) error {
	d.mu.Lock()
	d.counts[s]++
	d.counts[anywhere]++
	mine := (s == d.seam || d.seam == anywhere) && d.counts[d.seam] == d.n
	_, err := fmt.Fprintln(d.journal, s)
	d.mu.Unlock()
	if err != nil {
		return err
	}
	if mine && !d.after {
		die()
	}
	err = do()
	if mine {
		die()
	}
	if err == nil && s == persist {
		err = d.acknowledge()
	}
	return err
}

// die is SIGKILL, where there is such a thing.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {}
}

// acknowledge notes how much of the database's log must survive: all that was written before a
// commit returns.
func (d *doom) acknowledge() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	name, size, err := newestLog(d.data)
	if err == nil {
		_, err = fmt.Fprintln(d.journal, acknowledged, name, size)
	}
	return err
}

const acknowledged = "acknowledged"

// newestLog returns the name and the size in bytes of the log that a database is writing.
func newestLog(data string) (name string, size int64, err error) {
	logs, err := filepath.Glob(filepath.Join(data, "*.log"))
	if err != nil || len(logs) == 0 {
		return "", 0, fmt.Errorf("no log in %s: %w", data, err)
	}
	name = slices.Max(logs)
	info, err := os.Stat(name)
	if err != nil {
		return "", 0, err
	}
	return name, info.Size(), nil
}

type doomedStore struct {
	store.Store
	doom *doom
}

func (s doomedStore) Commit(changes map[string][]byte) error {
	return s.doom.at(persist, func() error { return s.Store.Commit(changes) })
}

type doomedNetwork struct {
	node.Network
	doom *doom
}

func (n doomedNetwork) Send(to common.Address, env *antev1.Envelope) error {
	return n.doom.at(send, func() error { return n.Network.Send(to, env) })
}

// proxy stands between the node and its endpoint. Dead after a transaction is sent means: before
// the answer is read.
func (d *doom) proxy(target string) (string, error) {
	to, err := url.Parse(target)
	if err != nil {
		return "", err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	on := httputil.NewSingleHostReverseProxy(to)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		forward := func() error { on.ServeHTTP(w, r); return nil }
		if !bytes.Contains(body, []byte(`"eth_sendRawTransaction"`)) {
			_ = forward()
		} else if err := d.at(submit, forward); err != nil {
			panic(http.ErrAbortHandler)
		}
	})}
	go func() { _ = server.Serve(listener) }() // for as long as the process lives
	return "http://" + listener.Addr().String(), nil
}
