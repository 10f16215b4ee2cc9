package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes what --help says as pages for man.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "man DIR", Short: "Write the manual: a page for each command", Args: cobra.ExactArgs(1),
		Long:    "Write the manual: a page for each command, into a directory that man looks for them in.",
		Example: "  channeld man ~/.local/share/man/man1 && man channeld-match-propose",
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil { //nolint:gosec // for everybody to read
				return fmt.Errorf("make the manual's directory: %w", err)
			}
			root := c.Root()
			root.DisableAutoGenTag = true // no date: the same program writes the same pages
			if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "channeld " + version(), Manual: "Ante"}, args[0]); err != nil {
				return fmt.Errorf("write the manual: %w", err)
			}
			return a.report(map[string]string{"dir": args[0]}, "the manual is in %s: man %[1]s/channeld.1\n", args[0])
		}}
}
