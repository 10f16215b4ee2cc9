package cli

import (
	"github.com/ante-games/ante/node/api"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/web"
	"github.com/spf13/cobra"
)

func pageCommand(a *app) *cobra.Command {
	var play bool
	cmd := &cobra.Command{Use: "page", Short: "The link to the daemon's page in the browser", Args: cobra.NoArgs,
		Long: "Print the link to the page that shows the daemon's alarms, channels and matches. Whoever has the link can look, but\n" +
			"neither play nor spend; with --play it allows all that you can do: keep that one to yourself. It is valid as long as the\n" +
			"daemon's token is, on this computer only. A token of channeld access, put behind the #, plays up to its limit.",
		RunE: a.client(func(daemon *remote, _ []string) error {
			// It is the daemon that listens there; it may wait for what is to be done on the page.
			if _, err := call(daemon, daemon.GetStatus, &antev1.GetStatusRequest{}); err != nil && !nodeless(err) {
				return err
			}
			link, err := a.link(play)
			if err != nil {
				return err
			}
			return a.report(map[string]string{"link": link}, "%s\n", link)
		})}
	cmd.Flags().BoolVar(&play, "play", false, "print the link of the page that plays, and spends")
	return cmd
}

// link returns where the running daemon's page is, with what it may do.
func (a *app) link(play bool) (string, error) {
	token, err := a.token()
	if err != nil {
		return "", err
	}
	address, err := a.address()
	if err != nil {
		return "", err
	}
	if !play {
		token = api.View(token)
	}
	return "http://" + address + web.Path + "#" + token, nil
}
