package cli

import (
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) peerCommand() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Show them", Args: cobra.NoArgs}
	addresses := list.Flags().Bool("addresses", false, "and where they are reached, and all of a problem")
	list.RunE = a.client(func(api *remote, _ []string) error { return listPeers(api, *addresses) })
	return group(&cobra.Command{Use: "peer", Short: "Other players' daemons", RunE: list.RunE}, list,
		&cobra.Command{Use: "add ADDRESS", Short: "Connect to one, by what its status command shows", Args: cobra.ExactArgs(1),
			Example: "  channeld peer add /ip4/192.0.2.7/tcp/4101/p2p/12D3KooW…",
			RunE: a.client(func(api *remote, args []string) error {
				return show(api, api.AddPeer, &antev1.AddPeerRequest{Address: args[0]},
					func(r *antev1.AddPeerResponse) { api.printf("connected to %s\n", r.Account) })
			})},
	)
}

// widestProblem is how much of a problem fits on a line.
const widestProblem = 60

func listPeers(api *remote, addresses bool) error {
	return show(api, api.ListPeers, &antev1.ListPeersRequest{}, func(r *antev1.ListPeersResponse) {
		table(api.Out, "ACCOUNT\tSTATE\tWAY\tROUND TRIP\tPROBLEM", r.Peers, func(p *antev1.Peer) []any {
			state := "connected"
			if !p.Connected {
				state = "away"
			}
			problem := []rune(clean(p.Error))
			if len(problem) > widestProblem && !addresses {
				problem = append(problem[:widestProblem], '…')
			}
			return []any{p.Account, state, way(p), roundTrip(p), string(problem)}
		})
		for _, p := range r.Peers {
			if addresses {
				api.printf("%s is reached at\n%s", p.Account, indented(p.Addresses))
			}
		}
	})
}

// way says how what a peer says comes here.
func way(p *antev1.Peer) string {
	switch {
	case !p.Connected:
		return "–"
	case p.Relayed:
		return "relayed"
	default:
		return "direct"
	}
}

func roundTrip(p *antev1.Peer) string {
	if !p.Connected || p.RoundTripUs == 0 {
		return "–"
	}
	d := time.Duration(p.RoundTripUs) * time.Microsecond
	if d > time.Millisecond {
		d = d.Round(time.Millisecond / 10)
	}
	return d.String()
}

// players returns the accounts of players who are typed as account takes them.
func players(api *remote, typed []string) ([]string, error) {
	var accounts []string
	for _, player := range typed {
		one, err := account(api, player)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, one)
	}
	return accounts, nil
}

// account returns the account of a player who is typed as an account, as the beginning of a known
// one, or as an address to connect to.
func account(api *remote, player string) (string, error) {
	if strings.HasPrefix(player, "/") {
		r, err := call(api, api.AddPeer, &antev1.AddPeerRequest{Address: player})
		return r.GetAccount(), err
	}
	if len(player) == 42 {
		return player, nil
	}
	r, err := call(api, api.ListPeers, &antev1.ListPeersRequest{})
	if err != nil {
		return "", err
	}
	peer, err := pick(r.Peers, (*antev1.Peer).GetAccount, player, "peer", "channeld peer list")
	return peer.GetAccount(), err
}
