package cli

import (
	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"
)

func transactionsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "transactions", Short: "What was sent to the chain, newest first", Args: cobra.NoArgs}
	limit := cmd.Flags().Uint32("limit", 20, "how many")
	cmd.RunE = a.client(func(api *remote, _ []string) error {
		return show(api, api.ListTransactions, &antev1.ListTransactionsRequest{Limit: *limit}, func(r *antev1.ListTransactionsResponse) {
			table(api.Out, "STATUS\tGAS\tFEE\tHASH\tWHAT", r.Transactions, func(t *antev1.Transaction) []any {
				what := t.Why
				if t.Error != "" {
					what += " (" + t.Error + ")"
				}
				return []any{transactionStatus(t), t.GasUsed, fee(t.Fee), short(t.Hash), clean(what)}
			})
		})
	})
	return cmd
}

// paid is a reply about a transaction that moves the user's money.
type paid[R any] interface {
	reply[R]
	GetTransaction() *antev1.Transaction
}

// pay calls a method that moves the user's money, and prints that it is on its way or, if the user
// stays for it, that it is done.
func pay[Q, R any, P paid[R]](api *remote, m method[Q, R], request *Q, stays bool) error {
	r, err := call(api, m, request)
	if err != nil {
		return err
	}
	t := P(r).GetTransaction()
	if !stays {
		return api.print(P(r), func() { api.sent(t) })
	}
	done, err := api.final(t)
	if err != nil {
		return err
	}
	proto.Reset(t)
	proto.Merge(t, done)
	return api.print(P(r), func() {
		api.printf("%s: done in block %d, for %s of gas (transaction %s)\n", clean(t.Why), t.Block, wei.Rough(fee(t.Fee)), short(t.Hash))
	})
}

// sent prints that a transaction is on its way.
func (api *remote) sent(t *antev1.Transaction) {
	api.printf("transaction %s is %s; follow it with: channeld transactions\n", t.GetHash(), transactionStatus(t))
}

func transactionStatus(t *antev1.Transaction) string { return enum(t.Status, "TRANSACTION_STATUS_") }

// fee prints what gas costs.
func fee(amount string) string { return wei.Decimal(amount, wei.Gwei) }

// ether prints an amount of wei, rounded where it has many digits.
func ether(amount string) string { return wei.Rough(wei.Decimal(amount, wei.Format)) }
