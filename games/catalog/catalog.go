// Package catalog lists the games that come with Ante.
package catalog

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/battleships"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/games/sumscows"
)

// Standard returns all of them. A program with games of its own appends them.
//
// One more game here also needs its contract in contracts/src/games (make contracts) and in
// internal/mutants/bytecode.go, a board in web/app/src/boards and a check in
// web/app/src/checks/checks.ts, its conformance in the Makefile, its show in cmd/demo/shows.go, its
// lie in cmd/internal/cheat/liar.go, its parameters in package disputes/sim's games_test.go, its
// place in the lists of cmd/channeld/internal/cli/try.go and internal/repository/arrows_test.go,
// its page in docs/games, and a row in README.md and docs/play.md.
func Standard() games.Catalog {
	return games.Catalog{mastermind.Game(), battleships.Game(), splitsteal.Game(), sumscows.Game(), box9.Game()}
}
