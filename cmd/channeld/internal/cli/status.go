package cli

import (
	"errors"
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// errAlarm ends a command that looks while something is wrong, with an exit code of its own that
// monitors look for.
var errAlarm = errors.New("an alarm stands: see channeld alarms")

func statusCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "status", Short: "Show accounts, addresses, and whether all is well", Args: cobra.NoArgs,
		Long: "Show the daemon's accounts and addresses, and whether all is well. The exit code is 0 while all is well, 3 while an\n" +
			"alarm stands, and 1 if the daemon does not answer.",
		RunE: a.client(func(api *remote, _ []string) error {
			s, err := call(api, api.GetStatus, &antev1.GetStatusRequest{})
			if err != nil {
				return err
			}
			var unread error
			if err = api.print(s, func() {
				api.printStatus(s)
				unread = api.printOpen()
			}); err == nil {
				err = unread
			}
			if err == nil && s.Standing > 0 {
				err = errAlarm
			}
			return err
		})}
}

func (api *remote) printStatus(s *antev1.GetStatusResponse) {
	api.printf("account    %s\n", s.Account)
	if s.Nickname != "" {
		api.printf("nickname   %s\n", clean(s.Nickname))
	}
	if s.Wallet != s.Account {
		api.printf("wallet     %s (pays for gas)\n", s.Wallet)
	}
	api.printf("chain      %d, block %d, Arena %s, its clock is at %d %s\n", s.ChainId, s.Block, s.Arena, s.Clock, s.ClockUnit)
	api.printf("reached at %s\n", cleanLines(strings.Join(s.Addresses, "\n           ")))
	api.printf("peers      %d connected\n", s.Peers)
	api.printf("channels   %d\n", s.Channels)
	if s.Held > 0 {
		api.printf("           %d held, which sign nothing until your towers have answered: see channeld channels\n", s.Held)
	}
	api.printf("store      generation %d\n", s.Generation)
	if s.Restored != 0 {
		api.printf("           restored from a backup in generation %d: nothing is signed in the channels from before\n", s.Restored)
	}
	for _, t := range s.Towers {
		api.printTower(t)
	}
	if s.Gas != "" {
		api.printf("gas        %s; the worst dispute would cost %s now\n", ether(s.Gas), ether(s.GasReserve))
	} else {
		api.printf("STALE      the chain doesn't answer: what is shown is as of block %d\n", s.Block)
	}
	if s.Alarms > 0 || s.Standing > 0 {
		api.printf("ALARMS     %d stand, %d within the last day: see channeld alarms\n", s.Standing, s.Alarms)
	}
}

// printOpen says which channels are contested, and which matches wait for the user.
func (api *remote) printOpen() error {
	channels, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{})
	if err != nil {
		return err
	}
	for _, ch := range channels.Channels {
		if ch.Status == antev1.ChannelStatus_CHANNEL_STATUS_CONTESTED {
			api.printf("contested  channel %s with %s: see channeld dispute show %[1]s\n", short(ch.Id), others(ch.Players))
		}
	}
	matches, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{})
	if err != nil {
		return err
	}
	for _, m := range matches.Matches {
		if m.YourTurn || m.Deadline > 0 && !ended(m) {
			api.printf("match      %s %s, %s\n", m.Game, short(m.Id), matchStatus(m))
		}
	}
	return nil
}

func (api *remote) printTower(t *antev1.TowerInfo) {
	state := "connected"
	if !t.Connected {
		state = "not connected"
	}
	api.printf("tower      %s, %s\n", t.Account, state)
	for _, c := range t.Channels {
		api.printf("           channel %s: ledger %d", short(c.ChannelId), c.Version)
		for _, m := range c.Matches {
			api.printf(", match %s to turn %s", short(m.MatchId), m.Turn)
		}
		if c.Behind {
			api.printf(", BEHIND")
		}
		if c.Refusal != "" {
			api.printf(" (%s)", clean(c.Refusal))
		}
		api.printf("\n")
	}
}

func alarmsCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "alarms", Short: "List the alarms", Args: cobra.NoArgs,
		RunE: a.client(func(api *remote, _ []string) error {
			return show(api, api.ListAlarms, &antev1.ListAlarmsRequest{}, func(r *antev1.ListAlarmsResponse) {
				if len(r.Alarms) == 0 {
					api.printf("all is well\n")
				}
				for _, alarm := range r.Alarms {
					stands := ""
					if alarm.Stands {
						stands = "STANDS"
					}
					api.printf("%-6s  %s  %s %s\n", stands, clockTime(alarm.Time), short(alarm.ChannelId), api.named(clean(alarm.Text)))
				}
			})
		})}
}

func clockTime(unix int64) string { return time.Unix(unix, 0).Format("2006-01-02 15:04:05") }
