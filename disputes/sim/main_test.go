package sim_test

import (
	"flag"
	"runtime/debug"
	"testing"
)

// TestMain has the tests collect garbage less often than by default: they keep a few megabytes.
// Benchmarks say what programs take, and collect as those do.
func TestMain(m *testing.M) {
	if flag.Parse(); flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	m.Run()
}
