package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// processes are what a script runs in the background, by name.
type processes map[string]*process

// background is where a script keeps them.
const background = "background"

type process struct {
	cmd   *exec.Cmd
	log   strings.Builder // its standard error, to be read when it has ended
	ready chan struct{}   // closed when it says that it is ready
	ended chan struct{}   // closed when it has
	err   error           // how it ended
}

// start runs channeld in the background and waits until it says that it is ready: start NAME
// ARGUMENT…; with ! it is interrupted and has to end without an error, as it has at the end of the
// script.
func start(ts *testscript.TestScript, stop bool, args []string) { startAs("channeld", ts, stop, args) }

// cheat starts a channeld that lies, as start does one that doesn't.
func cheat(ts *testscript.TestScript, stop bool, args []string) {
	startAs("channeld-liar", ts, stop, args)
}

func startAs(name string, ts *testscript.TestScript, stop bool, args []string) {
	all := ts.Value(background).(processes)
	if stop {
		all[args[0]].stop(ts)
		return
	}
	program := filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], name)
	p := &process{cmd: exec.Command(program, args[1:]...)} //nolint:gosec // this very binary
	p.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "CHANNELD_DIR"} {
		p.cmd.Env = append(p.cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(p.launch())
	all[args[0]] = p
	ts.Defer(func() { p.stop(ts) })
	select {
	case <-p.ready:
	case <-p.ended:
		ts.Fatalf("%s ended: %v\n%s", args[0], p.err, p.log.String())
	}
}

// launch starts the process.
func (p *process) launch() error {
	p.ready, p.ended = make(chan struct{}), make(chan struct{})
	p.cmd.Stderr = &p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "stop it with Ctrl-C") {
				close(p.ready)
			}
		}
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return nil
}

// calm makes sure that a process which has ended logged no warning and no error: calm NAME.
func calm(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: calm NAME")
	}
	p := ts.Value(background).(processes)[args[0]]
	<-p.ended
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			ts.Fatalf("%s logged: %s", args[0], line)
		}
	}
}

func (p *process) stop(ts *testscript.TestScript) {
	select {
	case <-p.ended:
		return
	default:
	}
	ts.Check(p.cmd.Process.Signal(os.Interrupt))
	<-p.ended
	if p.err != nil {
		ts.Fatalf("%v\n%s", p.err, p.log.String())
	}
}
