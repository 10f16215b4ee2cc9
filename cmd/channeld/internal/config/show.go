package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Setting is a setting for people.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"` // of a URL only scheme and host: the rest may be an access key
	From  string `json:"from"`  // FILE:LINE, or what else set it
}

// Show returns every setting and where it comes from, with the same arguments as Load and also
// beside an error of it.
func Show(path string, environ []string, flags *pflag.FlagSet) ([]Setting, error) {
	values, unread := resolve(path, environ, flags)
	_, err := check(values)
	var list []Setting
	for _, s := range settings {
		list = append(list, Setting{s.key, Shown(s.key, values[s.key].text), values[s.key].from})
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if strings.HasPrefix(key, gamesKey+".") {
			list = append(list, Setting{key, Shown(key, values[key].text), values[key].from})
		}
	}
	return list, errors.Join(unread, err)
}

// likeKey matches what is as long as a private key, which belongs into no setting.
var likeKey = regexp.MustCompile("[0-9a-fA-F]{64}")

// discreet is an error about a value, without what may be a private key in it.
type discreet struct{ error }

func (e discreet) Error() string { return likeKey.ReplaceAllString(e.error.Error(), "…") }
func (e discreet) Unwrap() error { return e.error }

// Shown is the value of a setting for people: it leaves out of a URL what may be secret, and what
// may be a private key that was taken for an account.
func Shown(key, v string) string {
	v = likeKey.ReplaceAllString(v, "…")
	if !strings.Contains(v, "://") {
		address := strings.HasPrefix(key, "chain.") && strings.ContainsAny(v, "/@") || key == "keys.signer" && strings.Contains(v, "@")
		if address && !strings.HasPrefix(v, "/") {
			return "(no URL)"
		}
		return v
	}
	u, err := url.Parse(v)
	if err != nil {
		return "(no URL)"
	}
	if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return u.Scheme + "://" + u.Host + "/…"
	}
	return v
}

func nowhere(string) string { return "" }

// lines returns a function that says on which line of a file a setting is: ":12", empty where that
// can't be said.
func lines(path string) func(key string) string {
	var document yaml.Node
	text, err := os.ReadFile(path)
	if err != nil || yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 {
		return nowhere
	}
	return func(key string) string {
		at, line := document.Content[0], 0
		for _, name := range strings.Split(key, ".") {
			if at == nil || at.Kind != yaml.MappingNode {
				return ""
			}
			pairs := at.Content
			at = nil
			for i := 0; i+1 < len(pairs); i += 2 {
				if pairs[i].Value == name {
					at, line = pairs[i+1], pairs[i].Line
				}
			}
		}
		if at == nil {
			return ""
		}
		return fmt.Sprintf(":%d", line)
	}
}
