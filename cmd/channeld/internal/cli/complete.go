package cli

import (
	"context"
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// patience is how long a shell waits for values.
const patience = 2 * time.Second

// values are what the running daemon has for an argument, by the word that stands for it in the
// usage of a command. Each comes with what it is.
var values = map[string]func(*remote) ([]cobra.Completion, error){
	"CHANNEL": func(api *remote) ([]cobra.Completion, error) {
		r, err := call(api, api.ListChannels, &antev1.ListChannelsRequest{})
		return each(r.GetChannels(), func(ch *antev1.Channel) (string, string) { return short(ch.Id), channelStatus(ch) }), err
	},
	"MATCH": func(api *remote) ([]cobra.Completion, error) {
		r, err := call(api, api.ListMatches, &antev1.ListMatchesRequest{})
		return each(r.GetMatches(), func(m *antev1.Match) (string, string) { return short(m.Id), m.Game + ", " + matchStatus(m) }), err
	},
	"OFFER": func(api *remote) ([]cobra.Completion, error) {
		r, err := call(api, api.ListOffers, &antev1.ListOffersRequest{})
		return each(r.GetOffers(), func(o *antev1.Offer) (string, string) { return short(o.Id), enum(o.Status, "OFFER_STATUS_") }), err
	},
	"INVITE": func(api *remote) ([]cobra.Completion, error) {
		r, err := call(api, api.ListMyInvites, &antev1.ListMyInvitesRequest{})
		return each(r.GetInvites(), func(i *antev1.InviteInfo) (string, string) { return short(i.Id), i.Game }), err
	},
	"PLAYER": func(api *remote) ([]cobra.Completion, error) {
		list, err := api.peers()
		return each(list, func(p *antev1.Peer) (string, string) {
			if p.Contact != "" {
				return p.Contact, short(p.Account)
			}
			return p.Account, clean(p.Nickname)
		}), err
	},
	"GAME": func(api *remote) ([]cobra.Completion, error) {
		r, err := call(api, api.ListGames, &antev1.ListGamesRequest{})
		return each(r.GetGames(), func(g *antev1.Game) (string, string) { return g.Name, g.Summary }), err
	},
}

func each[T any](items []T, of func(T) (value, what string)) []cobra.Completion {
	list := make([]cobra.Completion, len(items))
	for i, x := range items {
		list[i] = cobra.CompletionWithDesc(of(x))
	}
	return list
}

// completeArgs has a shell offer values for the arguments of a command, and of those under it.
func (a *app) completeArgs(c *cobra.Command) {
	c.ValidArgsFunction = a.complete
	for _, under := range c.Commands() {
		a.completeArgs(under)
	}
}

// complete offers what may stand where the next argument of a command does.
func (a *app) complete(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	words := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(c.Use))[1:]
	if len(args) >= len(words) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	api, files := a.dial(ctx), cobra.ShellCompDirectiveNoFileComp
	var list []cobra.Completion
	for _, word := range strings.Split(words[len(args)], "|") {
		switch find, known := values[word]; {
		case known:
			found, _ := find(api) // a daemon that does not answer has no values
			list = append(list, found...)
		case word == strings.ToLower(word):
			list = append(list, word)
		case word == "FILE" || word == "DIR" || word == "KEYS" || strings.HasSuffix(word, ".json"):
			files = cobra.ShellCompDirectiveDefault
		}
	}
	fits := list[:0]
	for _, value := range list {
		if strings.HasPrefix(value, begun) {
			fits = append(fits, value)
		}
	}
	return fits, files
}
