// Package skeleton writes the beginnings of a game: one that is complete and tested, under another
// name. The files are those of the examples; a test compares them.
package skeleton

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed files
var files embed.FS

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

// suffix keeps the Go tool from taking the files for a package of this module.
const suffix = ".txt"

// New writes the skeleton of a game into a new directory, as a Go module of its own, which finds
// Ante where it is told to.
func New(dir, game string, e Example, ante Source) error {
	if !name.MatchString(game) {
		return fmt.Errorf("%w: %q: want lower case letters and digits, a letter first", ErrName, game)
	}
	if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // sources, for everybody
		return fmt.Errorf("make the game's directory: %w", err)
	}
	from := "files/" + e.name
	if err := fs.WalkDir(files, from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		to := e.rename(strings.TrimSuffix(strings.TrimPrefix(path, from+"/"), suffix), game)
		return write(filepath.Join(dir, filepath.FromSlash(to)), e.rename(string(b), game))
	}); err != nil {
		return fmt.Errorf("write the game: %w", err)
	}
	return write(filepath.Join(dir, "go.mod"), fmt.Sprintf("module example.com/%s\n\ngo 1.26\n\n%s", game, ante.require()))
}

// rename gives an example another name, in files and their names.
func (e Example) rename(s, game string) string {
	contract := strings.ToUpper(game[:1]) + game[1:]
	if game == e.name {
		contract = e.contract
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, e.name, game), e.contract, contract)
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // sources, for everybody
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // sources, for everybody
}
