package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/ante-games/ante"
	"github.com/spf13/cobra"
)

// commit is what a release was built from: its build sets it, because what Go itself would write
// into the program depends on more than the sources.
var commit string

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Which build of the program this is", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.report(map[string]string{"version": ante.Version, "commit": built(), "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH},
				"%s\n", described())
		}}
}

// described says for people which build of the program this is.
func described() string {
	return fmt.Sprintf("channeld %s of %s, built with %s for %s/%s", ante.Version, cmp.Or(built(), "an unknown commit"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// built returns the commit that the program was built from, with a mark if the sources had changed
// since; empty where nobody knows.
func built() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ".changed"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + changed
}

// version is the version with the commit as semantic versioning adds it.
func version() string {
	from := built()
	if from == "" {
		return ante.Version
	}
	return ante.Version + "+" + from[:min(12, len(from))]
}
