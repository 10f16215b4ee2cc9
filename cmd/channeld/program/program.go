// Package program is channeld with whatever games: a program of a few lines that calls Main is a
// channeld that knows a game of yours, too.
package program

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/ante-games/ante/cmd/channeld/internal/cli"
	"github.com/ante-games/ante/games"
	_ "golang.org/x/crypto/x509roots/fallback" // where the system has none: in an empty container
)

// Main is the whole program: it runs the command that the process was called with, and exits.
func Main(catalog games.Catalog) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], cli.Terminal{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Games: catalog,
	})
	stop()
	os.Exit(code)
}
