package cli

import (
	"io"

	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// tokenCommand buys and redeems game tokens; their balance is that of any asset: channeld balance --asset.
func (a *app) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "token", Short: "Buy or redeem tokens to play for (see also: balance --asset)"}
	cmd.AddCommand(a.buyCommand(), a.redeemCommand())
	return cmd
}

func (a *app) buyCommand() *cobra.Command {
	return &cobra.Command{Use: "buy TOKEN AMOUNT", Short: "Pay an amount of ETH for tokens, at their fixed rate",
		Example: "  channeld token buy 0x5FbDB2315678afecb367f032d93F642f64180aa3 0.1eth", Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			paid, err := wei.Unit{}.ParseTyped(args[1])
			if err != nil {
				return err
			}
			api := a.client(c.Context())
			r, err := call(api, api.BuyTokens, &antev1.BuyTokensRequest{Token: args[0], Paid: paid.Dec()})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { sent(w, r.Transaction) })
		}}
}

func (a *app) redeemCommand() *cobra.Command {
	return &cobra.Command{Use: "redeem TOKEN [AMOUNT]", Short: "Burn tokens in the wallet for the ETH that they cost (default: all)",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			amount, err := api.units.parse(first(args[1:]), args[0])
			if err != nil {
				return err
			}
			r, err := call(api, api.RedeemTokens, &antev1.RedeemTokensRequest{Token: args[0], Amount: amount})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { sent(w, r.Transaction) })
		}}
}
