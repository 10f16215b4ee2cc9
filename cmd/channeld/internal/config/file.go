package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	parsers "github.com/knadh/koanf/parsers/yaml"
	"go.yaml.in/yaml/v3"
)

// parser reads a file as a person would: numbers as they are written, for 0100 is octal in YAML,
// and nothing is passed over in silence.
type parser struct{ *parsers.YAML }

func (parser) Unmarshal(text []byte) (map[string]any, error) {
	var document yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("yaml: there is something after the settings, a second --- say")
	}
	asWritten(&document)
	var out map[string]any
	if err := document.Decode(&out); err != nil {
		return nil, err
	}
	return out, once(out, "", map[string]bool{})
}

func asWritten(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!int" || n.ShortTag() == "!!float") {
		n.Tag = "!!str"
	}
	for _, in := range n.Content {
		asWritten(in)
	}
}

// once fails if a setting is there twice: in its section, and as a key with a dot.
func once(section map[string]any, prefix string, seen map[string]bool) error {
	for name, v := range section {
		key := prefix + name
		if in, ok := v.(map[string]any); ok {
			if err := once(in, key+".", seen); err != nil {
				return err
			}
			continue
		}
		if seen[key] {
			return fmt.Errorf("yaml: %s is there twice", key)
		}
		seen[key] = true
	}
	return nil
}
