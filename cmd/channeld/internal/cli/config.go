package cli

import (
	"errors"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/spf13/cobra"
)

func configCommand(a *app) *cobra.Command {
	show := &cobra.Command{Use: "show", Short: "Every setting, and where it comes from", Args: cobra.NoArgs,
		Long: "Every setting, and where it comes from: a line of the file, the environment, the command line or the default. Give the\n" +
			"flags that you would give to run. Of URLs only scheme and host are shown.",
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := config.Show(a.path(configFile), a.Environ, c.Flags())
			if a.json {
				return errors.Join(a.report(list, ""), err)
			}
			table(a.Out, "SETTING\tVALUE\tFROM", list, func(s config.Setting) []any { return []any{s.Key, s.Value, s.From} })
			return err
		}}
	validate := &cobra.Command{Use: "validate", Short: "Check the settings, and say all that is wrong", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := a.config(c)
			if err != nil {
				return err
			}
			o := daemon.Options{Config: settings, Games: a.Games, Foreign: a.pins()}
			if err := o.Check(); err != nil {
				return err
			}
			return a.report(map[string]bool{"valid": true}, "the settings of %s are valid\n", a.dir)
		}}
	for _, c := range []*cobra.Command{show, validate} {
		config.Flags(c.Flags())
	}
	return group(&cobra.Command{Use: "config", Short: "The settings, and what is wrong with them"}, show, validate)
}
