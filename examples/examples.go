// Package examples holds games that no list has: what the tutorial shows, and what channeld game
// new writes under another name.
package examples

import "embed"

// Files are the examples written in Go, a directory each.
//
//go:embed tictactoe roshambo
var Files embed.FS
