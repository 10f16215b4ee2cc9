package repository_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/ante-games/ante"
)

// TestVersions: the module, the API, the client and the newest entry of the changelog have one
// semantic version.
func TestVersions(t *testing.T) {
	atRoot(t)
	if !regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-dev)?$`).MatchString(ante.Version) {
		t.Errorf("%q is no semantic version", ante.Version)
	}
	entry := regexp.MustCompile(`(?m)^## (\S+?):? `).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if entry == nil || entry[1] != ante.Version {
		t.Errorf("the newest entry of CHANGELOG.md is %q, the version %s", entry, ante.Version)
	}
	var client struct{ Version string }
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	for path, into := range map[string]any{"clients/typescript/package.json": &client, "package-lock.json": &lock} {
		if err := json.Unmarshal([]byte(read(t, path)), into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	if locked := lock.Packages["clients/typescript"].Version; client.Version != ante.Version || locked != ante.Version {
		t.Errorf("the client is %s, in package-lock.json %s, the version %s", client.Version, locked, ante.Version)
	}
}
