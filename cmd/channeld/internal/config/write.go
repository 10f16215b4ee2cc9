package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ante-games/ante/internal/files"
	"github.com/spf13/pflag"
)

// ErrExist is returned by Write where there is a file already.
var ErrExist = errors.New("there is a configuration already")

const heading = `# Settings of channeld. Each can also be given in the environment (CHANNELD_CHAIN_URL for chain.url), which goes over this
# file, or as a flag of the run command (--chain.url), which goes over both. Amounts: 0.5eth, 20gwei, or wei.
`

// Write writes a new file with every setting, what it means, and what Load makes of the same
// arguments. It is checked first, and has mode 0600. The source is a file with some of the
// settings, a network's say; empty for none.
func Write(path, source string, environ []string, flags *pflag.FlagSet) error {
	values, unread := resolve(source, environ, flags)
	_, err := check(values)
	if err := errors.Join(unread, err); err != nil {
		return err
	}
	// whole or not at all: of a torn one the rest would be defaults
	err = files.WriteNew(filepath.Dir(path), filepath.Base(path), []byte(render(values)))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s: edit it, or choose another directory", ErrExist, path)
	}
	return err
}

func render(values map[string]value) string {
	var out strings.Builder
	out.WriteString(heading)
	section := ""
	for _, s := range settings {
		name, key, _ := strings.Cut(s.key, ".")
		if name != section {
			if section = name; name == "peers" {
				renderGames(&out, values)
			}
			fmt.Fprintf(&out, "\n%s:\n", name)
		}
		fmt.Fprintf(&out, "  # %s\n  %s: %s\n", s.help, key, scalar(values[s.key].text))
	}
	return out.String()
}

func renderGames(out *strings.Builder, values map[string]value) {
	fmt.Fprintf(out, "\n# Addresses of the games' rules contracts, by name.\n%s:\n", gamesKey)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if game, ok := strings.CutPrefix(key, gamesKey+"."); ok {
			fmt.Fprintf(out, "  %q: %s\n", game, scalar(values[key].text)) // a game may be named null
		}
	}
}

// scalar quotes what YAML might take for something else.
func scalar(v string) string {
	if v == "true" || v == "false" || v != "" && strings.Trim(v, "0123456789") == "" && len(v) < 10 {
		return v
	}
	return fmt.Sprintf("%q", v)
}
