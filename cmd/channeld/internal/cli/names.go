package cli

import (
	"fmt"
	"regexp"
	"strings"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// peers returns everybody whom the daemon knows of, asked for once.
func (api *remote) peers() (_ []*antev1.Peer, err error) {
	if api.people == nil {
		api.people, err = call(api, api.ListPeers, &antev1.ListPeersRequest{})
	}
	return api.people.GetPeers(), err
}

// nameOf returns what an account is called, empty if it has no name.
func (api *remote) nameOf(account string) string {
	list, _ := api.peers() // without names accounts are shown
	for _, p := range list {
		if strings.EqualFold(p.Account, account) {
			return clean(p.Name)
		}
	}
	return ""
}

// called is what a list shows of an account: its name, else its beginning.
func (api *remote) called(account string) string { return called(api.nameOf(account), account) }

// identified is an account about which money is decided: whole, with its name if it has one.
func (api *remote) identified(account string) string {
	if name := api.nameOf(account); name != "" {
		return fmt.Sprintf("%s (%s)", name, account)
	}
	return account
}

var (
	accounts = regexp.MustCompile(`\b0x[0-9a-fA-F]{40}\b`)
	ids      = regexp.MustCompile(`\b0x[0-9a-fA-F]{64}\b`)
)

// named puts names beside the accounts in a text of the daemon's, and shortens the ids of channels,
// matches and offers, as commands take them.
func (api *remote) named(text string) string {
	return ids.ReplaceAllStringFunc(accounts.ReplaceAllStringFunc(text, api.identified), short)
}
