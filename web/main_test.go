package web_test

import (
	"os"
	"testing"

	"github.com/ante-games/ante/cmd/channeld/program"
	"github.com/ante-games/ante/games/catalog"
)

// asDaemon is in the environment of a process of this binary that is channeld.
const asDaemon = "ANTE_TEST_CHANNELD"

func TestMain(m *testing.M) {
	if os.Getenv(asDaemon) != "" {
		program.Main(catalog.Standard())
	}
	os.Exit(m.Run())
}
