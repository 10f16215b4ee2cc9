package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Which build of the program this is", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			built := map[string]string{"version": version(), "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH}
			return a.report(built, "channeld %s, built with %s for %s\n", built["version"], built["go"], built["system"])
		}}
}

// version names the program's build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			revision += " " + s.Value[:12]
		}
	}
	return revision
}
