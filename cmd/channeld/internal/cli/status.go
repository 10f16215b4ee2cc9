package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// errAlarm ends the status command while an alarm stands, with the exit code of its own that monitors look for.
var errAlarm = errors.New("an alarm stands: see channeld alarms")

// alarmCode is that exit code. Every other failure ends with 1.
const alarmCode = 3

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{Use: "status", Short: "Who, where and how the daemon is", Args: cobra.NoArgs,
		Long: "Who, where and how the daemon is. The exit code is 0 while all is well, 3 while an alarm stands, and 1 if the daemon\n" +
			"does not answer.",
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			s, err := call(api, api.GetStatus, &antev1.GetStatusRequest{})
			if err != nil {
				return err
			}
			err = a.show(s, func(w io.Writer) {
				fmt.Fprintf(w, "account    %s\n", s.Account)
				if s.Wallet != s.Account {
					fmt.Fprintf(w, "wallet     %s (pays for gas)\n", s.Wallet)
				}
				fmt.Fprintf(w, "chain      %d, block %d, Arena %s, its clock is at %d %s\n", s.ChainId, s.Block, s.Arena, s.Clock, s.ClockUnit)
				fmt.Fprintf(w, "reached at %s\n", strings.Join(s.Addresses, "\n           "))
				fmt.Fprintf(w, "peers      %d connected\n", s.Peers)
				fmt.Fprintf(w, "channels   %d\n", s.Channels)
				if s.Held > 0 {
					fmt.Fprintf(w, "           %d held, which sign nothing until your towers have answered: see channeld channels\n", s.Held)
				}
				fmt.Fprintf(w, "store      generation %d\n", s.Generation)
				if s.Restored != 0 {
					fmt.Fprintf(w, "           restored from a backup in generation %d: nothing is signed in the channels from before\n", s.Restored)
				}
				for _, t := range s.Towers {
					printTower(w, t)
				}
				if s.Gas != "" {
					fmt.Fprintf(w, "gas        %s; the worst dispute would cost %s now\n", wei.Decimal(s.Gas, wei.Format), wei.Decimal(s.GasReserve, wei.Format))
				} else {
					fmt.Fprintf(w, "STALE      the chain doesn't answer: what is shown is as of block %d\n", s.Block)
				}
				if s.Alarms > 0 || s.Standing > 0 {
					fmt.Fprintf(w, "ALARMS     %d stand, %d within the last day: see channeld alarms\n", s.Standing, s.Alarms)
				}
			})
			if err == nil && s.Standing > 0 {
				err = errAlarm
			}
			return err
		}}
}

func printTower(w io.Writer, t *antev1.TowerInfo) {
	state := "connected"
	if !t.Connected {
		state = "not connected"
	}
	fmt.Fprintf(w, "tower      %s, %s\n", t.Account, state)
	for _, c := range t.Channels {
		fmt.Fprintf(w, "           channel %s: ledger %d", short(c.ChannelId), c.Version)
		for _, m := range c.Matches {
			fmt.Fprintf(w, ", match %s to turn %s", short(m.MatchId), m.Turn)
		}
		if c.Behind {
			fmt.Fprint(w, ", BEHIND")
		}
		if c.Refusal != "" {
			fmt.Fprintf(w, " (%s)", clean(c.Refusal))
		}
		fmt.Fprintln(w)
	}
}

func (a *app) alarmsCommand() *cobra.Command {
	return &cobra.Command{Use: "alarms", Short: "What needs you", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.ListAlarms, &antev1.ListAlarmsRequest{})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				if len(r.Alarms) == 0 {
					fmt.Fprintln(w, "all is well")
				}
				for _, alarm := range r.Alarms {
					stands := "      "
					if alarm.Stands {
						stands = "STANDS"
					}
					fmt.Fprintf(w, "%s  %s  %s %s\n", stands, clockTime(alarm.Time), short(alarm.ChannelId), clean(alarm.Text))
				}
			})
		}}
}

func clockTime(unix int64) string { return time.Unix(unix, 0).Format("2006-01-02 15:04:05") }

func (a *app) transactionsCommand() *cobra.Command {
	var limit uint32
	cmd := &cobra.Command{Use: "transactions", Short: "What was sent to the chain, newest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api := a.client(c.Context())
			r, err := call(api, api.ListTransactions, &antev1.ListTransactionsRequest{Limit: limit})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) {
				rows := make([][]string, len(r.Transactions))
				for i, t := range r.Transactions {
					what := t.Why
					if t.Error != "" {
						what += " (" + t.Error + ")"
					}
					rows[i] = []string{transactionStatus(t), fmt.Sprint(t.GasUsed), fee(t.Fee), short(t.Hash), clean(what)}
				}
				table(w, []string{"STATUS", "GAS", "FEE", "HASH", "WHAT"}, rows)
			})
		}}
	cmd.Flags().Uint32Var(&limit, "limit", 20, "how many")
	return cmd
}

func transactionStatus(t *antev1.Transaction) string { return enum(t.Status, "TRANSACTION_STATUS_") }
