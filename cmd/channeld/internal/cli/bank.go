package cli

import (
	"fmt"

	"github.com/ante-games/ante/contracts"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func assetFlag(c *cobra.Command, asset *string) {
	c.Flags().StringVar(asset, "asset", "", "address of an ERC-20 (default: ETH)")
}

func balanceCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "balance", Short: "What you have in the bank, in channels and in the wallet", Args: cobra.NoArgs}
	request := new(antev1.GetBalanceRequest)
	assetFlag(cmd, &request.Asset)
	cmd.RunE = a.client(func(api *remote, _ []string) error {
		return show(api, api.GetBalance, request, func(r *antev1.GetBalanceResponse) {
			money := func(amount string) string { return api.money(amount, request.Asset) }
			table(api.Out, "BANK\tCHANNELS\tMATCHES\tWALLET", []*antev1.GetBalanceResponse{r}, func(r *antev1.GetBalanceResponse) []any {
				return []any{money(r.Bank), money(r.Locked), money(r.Staked), money(r.Wallet)}
			})
		})
	})
	return cmd
}

func depositCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "deposit AMOUNT", Short: "Move money from the wallet into the bank",
		Example: "  channeld deposit 0.5eth\n  channeld deposit 20ANTE --asset 0x5FbDB2315678afecb367f032d93F642f64180aa3", Args: cobra.ExactArgs(1)}
	request := new(antev1.DepositRequest)
	assetFlag(cmd, &request.Asset)
	stays := a.waitFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) (err error) {
		if request.Amount, err = api.parse(args[0], request.Asset); err != nil {
			return err
		}
		return pay(api, api.Deposit, request, stays())
	})
	return cmd
}

func withdrawCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "withdraw AMOUNT|all", Short: "Move free money from the bank to your wallet or another account",
		Long: "Move free money from the bank to your wallet, or with --to to another account, for " + fmt.Sprint(contracts.Gas["withdraw_eth"]) + " gas (ETH).\n" +
			"It is done after as many blocks as make one final (wait.confirmations): 12 by default, on Ethereum some 2½ minutes.\n" +
			"The ether for gas is in your wallet: once no channel is open, deposit what you don't need any more, and withdraw it --to\n" +
			"wherever you like. From a gas account of its own (keys.own_gas, keys.player) nothing comes out but gas: send it little.",
		Example: "  channeld withdraw all\n  channeld withdraw all --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8", Args: cobra.ExactArgs(1)}
	request := new(antev1.WithdrawRequest)
	assetFlag(cmd, &request.Asset)
	cmd.Flags().StringVar(&request.To, "to", "", "account that gets it (default: your own)")
	noQuestion(cmd)
	stays := a.waitFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) (err error) {
		if args[0] != "all" {
			if request.Amount, err = api.parse(args[0], request.Asset); err != nil {
				return err
			}
		}
		return pay(api, api.Withdraw, request, stays())
	})
	return cmd
}
