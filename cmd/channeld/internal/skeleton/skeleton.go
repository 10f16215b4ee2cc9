// Package skeleton writes the beginnings of a game: tictactoe, complete and tested, under another
// name. The files are those of examples/tictactoe; a test compares them.
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

// ErrName means that a name is none for a game's package.
var ErrName = errors.New("bad name of a game")

var name = regexp.MustCompile(`^[a-z][a-z0-9]{1,30}$`)

// suffix keeps the Go tool from taking the files for a package of this module.
const suffix = ".txt"

// New writes the skeleton of a game into a new directory, as a Go module of its own. Ante is where
// this module's sources are; if it is empty, the go command has to find them.
func New(dir, game, ante string) error {
	if !name.MatchString(game) {
		return fmt.Errorf("%w: %q: want lower case letters and digits, a letter first", ErrName, game)
	}
	if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // sources, for everybody
		return fmt.Errorf("make the game's directory: %w", err)
	}
	if err := fs.WalkDir(files, "files", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		to := rename(strings.TrimSuffix(strings.TrimPrefix(path, "files/"), suffix), game)
		return write(filepath.Join(dir, filepath.FromSlash(to)), rename(string(b), game))
	}); err != nil {
		return fmt.Errorf("write the game: %w", err)
	}
	mod := fmt.Sprintf("module example.com/%s\n\ngo 1.26\n", game)
	if ante != "" {
		mod += fmt.Sprintf("\nreplace github.com/ante-games/ante => %s\n", filepath.ToSlash(ante))
	}
	return write(filepath.Join(dir, "go.mod"), mod)
}

// rename gives tictactoe another name, in files and their names.
func rename(s, game string) string {
	contract := strings.ToUpper(game[:1]) + game[1:]
	if game == "tictactoe" {
		contract = "TicTacToe"
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "tictactoe", game), "TicTacToe", contract)
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // sources, for everybody
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // sources, for everybody
}
