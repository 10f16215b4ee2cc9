package repository_test

import (
	"testing"

	"github.com/ante-games/ante/node/api"
)

// TestAPIIsCurrent holds the errors by number in node/api/faults.txt to the code.
func TestAPIIsCurrent(t *testing.T) {
	atRoot(t)
	whole(t, "node/api/faults.txt", api.Faults())
}
