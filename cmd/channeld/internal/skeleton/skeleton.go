// Package skeleton writes the beginnings of a game: an example, complete and tested, under another
// name.
package skeleton

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ante-games/ante/examples"
)

// Example is a game that another one may begin as.
type Example struct{ name, contract string }

var (
	// Open is a game in which everybody sees everything.
	Open = Example{"tictactoe", "TicTacToe"}
	// Secret is a game in which seats commit to what they choose, and open it later.
	Secret = Example{"roshambo", "Roshambo"}
)

// ErrName means that a name is none for a game's package.
var ErrName = errors.New("bad name of a game")

var name = regexp.MustCompile(`^[a-z][a-z0-9]{1,30}$`)

// taken matches names that the files of an example, its program or what is built of it have for
// something else, that no Go package has, or of which Windows has no file, so that the go command
// takes no such module.
var taken = regexp.MustCompile(`^(append|catalog|channel|commitment|context|documentation|illegal|init|irules|main|player|program|con|prn|aux|nul|com[1-9]|lpt[1-9])$`)

// New writes the skeleton of a game into a new directory, as a Go module of its own, which finds
// Ante where it is told to.
func New(dir, game string, e Example, ante Source) error {
	if !name.MatchString(game) {
		return fmt.Errorf("%w: %q: want 2 to 31 lower case letters and digits, a letter first", ErrName, game)
	}
	if token.IsKeyword(game) || taken.MatchString(game) {
		return fmt.Errorf("%w: %q means something else in Go, or in what is written: choose another", ErrName, game)
	}
	if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // sources, for everybody
		return fmt.Errorf("make the game's directory: %w", err)
	}
	if err := fs.WalkDir(examples.Files, e.name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := examples.Files.ReadFile(path)
		if err != nil {
			return err
		}
		to := e.rename(strings.TrimPrefix(path, e.name+"/"), game)
		return write(filepath.Join(dir, filepath.FromSlash(to)), e.rename(string(b), game))
	}); err != nil {
		return fmt.Errorf("write the game: %w", err)
	}
	if err := write(filepath.Join(dir, ".gitignore"), "/channeld\n/devnet/\n/node_modules/\n"); err != nil {
		return err
	}
	return write(filepath.Join(dir, "go.mod"), fmt.Sprintf("module example.com/%s\n\ngo 1.26\n\n%s", game, ante.require()))
}

// rename gives an example another name, in files and their names, and its module.
func (e Example) rename(s, game string) string {
	s = strings.ReplaceAll(s, module+"/examples/"+e.name, "example.com/"+e.name)
	return strings.NewReplacer(e.name, game, e.contract, strings.ToUpper(game[:1])+game[1:]).Replace(s)
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // sources, for everybody
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // sources, for everybody
}
