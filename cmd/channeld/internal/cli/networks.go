package cli

import (
	"github.com/ante-games/ante/cmd/channeld/internal/network"
	"github.com/spf13/cobra"
)

func networksCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "networks", Short: "List the chains that deploy knows, and how they differ", Args: cobra.NoArgs,
		Long: "List the chains that deploy knows, and how they differ. Others work as well. This program knows of no deployment on any\n" +
			"of them: deploy your own, or take network.yaml from somebody you trust.",
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.report(network.Profiles, "")
			}
			table(a.Out, "NETWORK\tCHAIN\tBLOCK\tFINAL AFTER\tCHARGES FOR\tBLOCKS BY\tARENA", network.Profiles, func(p network.Profile) []any {
				charges, by := "gas", "many"
				if p.Rollup {
					charges, by = "gas and data", "a sequencer"
				}
				return []any{p.Name, p.ID, p.Block, p.Confirmations, charges, by, "none yet"}
			})
			return nil
		}}
}
