package repository_test

import (
	"testing"

	"github.com/ante-games/ante/node/api"
)

// TestAPIIsCurrent holds the errors by number in docs/api.md to the code.
func TestAPIIsCurrent(t *testing.T) {
	atRoot(t)
	current(t, "docs/api.md", map[string]string{"faults": api.Faults()})
}
