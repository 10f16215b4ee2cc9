package web_test

import (
	"bufio"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// process is channeld, which runs until it is stopped.
type process struct {
	t     *testing.T
	args  []string
	cmd   *exec.Cmd
	log   string // the file of what it writes
	ready string // the line with which it says that it is ready
}

// channeld is the program with its arguments, in a directory.
func channeld(t *testing.T, dir string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...) //nolint:gosec // this very binary
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asDaemon+"=1")
	return cmd
}

// background starts channeld and waits until it is ready. The test's end stops it.
func background(t *testing.T, dir string, args ...string) *process {
	p := &process{t: t, args: args, log: filepath.Join(t.TempDir(), "log")}
	t.Cleanup(func() {
		p.end(syscall.SIGTERM)
		if text, err := os.ReadFile(p.log); t.Failed() && err == nil {
			t.Logf("%s:\n%s", strings.Join(args, " "), text)
		}
	})
	p.start(dir)
	return p
}

func (p *process) start(dir string) {
	p.t.Helper()
	p.cmd = channeld(p.t, dir, p.args...)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	p.cmd.Stderr = log
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if p.ready = lines.Text(); strings.Contains(p.ready, "Ctrl-C") || strings.Contains(p.ready, `"link"`) {
			go func() {
				for lines.Scan() { // lest it waits to be read
				}
			}()
			return
		}
	}
	p.t.Fatalf("%s ends: %v", strings.Join(p.args, " "), p.cmd.Wait())
}

// end sends a signal and waits for the end; of a process that has ended, nothing.
func (p *process) end(with os.Signal) {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Signal(with)
		_ = p.cmd.Wait()
	}
}

// port is one on which nobody listens. It is below those that a system gives to who connects, which
// would take it before a daemon does.
func port(t *testing.T) string {
	for range 100 {
		p := strconv.Itoa(20_000 + rand.IntN(12_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+p); err == nil {
			_ = l.Close()
			return p
		}
	}
	t.Fatal("no port is free")
	return ""
}
