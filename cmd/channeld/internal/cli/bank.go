package cli

import (
	"fmt"
	"io"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func assetFlag(c *cobra.Command) *string {
	return c.Flags().String("asset", "", "address of an ERC-20 (default: ETH)")
}

func (a *app) balanceCommand() *cobra.Command {
	var asset *string
	cmd := &cobra.Command{Use: "balance", Short: "What you have in the bank, in channels and in the wallet", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			b, err := call(api, api.GetBalance, &antev1.GetBalanceRequest{Asset: *asset})
			if err != nil {
				return err
			}
			u := api.units
			return a.show(b, func(w io.Writer) {
				table(w, []string{"BANK", "CHANNELS", "MATCHES", "WALLET"}, [][]string{
					{u.money(b.Bank, *asset), u.money(b.Locked, *asset), u.money(b.Staked, *asset), u.money(b.Wallet, *asset)}})
			})
		}}
	asset = assetFlag(cmd)
	return cmd
}

func (a *app) depositCommand() *cobra.Command {
	var asset *string
	cmd := &cobra.Command{Use: "deposit AMOUNT", Short: "Move money from the wallet into the bank",
		Example: "  channeld deposit 0.5eth\n  channeld deposit 20ANTE --asset 0x5FbDB2315678afecb367f032d93F642f64180aa3", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			amount, err := api.units.parse(args[0], *asset)
			if err != nil {
				return err
			}
			r, err := call(api, api.Deposit, &antev1.DepositRequest{Asset: *asset, Amount: amount})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { sent(w, r.Transaction) })
		}}
	asset = assetFlag(cmd)
	return cmd
}

func (a *app) withdrawCommand() *cobra.Command {
	var asset *string
	var to string
	cmd := &cobra.Command{Use: "withdraw AMOUNT|all", Short: "Move free money from the bank to your wallet or another account",
		Example: "  channeld withdraw all", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			typed := args[0]
			if typed == "all" {
				typed = ""
			}
			amount, err := api.units.parse(typed, *asset)
			if err != nil {
				return err
			}
			r, err := call(api, api.Withdraw, &antev1.WithdrawRequest{Asset: *asset, To: to, Amount: amount})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { sent(w, r.Transaction) })
		}}
	asset = assetFlag(cmd)
	cmd.Flags().StringVar(&to, "to", "", "account that gets it (default: your own)")
	return cmd
}

// sent says that a transaction is on its way.
func sent(w io.Writer, t *antev1.Transaction) {
	fmt.Fprintf(w, "transaction %s is %s; follow it with: channeld transactions\n", t.GetHash(), transactionStatus(t))
}
