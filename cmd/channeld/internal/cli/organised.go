package cli

import (
	"io"
	"slices"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"

	"github.com/spf13/cobra"
)

// What the commands about rounds and those about tables share. A table is a round that is not shuffled.

// shower prints a round or table for people.
type shower func(io.Writer, *units, *antev1.RoundInfo)

// roundWord is what a round or table is called in a command.
func roundWord(tables bool) string {
	if tables {
		return "table"
	}
	return "round"
}

func (a *app) listRoundsCommand(tables bool, what string, show func(io.Writer, *units, []*antev1.RoundInfo)) *cobra.Command {
	return &cobra.Command{Use: "list [HOUSE]", Short: what, Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			r, err := listRounds(api, first(args), tables)
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { show(w, api.units, r.Rounds) })
		}}
}

func (a *app) showRoundCommand(tables bool, what string, show shower) *cobra.Command {
	return &cobra.Command{Use: "show [" + strings.ToUpper(roundWord(tables)) + "]", Short: what, Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickRound(api, first(args), tables)
			if err != nil {
				return err
			}
			return a.show(x, func(w io.Writer) { show(w, api.units, x) })
		}}
}

func (a *app) verifyRoundCommand(tables bool, what string, show shower) *cobra.Command {
	return &cobra.Command{Use: "verify [" + strings.ToUpper(roundWord(tables)) + "]", Short: what, Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api := a.client(c.Context())
			x, err := pickRound(api, first(args), tables)
			if err != nil {
				return err
			}
			r, err := call(api, api.VerifyRound, &antev1.VerifyRoundRequest{RoundId: x.Id})
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { show(w, api.units, r.Round) })
		}}
}

// limits reads what a player stakes at least and, if it is said, at most.
func limits(request *antev1.OpenRoundRequest, u *units, args []string) (err error) {
	for i, to := range []*string{&request.Least, &request.Most}[:len(args)] {
		if *to, err = u.parse(args[i], request.Asset); err != nil {
			return err
		}
	}
	return nil
}

// own is what the player stakes in a round, empty if it is not registered.
func own(u *units, x *antev1.RoundInfo) string {
	if x.Stake == "" {
		return ""
	}
	return u.money(x.Stake, x.Asset)
}

// register registers for a round, with the least stake if none is typed, and returns the stake for people.
func register(api *remote, x *antev1.RoundInfo, typed, referrer string) (*antev1.RegisterRoundResponse, string, error) {
	request := &antev1.RegisterRoundRequest{RoundId: x.Id, Stake: x.Least, Referrer: referrer}
	u := api.units
	if typed != "" {
		var err error
		if request.Stake, err = u.parse(typed, x.Asset); err != nil {
			return nil, "", err
		}
	}
	r, err := call(api, api.RegisterRound, request)
	if err != nil {
		return nil, "", err
	}
	return r, u.money(request.Stake, x.Asset), nil
}

// listRounds lists rounds or tables; of a house, if one is typed.
func listRounds(api *remote, house string, tables bool) (*antev1.ListRoundsResponse, error) {
	request := new(antev1.ListRoundsRequest)
	if house != "" {
		var err error
		if request.House, err = account(api, house); err != nil {
			return nil, err
		}
	}
	r, err := call(api, api.ListRounds, request)
	if err != nil {
		return nil, err
	}
	r.Rounds = slices.DeleteFunc(r.Rounds, func(x *antev1.RoundInfo) bool { return (x.Shuffle == 0) != tables })
	return r, nil
}

func pickRound(api *remote, typed string, tables bool) (*antev1.RoundInfo, error) {
	r, err := listRounds(api, "", tables)
	if err != nil {
		return nil, err
	}
	var ids []string
	byID := map[string]*antev1.RoundInfo{}
	for _, x := range r.Rounds {
		ids, byID[x.Id] = append(ids, x.Id), x
	}
	what := roundWord(tables)
	id, err := pick(ids, typed, what, "channeld "+what+" list HOUSE")
	return byID[id], err
}
