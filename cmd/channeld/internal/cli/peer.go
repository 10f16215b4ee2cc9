package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

func peerCommand(a *app) *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Show them", Args: cobra.NoArgs}
	addresses := list.Flags().Bool("addresses", false, "and where they are reached, and all of a problem")
	list.RunE = a.client(func(api *remote, _ []string) error { return listPeers(api, *addresses) })
	return group(&cobra.Command{Use: "peer", Short: "Other players' daemons", RunE: list.RunE}, list,
		&cobra.Command{Use: "add ADDRESS", Short: "Connect to one, at an address that its status command shows", Args: cobra.ExactArgs(1),
			Example: "  channeld peer add /ip4/192.0.2.7/tcp/4101/p2p/12D3KooW…",
			RunE: a.client(func(api *remote, args []string) error {
				return show(api, api.AddPeer, &antev1.AddPeerRequest{Address: args[0]},
					func(r *antev1.AddPeerResponse) { api.printf("connected to %s\n", r.Account) })
			})},
		peerNameCommand(a))
}

func peerNameCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "name PLAYER [NAME]", Short: "Name a player for yourself, or forget the name", Args: cobra.RangeArgs(1, 2),
		Long: "Name a player for yourself, or forget the name. It is shown instead of the player's nickname, and commands\n" +
			"accept it in place of the account. With a part of an account you are shown the whole, and asked.",
		Example: "  channeld peer name 0x7099 bob\n  channeld open bob 0.5eth"}
	yes := yesFlag(cmd)
	cmd.RunE = a.client(func(api *remote, args []string) error {
		player, err := playerMeant(api, args[0], *yes)
		if err != nil {
			return err
		}
		return show(api, api.SetContact, &antev1.SetContactRequest{Account: player, Name: strings.Join(args[1:], "")},
			func(*antev1.SetContactResponse) {
				if len(args) == 1 {
					api.printf("%s has no name of yours any more\n", player)
					return
				}
				api.printf("%s is %s here\n", player, args[1])
			})
	})
	return cmd
}

func nicknameCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "nickname [NAME]", Short: "Sign the name by which other players see you, or show it", Args: cobra.MaximumNArgs(1),
		Annotations: map[string]string{takesEmpty: ""},
		Long: "Sign the name by which other players see you, or show it. An empty one (\"\") takes it back. Names are not unique:\n" +
			"players with similar names are shown with their accounts.",
		RunE: a.client(func(api *remote, args []string) error {
			if len(args) == 0 {
				return show(api, api.GetStatus, &antev1.GetStatusRequest{}, func(r *antev1.GetStatusResponse) { api.seen(r.Nickname) })
			}
			return show(api, api.SetNickname, &antev1.SetNicknameRequest{Name: args[0]}, func(*antev1.SetNicknameResponse) { api.seen(args[0]) })
		})}
}

// seen says how others see the user.
func (api *remote) seen(nickname string) {
	if nickname == "" {
		api.printf("others see your account\n")
		return
	}
	api.printf("others see you as %s\n", clean(nickname))
}

// widestProblem is how much of a problem fits on a line.
const widestProblem = 60

func listPeers(api *remote, addresses bool) error {
	return show(api, api.ListPeers, &antev1.ListPeersRequest{}, func(r *antev1.ListPeersResponse) {
		table(api.Out, "ACCOUNT\tNAME\tSTATE\tWAY\tROUND TRIP\tPROBLEM", r.Peers, func(p *antev1.Peer) []any {
			state := "connected"
			if !p.Connected {
				state = "away"
			}
			problem := []rune(clean(p.Error))
			if len(problem) > widestProblem && !addresses {
				problem = append(problem[:widestProblem], '…')
			}
			return []any{p.Account, titled(p), state, way(p), roundTrip(p), string(problem)}
		})
		for _, p := range r.Peers {
			if addresses {
				api.printf("%s is reached at\n%s", p.Account, indented(p.Addresses))
			}
		}
	})
}

// titled shows what a peer is called.
func titled(p *antev1.Peer) string {
	switch {
	case p.Name == "":
		return "–"
	case p.Contact != "" && p.Nickname != "" && p.Nickname != p.Contact:
		return clean(p.Name + ", calls itself " + p.Nickname)
	default:
		return clean(p.Name)
	}
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

// players returns the accounts of players who are typed as playerMeant takes them.
func players(api *remote, typed []string, yes bool) ([]string, error) {
	var accounts []string
	for _, player := range typed {
		one, err := playerMeant(api, player, yes)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, one)
	}
	return accounts, nil
}

// playerMeant returns the account of a player who is typed as account takes them, where it is about
// money.
func playerMeant(api *remote, typed string, yes bool) (string, error) {
	player, err := account(api, typed)
	if err != nil {
		return "", err
	}
	return player, api.surelyMeans(typed, player, yes)
}

// surelyMeans shows a player whole, and asks, where a part of the account is typed, or nothing and
// the user has given no name to the only one there is: anybody can make an account that begins so,
// connect, and bid.
func (api *remote) surelyMeans(typed, player string, yes bool) error {
	if strings.EqualFold(player, typed) || typed != "" && !prefixed(typed) {
		return nil
	}
	list, err := api.peers()
	if err != nil {
		return err
	}
	if typed == "" {
		named := slices.ContainsFunc(list, func(p *antev1.Peer) bool { return strings.EqualFold(p.Account, player) && p.Contact != "" })
		return api.ask(yes || named, "the only one there is, is %s", api.identified(player))
	}
	return api.ask(yes, "with %s you mean %s", clean(typed), api.identified(player))
}

// account returns the account of a player who is typed as an account, as the beginning of a known
// one, as a name that the user gave, or as an address to connect to. What players call themselves
// does not count: anybody may take any name.
func account(api *remote, player string) (string, error) {
	if strings.HasPrefix(player, "/") {
		r, err := call(api, api.AddPeer, &antev1.AddPeerRequest{Address: player})
		return r.GetAccount(), err
	}
	if len(player) == 42 {
		return player, nil
	}
	list, err := api.peers()
	if err != nil {
		return "", err
	}
	if player == "" {
		return api.onlyPlayer(list)
	}
	if named, err := contact(list, player); named != "" || err != nil {
		return named, err
	}
	peer, err := pickPlayer(list, (*antev1.Peer).GetAccount, player, "peer", "channeld peer list")
	return peer.GetAccount(), err
}

// contact returns the account to which the user gave a name, empty if it is none. It fails where
// somebody calls itself so.
func contact(list []*antev1.Peer, name string) (string, error) {
	for _, p := range list {
		if name != "" && strings.EqualFold(p.Contact, name) {
			return p.Account, nil
		}
	}
	for _, p := range list {
		if name != "" && strings.EqualFold(p.Nickname, name) {
			return "", fmt.Errorf("%s calls itself %s, as anybody may: if you know that it is who you mean, give it the name yourself: channeld peer name %s %[2]s",
				p.Account, clean(name), short(p.Account))
		}
	}
	return "", nil
}

// onlyPlayer returns the only peer that is no tower of the user.
func (api *remote) onlyPlayer(list []*antev1.Peer) (string, error) {
	s, err := call(api, api.GetStatus, &antev1.GetStatusRequest{})
	if err != nil {
		return "", err
	}
	players := slices.DeleteFunc(slices.Clone(list), func(p *antev1.Peer) bool {
		return slices.ContainsFunc(s.Towers, func(t *antev1.TowerInfo) bool { return t.Account == p.Account })
	})
	peer, err := pick(players, (*antev1.Peer).GetAccount, "", "peer", "channeld peer list")
	return peer.GetAccount(), err
}
