package daemon

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// addForeign adds the rules that the user agreed to, as far as the chain still has their code. What
// it has not is left out, with an error in the log: other matches must not wait for that.
func (o *Options) addForeign(ctx context.Context) error {
	pins, err := o.Foreign.List()
	if err != nil || len(pins) == 0 {
		return err
	}
	client, err := chain.Dial(ctx, o.Config.Chain.Endpoints())
	if err != nil {
		return err
	}
	defer client.Close()
	games, rules := slices.Clip(o.Games), maps.Clone(o.Config.Games)
	if rules == nil {
		rules = make(map[string]common.Address)
	}
	for i := range pins {
		p := &pins[i]
		name := p.Manifest.Name
		if p.ChainID != client.ChainID() {
			o.Log.Error("pinned rules are on another chain", "game", name, "chain", p.ChainID)
			continue
		}
		if _, err := games.Find(name); err == nil {
			o.Log.Error("pinned rules have the name of a game of this program", "game", name)
			continue
		}
		code, err := client.Code(ctx, p.Rules)
		if err != nil {
			return fmt.Errorf("read the rules of %s: %w", name, err)
		}
		g, err := p.Game(code)
		if err != nil {
			o.Log.Error("pinned rules can't be played any more", "game", name, "error", err)
			continue
		}
		g.Summary += fmt.Sprintf(" (foreign rules, code hash %s)", p.CodeHash)
		games, rules[name] = append(games, g), p.Rules
	}
	o.Games = games
	settings := *o.Config
	settings.Games = rules
	o.Config = &settings
	return nil
}
