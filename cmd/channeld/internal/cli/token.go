package cli

import (
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// tokenCommand buys and redeems game tokens. Their balance is that of any asset: channeld balance
// --asset.
func tokenCommand(a *app) *cobra.Command {
	buy := &cobra.Command{Use: "buy TOKEN AMOUNT", Short: "Pay an amount of ETH for tokens, at their fixed rate",
		Example: "  channeld token buy 0x5FbDB2315678afecb367f032d93F642f64180aa3 0.1eth", Args: cobra.ExactArgs(2)}
	staysToBuy := a.waitFlag(buy)
	buy.RunE = a.client(func(api *remote, args []string) error {
		paid, err := api.parse(args[1], "")
		if err != nil {
			return err
		}
		return pay(api, api.BuyTokens, &antev1.BuyTokensRequest{Token: args[0], Paid: paid}, staysToBuy())
	})
	redeem := &cobra.Command{Use: "redeem TOKEN [AMOUNT]", Short: "Burn tokens in the wallet for the ETH that they cost (default: all)",
		Args: cobra.RangeArgs(1, 2)}
	staysToRedeem := a.waitFlag(redeem)
	redeem.RunE = a.client(func(api *remote, args []string) error {
		amount, err := api.parse(first(args[1:]), args[0])
		if err != nil {
			return err
		}
		return pay(api, api.RedeemTokens, &antev1.RedeemTokensRequest{Token: args[0], Amount: amount}, staysToRedeem())
	})
	return group(&cobra.Command{Use: "token", Short: "Buy or redeem tokens to play for (see also: balance --asset)"}, buy, redeem)
}
