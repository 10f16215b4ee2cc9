package config

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDefaultsInOperate: docs/operate.md names only settings that there are, with their defaults.
func TestDefaultsInOperate(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/operate.md")
	if err != nil {
		t.Fatal(err)
	}
	defaults, sections := map[string]string{}, map[string]bool{}
	for _, s := range settings {
		defaults[s.key] = s.value
		section, _, _ := strings.Cut(s.key, ".")
		sections[section] = true
	}
	named := regexp.MustCompile("`([a-z]+)\\.([a-z_]+)(?:: [^`]*)?`(?: \\(default `([^`]*)`)?").FindAllStringSubmatch(string(page), -1)
	for _, found := range named {
		key := found[1] + "." + found[2]
		value, known := defaults[key]
		if !known && sections[found[1]] {
			t.Errorf("there is no setting %s", key)
		}
		if strings.Contains(found[0], "default") && found[3] != value {
			t.Errorf("the default of %s is %q, not %q", key, value, found[3])
		}
	}
	if len(named) < 30 {
		t.Errorf("only %d settings were found", len(named))
	}
}
