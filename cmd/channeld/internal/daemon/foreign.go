package daemon

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// askAgain is how long the daemon waits before it asks the chain again for rules that it lacks.
const askAgain = 30 * time.Second

// addForeign returns the options with the rules that the user agreed to, as far as their code is
// known. What is not is returned, and left out with an error in the log: other matches must not
// wait for that.
func (o *Options) addForeign(ctx context.Context, s store.Store) (with *Options, missing []foreign.Pin, err error) {
	pins, err := o.Foreign.List()
	if err != nil {
		return nil, nil, err
	}
	id := o.Config.Chain.ID
	if len(pins) > 0 && id == 0 {
		client, err := o.dial(ctx, 0)
		if err != nil {
			return nil, nil, err
		}
		id = client.ChainID()
		client.Close()
	}
	settings, all := *o.Config, *o
	all.Config, all.Games, settings.Games = &settings, slices.Clip(o.Games), maps.Clone(o.Config.Games)
	if settings.Games == nil {
		settings.Games = make(map[string]common.Address)
	}
	for i := range pins {
		p := &pins[i]
		name := p.Manifest.Name
		if p.ChainID != id {
			o.Log.Error("pinned rules are on another chain", "game", name, "chain", p.ChainID)
			continue
		}
		if _, err := o.Games.Find(name); err == nil {
			o.Log.Error("pinned rules have the name of a game of this program", "game", name)
			continue
		}
		if g, err := o.Games.At(o.Config.Games, p.Rules); err == nil { // whose player keeps secrets
			o.Log.Error("pinned rules are those of a game of this program", "game", name, "of", g.Name)
			continue
		}
		code, err := o.code(ctx, s, p)
		if err != nil {
			o.Log.Error("the chain doesn't tell the code of pinned rules", "game", name, "error", err)
			missing = append(missing, *p)
			continue
		}
		g, err := p.Game(code)
		if err != nil {
			o.Log.Error("pinned rules can't be played any more", "game", name, "error", err)
			continue
		}
		g.Summary += fmt.Sprintf(" (foreign rules, code hash %s)", p.CodeHash)
		all.Games, settings.Games[name] = append(all.Games, g), p.Rules
	}
	return &all, missing, nil
}

// code returns the code of pinned rules. It is kept in the store once any endpoint has told it,
// which its hash proves. That it is at the rules' address, the node sees.
func (o *Options) code(ctx context.Context, s store.Store, p *foreign.Pin) ([]byte, error) {
	key := fmt.Sprintf("code/%x", p.CodeHash)
	if code, err := s.Get(key); err != nil || code != nil {
		return code, err
	}
	client, err := o.dial(ctx, p.ChainID)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	code, err := client.CodeWith(ctx, p.Rules, p.CodeHash)
	if err != nil {
		return nil, err
	}
	if hash := crypto.Keccak256Hash(code); hash != p.CodeHash {
		return nil, fmt.Errorf("the code at %s has hash %s, and not that of the rules you agreed to, %s", p.Rules, hash, p.CodeHash)
	}
	return code, s.Commit(map[string][]byte{key: code})
}

func (o *Options) dial(ctx context.Context, id uint64) (*chain.Client, error) {
	endpoints := o.Config.Chain.Endpoints()
	endpoints.ChainID = id
	return chain.Dial(ctx, endpoints)
}

// again returns when to ask again for rules that are missing.
func (o *Options) again() <-chan time.Time {
	if o.ticks != nil {
		return o.ticks
	}
	return time.Tick(askAgain)
}

// untilTold asks at each tick for the code of the rules that are missing, and reports whether the
// chain tells some of it; false if there are none, or the context ended.
func (o *Options) untilTold(ctx context.Context, s store.Store, missing []foreign.Pin, tick <-chan time.Time) bool {
	for len(missing) > 0 {
		select {
		case <-ctx.Done():
			return false
		case <-tick:
		}
		for i := range missing {
			if _, err := o.code(ctx, s, &missing[i]); err == nil {
				o.Log.Info("the chain tells the code of pinned rules; starting again with them", "game", missing[i].Manifest.Name)
				return true
			}
		}
	}
	return false
}
