package cli

import (
	"fmt"
	"io"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func (a *app) peerCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "peer", Short: "Other players' daemons", Args: cobra.NoArgs, RunE: a.listPeers}
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "Show them", Args: cobra.NoArgs, RunE: a.listPeers},
		&cobra.Command{Use: "add ADDRESS", Short: "Connect to one, by what its status command shows", Args: cobra.ExactArgs(1),
			Example: "  channeld peer add /ip4/192.0.2.7/tcp/4101/p2p/12D3KooW…",
			RunE: func(c *cobra.Command, args []string) error {
				api := a.client(c.Context())
				r, err := call(api, api.AddPeer, &antev1.AddPeerRequest{Address: args[0]})
				if err != nil {
					return err
				}
				return a.show(r, func(w io.Writer) { fmt.Fprintf(w, "connected to %s\n", r.Account) })
			}},
	)
	return cmd
}

func (a *app) listPeers(c *cobra.Command, _ []string) error {
	api := a.client(c.Context())
	r, err := call(api, api.ListPeers, &antev1.ListPeersRequest{})
	if err != nil {
		return err
	}
	return a.show(r, func(w io.Writer) {
		rows := make([][]string, len(r.Peers))
		for i, p := range r.Peers {
			state := "connected"
			if !p.Connected {
				state = "away"
			}
			rows[i] = []string{p.Account, state, strings.Join(p.Addresses, " "), clean(p.Error)}
		}
		table(w, []string{"ACCOUNT", "STATE", "ADDRESSES", "PROBLEM"}, rows)
	})
}

// players returns the accounts of players who are given as account takes them.
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

// account returns the account of a player who is given as an account, the beginning of a known one, or an address to
// connect to.
func account(api *remote, player string) (string, error) {
	if strings.HasPrefix(player, "/") {
		r, err := call(api, api.AddPeer, &antev1.AddPeerRequest{Address: player})
		if err != nil {
			return "", err
		}
		return r.Account, nil
	}
	if len(player) == 42 {
		return player, nil
	}
	r, err := call(api, api.ListPeers, &antev1.ListPeersRequest{})
	if err != nil {
		return "", err
	}
	accounts := make([]string, len(r.Peers))
	for i, p := range r.Peers {
		accounts[i] = p.Account
	}
	return pick(accounts, player, "peer", "channeld peer list")
}
