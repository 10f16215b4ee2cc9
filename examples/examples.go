// Package examples holds games that no list has: what the tutorial shows, and what channeld game
// new writes under another name.
package examples

import "embed"

// Files are the examples written in Go, a directory each.
//
//go:embed tictactoe/*.go tictactoe/*.sol tictactoe/*.bin tictactoe/*.mjs tictactoe/tictactoed/*.go
//go:embed roshambo/*.go roshambo/*.sol roshambo/*.bin roshambo/*.mjs roshambo/roshambod/*.go
var Files embed.FS
