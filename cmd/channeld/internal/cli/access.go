package cli

import (
	"fmt"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// accessCommand makes and revokes tokens for programs that may do less than the player.
func accessCommand(a *app) *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "List the programs that have a token, and what they may still put at risk", Args: cobra.NoArgs,
		RunE: a.client(func(api *remote, _ []string) error {
			return show(api, api.ListAccess, &antev1.ListAccessRequest{}, func(r *antev1.ListAccessResponse) {
				table(api.Out, "NAME\tMAY\tPUT AT RISK", r.Access, func(x *antev1.Access) []any {
					return []any{clean(x.Name), enum(x.Scope, scopePrefix), api.risked(x)}
				})
			})
		})}
	revoke := &cobra.Command{Use: "revoke NAME", Short: "Revoke a program's token", Args: cobra.ExactArgs(1),
		RunE: a.client(func(api *remote, args []string) error {
			known, err := call(api, api.ListAccess, &antev1.ListAccessRequest{})
			if err != nil {
				return err
			}
			for _, x := range known.Access {
				if x.Name == args[0] {
					return act(api, api.RevokeAccess, &antev1.RevokeAccessRequest{Id: x.Id}, "The token %s is revoked.\n", x.Name)
				}
			}
			return fmt.Errorf("there is no token %s: see channeld access list", args[0])
		})}
	return group(&cobra.Command{Use: "access", Short: "Tokens for other programs: to look, to play up to a limit, or for everything"},
		newAccessCommand(a), list, revoke)
}

func newAccessCommand(a *app) *cobra.Command {
	var scope, limit, asset string
	cmd := &cobra.Command{Use: "new NAME", Short: "Make a token for a program, and print it once", Args: cobra.ExactArgs(1),
		Long: "Make a token for a program. With --scope look it sees everything but the secrets of a running match. With --scope play\n" +
			"it also plays, and puts at risk up to --limit in all. With --scope everything it can do what you can, except make tokens.",
		Example: "  channeld access new my-bot --scope play --limit 0.1eth",
		RunE: a.client(func(api *remote, args []string) error {
			request := &antev1.CreateAccessRequest{Name: args[0], Scope: antev1.AccessScope(antev1.AccessScope_value[scopePrefix+strings.ToUpper(scope)])}
			if limit != "" {
				amount, err := api.parse(limit, asset)
				if err != nil {
					return err
				}
				request.Limits = []*antev1.AssetAmount{{Asset: asset, Amount: amount}}
			}
			return show(api, api.CreateAccess, request, func(r *antev1.CreateAccessResponse) { api.printf("%s\n", r.Token) })
		})}
	cmd.Flags().StringVar(&scope, "scope", "look", "what it may do: look, play or everything")
	cmd.Flags().StringVar(&limit, "limit", "", "what it may put at risk, with --scope play")
	assetFlag(cmd, &asset)
	return cmd
}

const scopePrefix = "ACCESS_SCOPE_"

// risked says how much of its limits a token has put at risk.
func (api *remote) risked(x *antev1.Access) string {
	var parts []string
	for _, l := range x.Limits {
		used := "0"
		for _, r := range x.Risked {
			if r.Asset == l.Asset {
				used = r.Amount
			}
		}
		parts = append(parts, api.money(used, l.Asset)+" of "+api.money(l.Amount, l.Asset))
	}
	return strings.Join(parts, ", ")
}
