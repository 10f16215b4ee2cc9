package repository_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOperateNamesAlarmsAndMetrics: each alarm in docs/operate.md is a part of a text that the code
// has, each fault of package chain that is an alarm is there, and so is each metric, and no other.
func TestOperateNamesAlarmsAndMetrics(t *testing.T) {
	atRoot(t)
	page := read(t, "docs/operate.md")
	_, alarms, _ := strings.Cut(page, "the alarm says | do\n")
	alarms, _, _ = strings.Cut(alarms, "\n\n")
	faults, others := read(t, "chain/faults.go"), read(t, "node/chain.go")+read(t, "transport/errors.go")
	var phrases []string
	for line := range strings.Lines(alarms) {
		first, _, _ := strings.Cut(line, " | ")
		for _, found := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
			if phrases = append(phrases, found[1]); !strings.Contains(faults, found[1]) && !strings.Contains(others, found[1]) {
				t.Errorf("no alarm says %q", found[1])
			}
		}
	}
	for _, found := range regexp.MustCompile(`fmt\.Sprintf\("([^"]+)"`).FindAllStringSubmatch(faults, -1) {
		if text := found[1]; !strings.HasPrefix(text, "at block") && !strings.HasPrefix(text, "a log of") && !strings.HasPrefix(text, "the contract refuses") &&
			!slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, p) }) {
			t.Errorf("docs/operate.md doesn't have the alarm %q", text)
		}
	}

	metrics := map[string]bool{}
	for file, prefix := range map[string]string{"node/metrics/metrics.go": "ante_", "tower/metrics/metrics.go": "ante_tower_"} {
		for _, found := range regexp.MustCompile(`(?:gauge|counter)\("(\w+)"`).FindAllStringSubmatch(read(t, file), -1) {
			metrics[prefix+found[1]] = true
		}
	}
	for _, found := range regexp.MustCompile("`(ante_\\w+)`").FindAllStringSubmatch(page, -1) {
		if !metrics[found[1]] {
			t.Errorf("there is no metric %s", found[1])
		}
		delete(metrics, found[1])
	}
	for name := range metrics {
		t.Errorf("docs/operate.md doesn't have the metric %s", name)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
