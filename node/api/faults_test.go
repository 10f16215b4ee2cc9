package api_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/api"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// TestFaults_Numbers: each number is of one kind of error.
func TestFaults_Numbers(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(strings.SplitN(api.Faults(), "---\n", 2)[1]) {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || !strings.HasPrefix(cells[0], "ANTE-") || seen[cells[0]] || len(cells[3]) < 5 {
			t.Errorf("row %q", line)
		}
		seen[cells[0]] = true
	}
}

// TestReference runs the examples of docs/api.md, and finds an error's number in its detail.
func TestReference(t *testing.T) {
	server := serve(t)
	_, err := client(server, "Bearer "+token).GetChannel(t.Context(), connect.NewRequest(&antev1.GetChannelRequest{ChannelId: unknown}))
	if got := number(err); got != "ANTE-2001" {
		t.Errorf("an unknown channel is %q: %v", got, err)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		ran++
		out, err := run(t.Context(), strings.ReplaceAll(line, "http://127.0.0.1:4180", server.URL))
		if err != nil || !strings.HasPrefix(out, `{"`) {
			t.Errorf("%s: %s, %v", line, out, err)
		}
	}
	if ran < 3 {
		t.Errorf("%d examples", ran)
	}
}

func run(ctx context.Context, line string) (string, error) {
	shell := exec.CommandContext(ctx, "sh", "-c", line)
	shell.Env = append(os.Environ(), "TOKEN="+token)
	out, err := shell.Output()
	return string(out), err
}

// number returns the number of an error.
func number(err error) string {
	var c *connect.Error
	if errors.As(err, &c) {
		for _, d := range c.Details() {
			if v, err := d.Value(); err == nil {
				if f, ok := v.(*antev1.Fault); ok {
					return f.Number
				}
			}
		}
	}
	return ""
}
