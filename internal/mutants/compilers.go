package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// compilers are the Solidity compilers at work, each a process that compiles one source after
// another, as it takes longer to start than to compile a game. Many may compile at once.
type compilers struct {
	mu   sync.Mutex
	idle []*compiler
}

type compiler struct {
	in  io.WriteCloser
	out *json.Decoder
	cmd *exec.Cmd
}

// codes are the code of each contract, by name, that a changed source goes into.
type codes map[string]struct{ Before, After string }

// compile returns no codes when the source does not compile. A compiler ends with the context.
func (s *compilers) compile(ctx context.Context, root, path, content string) (made codes, err error) {
	c, err := s.take(ctx, root)
	if err != nil {
		return nil, err
	}
	err = json.NewEncoder(c.in).Encode(map[string]string{"path": path, "content": content})
	if err == nil {
		err = c.out.Decode(&made)
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("compile %s: %w", path, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, c)
	return made, nil
}

// take returns a compiler that nobody else uses.
func (s *compilers) take(ctx context.Context, root string) (*compiler, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.idle) - 1; last >= 0 {
		c := s.idle[last]
		s.idle = s.idle[:last]
		return c, nil
	}
	cmd := exec.CommandContext(ctx, "node", "internal/mutants/compile.mjs")
	cmd.Dir = root
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &compiler{in, json.NewDecoder(out), cmd}, cmd.Start()
}

// close ends those that are idle, if they haven't with their context.
func (s *compilers) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.idle {
		c.close()
	}
	s.idle = nil
}

func (c *compiler) close() {
	_ = c.in.Close()
	_ = c.cmd.Wait() // it ends because it has nothing more to read
}
