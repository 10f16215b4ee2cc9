package node

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// RoundRequest says what round to organise.
type RoundRequest struct {
	Params  []byte         // JSON: the matrix (n1, n2, d1, d2); what it leaves out takes its default
	Asset   common.Address // of the bets; zero for ETH
	Least   uint256.Int    // bet
	Most    uint256.Int
	Window  uint64 // of the channels, in the Arena's clock
	Closes  uint64 // block from which on nobody registers any more
	Shuffle uint64 // block whose hash groups the players; later than Closes
	// Named are accounts that this house knows to be different people: it pays pairs of them their subsidy out of its own
	// pocket. All others get it out of what earlier rounds have earned, or don't play.
	Named []common.Address
}

// OpenRound opens a round for registration and returns its id. Everything that follows happens by itself, block by block.
func (n *Node) OpenRound(r RoundRequest) (common.Hash, error) {
	game, err := n.config.Games.Find(splitsteal.Name)
	if err != nil {
		return common.Hash{}, err
	}
	params, err := game.Params.Encode(r.Params)
	if err != nil {
		return common.Hash{}, err
	}
	params[len(params)-1] = 0 // the house has seat 0 in every channel that it opens
	round := Round{Named: r.Named, Terms: channel.Round{House: n.Account(), Rules: n.config.Rules[game.Name], Params: params, Asset: r.Asset,
		Least: r.Least, Most: r.Most, Window: r.Window, Closes: r.Closes, Shuffle: r.Shuffle}}
	if err := n.random(round.Terms.Salt[:]); err != nil {
		return common.Hash{}, err
	}
	least, most := n.arena.Windows()
	if head := n.block(); r.Closes <= head || r.Window < least || r.Window > most {
		return common.Hash{}, fmt.Errorf("%w: registration must close after block %d, the window be %d to %d", channel.ErrTerms, head, least, most)
	}
	round.ID = round.Terms.ID(n.domain)
	if n.config.Owner != nil {
		return common.Hash{}, fmt.Errorf("%w: a house signs at every block that needs it: give it an account whose key its node holds", ErrDeclined)
	}
	if round.Signature, err = n.config.Player.Sign(round.ID); err != nil {
		return common.Hash{}, fmt.Errorf("sign the round: %w", err)
	}
	if err := n.checkRound(&round.Terms, round.Signature, nil, channel.Signature{}); err != nil {
		return common.Hash{}, err
	}
	n.rounds.Lock()
	defer n.rounds.Unlock()
	return round.ID, n.saveRound(&round, roundNews(&round, "open for registration until block %d", r.Closes)...)
}

// receiveJoin registers a player for a round of this house.
func (n *Node) receiveJoin(from common.Address, m channel.RoundJoin) error {
	if !n.queried.Allow(from, n.stranger(from)) {
		return fmt.Errorf("%w: too many registrations", ErrBusy)
	}
	now, err := n.Round(m.RoundID)
	if err == nil && (now.Terms.House != n.Account() || m.Entry.Player != from) {
		err = fmt.Errorf("%w: %s", ErrUnknownRound, m.RoundID)
	}
	if err == nil {
		err = now.Terms.CheckRegistration(n.authority(), &m.Entry) // which may ask the chain
	}
	if err != nil {
		return err
	}
	err = n.editRound(m.RoundID, func(r *Round) ([]Event, error) {
		now = *r
		at, found := slices.BinarySearchFunc(r.Entries, from, func(e channel.Registration, a common.Address) int { return bytes.Compare(e.Player[:], a[:]) })
		switch {
		case found:
			return nil, nil // a bet once made stays
		case r.sealed() || n.block() >= r.Terms.Closes:
			return nil, fmt.Errorf("%w: registration is over since block %d", ErrDeclined, r.Terms.Closes)
		case len(r.Entries) >= channel.MaxRegistrations:
			return nil, fmt.Errorf("%w: %d players are registered already", ErrDeclined, len(r.Entries))
		}
		r.Entries = slices.Insert(slices.Clone(r.Entries), at, m.Entry)
		r.Reach = append(r.Reach, channel.Peer{Account: from, Addresses: m.Addresses})
		now = *r
		return roundNews(r, "%s bets %s", from, n.amount(r.Terms.Asset, &m.Entry.Bet)), nil
	})
	if now.ID == (common.Hash{}) {
		return err
	}
	refusal := ""
	if err != nil {
		refusal = cut(err.Error())
	}
	n.notify(&now, refusal, from)
	if err == nil {
		for _, e := range now.Entries { // all see all bets
			if e.Player != from {
				n.notify(&now, "", e.Player)
			}
		}
	}
	return err
}

// receiveRoundQuery tells of the rounds that are open.
func (n *Node) receiveRoundQuery(from common.Address) error {
	if !n.queried.Allow(from, n.stranger(from)) {
		return fmt.Errorf("%w: too many questions about rounds", ErrBusy)
	}
	list, err := n.Rounds()
	for i := range list {
		if r := &list[i]; r.Terms.House == n.Account() && r.Draw == (common.Hash{}) {
			n.notify(r, "", from)
		}
	}
	return err
}

// notify tells an account how a round stands, and a player whose opponent is known where that is.
func (n *Node) notify(r *Round, refusal string, to common.Address) {
	m := channel.RoundNotice{Round: r.Terms, Signature: r.Signature, Entries: r.Entries, Seal: r.Seal, Refusal: refusal}
	if p := r.Pair(to); p != nil {
		for _, peer := range r.Reach {
			if peer.Account != to && (peer.Account == p.X.Player || peer.Account == p.Y.Player) {
				m.Peers = append(m.Peers, peer)
			}
		}
		if p.State == PairDropped {
			m.Refusal = cut(p.Reason)
		}
	}
	if err := n.send(to, m); err != nil {
		n.config.Log.Info("a round's news will be told when the player connects", "round", r.ID, "player", to, "error", err)
	}
}

func cut(s string) string { return s[:min(len(s), channel.MaxText)] }

// tendHouse takes a round of this house on as far as the chain has come.
func (n *Node) tendHouse(ctx context.Context, r *Round) error {
	if !r.sealed() && n.block() >= r.Terms.Closes {
		return n.sealRound(r.ID)
	}
	for i := range r.Pairs {
		if r.Pairs[i].State != PairDrawn {
			continue
		}
		if err := n.offerPair(ctx, r, i); err != nil {
			return fmt.Errorf("round %s, pair %d: %w", r.ID.TerminalString(), i+1, err)
		}
	}
	return nil
}

// sealRound signs the list of players, before the block that shuffles it is known.
func (n *Node) sealRound(id common.Hash) error {
	var now Round
	err := n.editRound(id, func(r *Round) ([]Event, error) {
		if n.block() >= r.Terms.Shuffle {
			r.Trouble = "the house was away when it had to seal the list"
		}
		seal, err := n.config.Player.Sign(channel.SealDigest(n.domain, r.ID, r.Entries))
		if err != nil {
			return nil, fmt.Errorf("seal the round: %w", err)
		}
		r.Seal = seal
		now = *r
		return roundNews(r, "registration is over, %d players", len(r.Entries)), nil
	})
	if err != nil {
		return err
	}
	n.notifyAll(&now)
	return nil
}

func (n *Node) notifyAll(r *Round) {
	for _, e := range r.Entries {
		n.notify(r, "", e.Player)
	}
}

// offerPair offers the two their channel, unless the house may not pay their subsidy.
func (n *Node) offerPair(ctx context.Context, r *Round, i int) error {
	p := r.Pairs[i]
	deposits, err := r.Stakes(&p)
	if err != nil {
		return err
	}
	p.Named = slices.Contains(r.Named, p.X.Player) && slices.Contains(r.Named, p.Y.Player)
	earned, err := n.earned()
	switch {
	case err != nil:
		return err
	case !p.Named && earned.Lt(&deposits[0]):
		return n.drop(r.ID, i, "the house has not yet earned the subsidy of this pair, and pays it in advance to accounts that it has named only")
	case n.clockPast(r, 2):
		return n.drop(r.ID, i, "the players could not be reached in time")
	}
	if p.Offer, err = n.roundOffer(r, &p); err != nil {
		return err
	}
	if p.Offer == (common.Hash{}) {
		for _, peer := range r.Reach {
			if peer.Account == p.X.Player || peer.Account == p.Y.Player {
				if err := n.net.Keep(peer.Account, peer.Addresses...); err != nil {
					n.config.Log.Warn("player not kept", "player", peer.Account, "error", err)
				}
			}
		}
		p.Offer, err = n.Offer(ctx, OpenRequest{Peers: []common.Address{p.X.Player, p.Y.Player}, Deposits: deposits, Asset: r.Terms.Asset,
			Window: r.Terms.Window, Memo: roundMemo(r.ID)})
		if err != nil {
			return err
		}
	}
	p.State = PairOffered
	return n.setPair(r.ID, i, p, "pair %d, %s and %s: their channel is offered", i+1, p.X.Player, p.Y.Player)
}

// clockPast reports whether so many windows have gone by, in blocks, since the round's draw.
func (n *Node) clockPast(r *Round, windows uint64) bool {
	return n.block() >= r.Terms.Shuffle+windows*r.Terms.Window+n.confirmations()
}

// roundOffer finds the offer of a pair that was made before a crash.
func (n *Node) roundOffer(r *Round, p *RoundPair) (common.Hash, error) {
	list, err := n.Offers()
	for _, o := range list {
		if o.Mine() && o.Memo == roundMemo(r.ID) && slices.Equal(o.Terms.Players[1:], []common.Address{p.X.Player, p.Y.Player}) {
			return o.ID, err
		}
	}
	return common.Hash{}, err
}

// drop gives a pair up before anything of it is locked.
func (n *Node) drop(id common.Hash, i int, why string) error {
	r, err := n.Round(id)
	if err != nil {
		return err
	}
	p := r.Pairs[i]
	p.State, p.Reason = PairDropped, why
	if err := n.setPair(id, i, p, "pair %d does not play: %s", i+1, why); err != nil {
		return err
	}
	if r, err = n.Round(id); err == nil {
		n.notify(&r, "", p.X.Player)
		n.notify(&r, "", p.Y.Player)
	}
	return err
}

// setPair stores how far a pair is.
func (n *Node) setPair(id common.Hash, i int, p RoundPair, format string, a ...any) error {
	return n.editRound(id, func(r *Round) ([]Event, error) {
		p.Since = n.now()
		r.Pairs[i] = p
		return roundNews(r, format, a...), nil
	})
}

// earned is what the rounds of this house have won so far beyond what they cost: the gains of all matches, less the losses to
// pairs that it has not named, and less the subsidies of such pairs that are still at stake.
func (n *Node) earned() (*uint256.Int, error) {
	list, err := n.Rounds()
	if err != nil {
		return nil, err
	}
	results, err := n.Results()
	if err != nil {
		return nil, err
	}
	var in, out uint256.Int
	for i := range list {
		r := &list[i]
		if r.Terms.House != n.Account() {
			continue
		}
		for j := range r.Pairs {
			p := &r.Pairs[j]
			stakes, err := r.Stakes(p)
			if err != nil {
				return nil, err
			}
			at := slices.IndexFunc(results, func(res Result) bool { return p.Channel != (common.Hash{}) && res.Channel == p.Channel })
			switch {
			case at >= 0 && results[at].Payouts[0].Gt(&stakes[0]):
				in.Add(&in, new(uint256.Int).Sub(&results[at].Payouts[0], &stakes[0]))
			case at >= 0 && !p.Named:
				out.Add(&out, new(uint256.Int).Sub(&stakes[0], &results[at].Payouts[0]))
			case at < 0 && !p.Named && (p.State == PairOffered || p.State == PairPlaying):
				out.Add(&out, &stakes[0])
			}
		}
	}
	if in.Lt(&out) {
		return new(uint256.Int), nil
	}
	return in.Sub(&in, &out), nil
}

// proposeRound proposes a pair's match once its channel is open.
func (n *Node) proposeRound(r *Round, p *RoundPair) error {
	stakes, err := r.Stakes(p)
	if err != nil {
		return err
	}
	game, err := n.config.Games.Find(splitsteal.Name)
	if err != nil {
		return err
	}
	params, err := game.Params.Decode(r.Terms.Params)
	if err != nil {
		return fmt.Errorf("%w: %w", games.ErrParams, err)
	}
	return n.Propose(p.Channel, MatchRequest{Game: splitsteal.Name, Params: params, Stakes: stakes})
}
