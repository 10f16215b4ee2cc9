package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
)

// ErrConfig is wrapped by every error about settings.
var ErrConfig = errors.New("bad configuration")

// Flags adds a flag for every setting but the games.
func Flags(flags *pflag.FlagSet) {
	for _, s := range settings {
		flags.String(s.key, s.value, s.help)
	}
}

// Given returns the names of the settings that the flags set, in order.
func Given(flags *pflag.FlagSet) []string {
	var list []string
	for _, s := range settings {
		if flags.Changed(s.key) {
			list = append(list, s.key)
		}
	}
	return list
}

// ofChain are the settings that a file with those of a chain may have, by name or section. Such
// files come from others: they don't say whose the money is, nor what is done with it.
var ofChain = []string{"chain", gamesKey, "peers", "api.listen", "play.window", "wait.confirmations", "wait.poll"}

// CheckNetwork fails where a file with the settings of a chain has others.
func CheckNetwork(path string) error {
	k, err := readFile(path)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrConfig, path, err)
	}
	var wrong []error
	for _, key := range k.Keys() {
		section, _, _ := strings.Cut(key, ".")
		if !slices.Contains(ofChain, key) && !slices.Contains(ofChain, section) {
			wrong = append(wrong, fmt.Errorf("%w: %s%s: %s is no setting of a chain: take it out, or give it as a flag if you want it", ErrConfig, path, lines(path)(key), key))
		}
	}
	return errors.Join(wrong...)
}

// value is what a setting is set to, and by what.
type value struct{ text, from string }

// Load reads the settings: flags over environment over file over default. Flags may be nil. The
// environment is a list of NAME=value. A missing file is no error. Its error says everything that
// is wrong.
func Load(path string, environ []string, flags *pflag.FlagSet) (*Config, error) {
	values, unread := resolve(path, environ, flags)
	c, err := check(values)
	if err := errors.Join(unread, err); err != nil {
		return nil, err
	}
	return c, nil
}

func check(values map[string]value) (*Config, error) {
	c := &Config{Games: map[string]common.Address{}}
	var wrong []error
	readable := true // the settings of the keys
	for _, s := range settingsOf(c) {
		v := values[s.key]
		if err := s.set(v.text); err != nil {
			wrong = append(wrong, fmt.Errorf("%w: %s, from %s: %w", ErrConfig, s.key, v.from, discreet{err}))
			readable = readable && !strings.HasPrefix(s.key, "keys.")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		game, ok := strings.CutPrefix(key, gamesKey+".")
		if !ok {
			continue
		}
		v := values[key]
		var at common.Address
		if err := address(&at, v.text); err != nil || at == (common.Address{}) {
			wrong = append(wrong, fmt.Errorf("%w: %s, from %s: want the address of the game's rules contract, in quotes", ErrConfig, key, v.from))
		}
		c.Games[game] = at
	}
	if readable {
		wrong = append(wrong, c.Keys.check())
	}
	return c, errors.Join(wrong...)
}

// check refuses settings of the keys that do not fit together.
func (k *Keys) check() error {
	switch {
	case k.Signer != "" && k.Player == (common.Address{}):
		return fmt.Errorf("%w: keys.signer needs keys.player: which of its accounts is yours", ErrConfig)
	case k.InBrowser() && k.Owner != (common.Address{}):
		return fmt.Errorf("%w: keys.owner does not go with keys.signer browser: a contract wallet's owner signs in the keystore or at an external signer", ErrConfig)
	case k.Owner != (common.Address{}) && k.Player == (common.Address{}):
		return fmt.Errorf("%w: keys.owner needs keys.player: the contract wallet", ErrConfig)
	case k.Player != (common.Address{}) && k.Signer == "" && k.Owner == (common.Address{}):
		return fmt.Errorf("%w: keys.player needs keys.signer, which has its key, or keys.owner, whose signatures it takes", ErrConfig)
	}
	return nil
}

// resolve merges the sources, the weakest first. What can't be read is left out.
func resolve(path string, environ []string, flags *pflag.FlagSet) (map[string]value, error) {
	values := map[string]value{}
	for _, s := range settings {
		values[s.key] = value{s.value, "the default"}
	}
	var wrong []error
	for _, source := range []struct {
		name string
		load func() (*koanf.Koanf, error)
		line func(key string) string
	}{
		{path, func() (*koanf.Koanf, error) { return readFile(path) }, lines(path)},
		{"the environment", func() (*koanf.Koanf, error) { return readEnv(environ) }, nowhere},
		{"the command line", func() (*koanf.Koanf, error) { return readFlags(flags) }, nowhere},
	} {
		k, err := source.load()
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%w: %s: %w", ErrConfig, source.name, err))
			continue
		}
		for _, key := range k.Keys() {
			from := source.name + source.line(key)
			if !known(key) {
				wrong = append(wrong, fmt.Errorf("%w: %s: there is no setting %s", ErrConfig, from, key))
			} else if key != gamesKey { // an empty section
				values[key] = value{text(k.Get(key)), from}
			}
		}
	}
	return values, errors.Join(wrong...)
}

func readFile(path string) (*koanf.Koanf, error) {
	k := koanf.New(".")
	if path == "" {
		return k, nil
	}
	if err := k.Load(file.Provider(path), parser{}); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return k, nil
}

func readEnv(environ []string) (*koanf.Koanf, error) {
	k := koanf.New(".")
	return k, k.Load(env.Provider(".", env.Opt{
		Prefix: "CHANNELD_", TransformFunc: fromVariable, EnvironFunc: func() []string { return environ },
	}), nil)
}

func readFlags(flags *pflag.FlagSet) (*koanf.Koanf, error) {
	k := koanf.New(".")
	if flags == nil {
		return k, nil
	}
	return k, k.Load(posflag.ProviderWithFlag(flags, ".", k, fromFlag), nil)
}

func known(key string) bool {
	if key == gamesKey || strings.HasPrefix(key, gamesKey+".") {
		return true
	}
	return slices.ContainsFunc(settings, func(s setting) bool { return s.key == key })
}

func variable(key string) string {
	return "CHANNELD_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

func fromVariable(name, value string) (string, any) {
	for _, s := range settings {
		if variable(s.key) == name {
			return s.key, value
		}
	}
	if game, ok := strings.CutPrefix(name, variable(gamesKey)+"_"); ok {
		return gamesKey + "." + strings.ToLower(game), value
	}
	section, rest, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(name, "CHANNELD_")), "_")
	if rest == "" || fromKubernetes.MatchString(rest) || !slices.ContainsFunc(settings, func(s setting) bool { return strings.HasPrefix(s.key, section+".") }) {
		return "", nil
	}
	return section + "." + rest, value // there is no such setting: it is mistyped
}

// fromKubernetes matches what is added to the environment for a service called channeld-api, say.
var fromKubernetes = regexp.MustCompile(`^(.*_)?(service|port)(_.*)?$`)

func fromFlag(f *pflag.Flag) (string, any) {
	if !f.Changed || !known(f.Name) {
		return "", nil
	}
	return f.Name, f.Value.String()
}

// text writes a value of the file as a person would.
func text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = text(v[i])
		}
		return strings.Join(items, ",")
	default:
		return fmt.Sprint(v)
	}
}
