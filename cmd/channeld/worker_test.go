package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ante-games/ante/cmd/channeld/internal/cli"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/games/catalog"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"
	"go.uber.org/goleak"
)

// quick is the strength of the keys that the tests' own commands make.
const quick = 2

// command is what a worker is told to do.
type command struct {
	Args, Environ []string
	Dir           string
}

// answer is what came of a command.
type answer struct {
	Code     int
	Out, Err []byte
	Left     string // what it left behind; empty: nothing
}

// work is the program of a worker: a process that does one command of channeld after the other, as
// its standard input tells it. Most commands of the scripts do little: a process for each would
// spend nearly all of the processor time on its start.
func work() {
	os.Args[0] = "channeld" // as the commands call their program
	ctx, interrupt := context.WithCancel(context.Background())
	commands := make(chan command)
	go func() {
		defer close(commands)
		defer interrupt() // the script is over
		for in := json.NewDecoder(os.Stdin); ; {
			var c command
			if in.Decode(&c) != nil {
				return
			}
			commands <- c
		}
	}()
	for c := range commands {
		a, err := c.do(ctx)
		if err := errors.Join(err, json.NewEncoder(os.Stdout).Encode(a)); err != nil {
			panic(err)
		}
	}
}

// do gives a command what a process of its own has: its arguments, environment and directory, an
// empty standard input, and an end after which nothing of it runs.
func (c *command) do(ctx context.Context) (a answer, err error) {
	before := goleak.IgnoreCurrent()
	if err := os.Chdir(c.Dir); err != nil {
		return a, err
	}
	in, typed, err := os.Pipe()
	if err != nil {
		return a, err
	}
	defer in.Close()
	if err := typed.Close(); err != nil {
		return a, err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	var out, log text
	a.Code = cli.Main(ctx, c.Args, cli.Terminal{
		In: in, Out: &out, Err: &log, Environ: c.Environ, Games: catalog.Standard(), Light: quick,
	})
	end()
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(before); err != nil {
		a.Left = err.Error()
	}
	a.Out, a.Err = out.bytes, log.bytes
	return a, nil
}

// text is what a command writes. As into a file, several goroutines of it may.
type text struct {
	mu    sync.Mutex
	bytes []byte
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes = append(t.bytes, p...)
	return len(p), nil
}

// worker is a script's worker.
type worker struct {
	cmd   *exec.Cmd
	names []string // of the variables that its commands are told, where they are not empty
	tell  *json.Encoder
	hear  *json.Decoder
	log   strings.Builder // what the process itself says, to be read when it has ended
}

// workerKey is where a script keeps it.
const workerKey = "worker"

// employ gives a script a worker.
func employ(e *testscript.Env) error {
	if *released != "" {
		return nil
	}
	w := &worker{cmd: exec.Command("channeld-worker")}
	w.cmd.Env, w.cmd.Stderr = e.Vars, &w.log
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.tell, w.hear = json.NewEncoder(in), json.NewDecoder(out)
	for _, v := range e.Vars {
		name, _, _ := strings.Cut(v, "=")
		w.names = append(w.names, name)
	}
	settings := pflag.NewFlagSet("", pflag.ContinueOnError)
	config.Flags(settings)
	settings.VisitAll(func(f *pflag.Flag) {
		w.names = append(w.names, "CHANNELD_"+strings.ToUpper(strings.ReplaceAll(f.Name, ".", "_")))
	})
	if err := w.cmd.Start(); err != nil {
		return err
	}
	e.Values[workerKey] = w
	e.Defer(func() {
		_ = in.Close() // it may be dead
		if err := w.cmd.Wait(); err != nil || w.log.Len() > 0 {
			e.T().Fatal("the worker ended: ", err, "\n", w.log.String()) // a data race, say
		}
	})
	return nil
}

// do has the worker do a command, and returns what it prints.
func (w *worker) do(ts *testscript.TestScript, args []string) (stdout, stderr string, err error) {
	c := command{Args: args, Dir: ts.MkAbs(".")}
	for _, name := range w.names {
		if value := ts.Getenv(name); value != "" {
			c.Environ = append(c.Environ, name+"="+value)
		}
	}
	ts.Check(w.tell.Encode(c))
	defer time.AfterFunc(patience, func() { _ = w.cmd.Process.Signal(syscall.SIGQUIT) }).Stop() // its log says where it was
	var a answer
	ts.Check(w.hear.Decode(&a))
	if a.Left != "" {
		ts.Fatalf("it left something behind, so this line needs a process of its own (exec): %s", a.Left)
	}
	if a.Code != 0 {
		err = fmt.Errorf("exit code %d", a.Code)
	}
	return string(a.Out), string(a.Err), err
}

// attempt runs a program, and returns what it prints. Channeld is run by the worker, unless it was
// built elsewhere.
func attempt(ts *testscript.TestScript, program string, args ...string) (stdout, stderr string, err error) {
	if program == "channeld" && *released == "" {
		return ts.Value(workerKey).(*worker).do(ts, args)
	}
	err = ts.Exec(program, args...)
	return ts.ReadFile("stdout"), ts.ReadFile("stderr"), err
}

// printed makes what a program printed the script's stdout and stderr.
func printed(ts *testscript.TestScript, stdout, stderr string) {
	fmt.Fprint(ts.Stdout(), stdout)
	fmt.Fprint(ts.Stderr(), stderr)
}

// run runs channeld as exec does: run ARGUMENT…. What only a process of its own has needs exec:
// what stdin and ttyin type, a place in the background, an exit code to look at.
func run(ts *testscript.TestScript, neg bool, args []string) {
	stdout, stderr, err := attempt(ts, "channeld", args...)
	printed(ts, stdout, stderr)
	switch {
	case err != nil && !neg:
		ts.Fatalf("channeld failed: %v", err)
	case err == nil && neg:
		ts.Fatalf("channeld succeeded")
	}
}
