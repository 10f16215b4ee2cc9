package contracts_test

import (
	"runtime/debug"
	"testing"
)

// TestMain has the tests collect garbage less often than by default: they keep a few megabytes.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
