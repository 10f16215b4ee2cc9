package daemon

import (
	"fmt"
	"path"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
)

// compose turns the user's settings into a node's. It sets host once the node joins the network.
func (o *Options) compose(s store.Store, host **p2p.Host) (*node.Config, error) {
	seed, err := o.Keys.PeerSeed()
	if err != nil {
		return nil, err
	}
	identity, err := p2p.IdentityFromSeed(seed.Reveal())
	if err != nil {
		return nil, fmt.Errorf("make the identity among peers: %w", err)
	}
	c := o.Config
	who, err := openRoles(&c.Keys, o.Keys, telling{o.browser, o.Log})
	if err != nil {
		return nil, err
	}
	settings := new(node.Config)
	*settings = node.Config{
		Store:       s,
		Chain:       c.Chain.Endpoints(),
		Arena:       c.Chain.Arena,
		From:        c.Chain.From,
		Player:      who.player,
		Owner:       who.owner,
		GasPayer:    who.gas,
		OwnerSigner: who.ownerSigner,
		Fees:        chain.Fees{Max: c.Fees.Max, UrgentMax: c.Fees.Urgent, Reserve: c.Fees.Reserve},
		Sessions:    func(salt common.Hash) (protocol.Signer, error) { return o.Keys.Session(salt) },
		Games:       o.Games,
		Rules:       c.Games,

		Scoreboard: c.Chain.Scoreboard,

		Network: func(d protocol.Domain, h transport.Handler) (node.Network, error) {
			var err error
			*host, err = join(settings.Store, p2p.Config{
				Identity: identity, Signer: who.player, Domain: d, Handler: h,
				Listen: c.Peers.Listen, MDNS: c.Peers.MDNS, Log: o.Log,
				Relays: c.Peers.Relays, MayRelay: slices.Concat(c.Peers.Lobbies, c.Peers.Towers), Relay: c.Peers.Relay,
				Lobbies: c.Peers.Lobbies, FindLobbies: c.Peers.FindLobbies, Lobby: c.Peers.Lobby,
			})
			return *host, err
		},
		Towers: towers(c.Peers.Towers),
		Policy: o.policy(),
		Lobby:  c.Peers.Lobby,
		Log:    o.Log,
	}
	return settings, nil
}

// towers counts the towers at some addresses, which end in their peer ids.
func towers(addresses []string) int {
	ids := map[string]bool{}
	for _, a := range addresses {
		ids[path.Base(a)] = true
	}
	return len(ids)
}

func (o *Options) policy() node.Policy {
	play, wait := &o.Config.Play, &o.Config.Wait
	p := node.Policy{
		Bot:           play.Bot,
		BotAtDeadline: play.BotAtDeadline,
		LeastStake:    play.LeastStake,
		LeastTokens:   play.LeastTokens,
		AnyStake:      play.AnyStake,
		Push:          play.ToWallet,
		PublishWins:   play.PublishWins,
		History:       int(play.History), //nolint:gosec // bounded when read
		Patience:      wait.Patience,
		Leave:         wait.Leave,
		Confirmations: wait.Confirmations,
		Margin:        wait.Margin,
		Floor:         wait.Floor,
		Poll:          wait.Poll,
	}
	if play.Accept {
		p.Accept = func(node.Offer) bool { return true }
	}
	if play.Approve {
		p.Approve = func(node.Proposal) bool { return true }
	}
	return p
}
