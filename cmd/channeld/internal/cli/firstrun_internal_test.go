package cli

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/spf13/pflag"
)

// TestTellKept_NoKey: what the first run says of its settings ends in a service's log, where the
// access key of an endpoint must not be.
func TestTellKept_NoKey(t *testing.T) {
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	config.Flags(flags)
	if err := flags.Parse([]string{"--chain.url", "https://rpc.example/v2/s3cret", "--chain.second", "https://u:s3cret@rpc.example", "--play.window", "100"}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	(&app{Terminal: Terminal{Err: &out}, dir: "d"}).tellKept(flags)
	if said := out.String(); strings.Contains(said, "s3cret") || !strings.Contains(said, "chain.url https://rpc.example/…") || !strings.Contains(said, "play.window 100") {
		t.Errorf("it says %q", said)
	}
}
