package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// MatchRequest says what match to propose.
type MatchRequest struct {
	Game   string
	Params json.RawMessage // an object; what it leaves out takes its default
	Seats  []uint8         // of the channel, ascending; nil: all
	// by seat of the match, wei or token units; one for all: the same for each; none: the game's
	// least
	Stakes []uint256.Int
}

// Proposal is a ledger of another seat that locks new matches and waits for this node's user.
type Proposal struct {
	Channel common.Hash
	Version uint64
	From    int // seat of the channel
	Matches []protocol.MatchTerms
}

// Match is what a node knows of one of its matches.
type Match struct {
	channel.MatchView
	Channel common.Hash
	Asset   common.Address   // of all amounts; zero: ETH
	Game    string           // empty for rules that this program doesn't know
	Bot     bool             // the bot makes this node's moves
	Yours   bool             // a move that only a person can make is waited for
	Frozen  bool             // nothing is signed in its channel any more: see channel.ErrRestored
	Players []common.Address // by seat of the match
	Waiting *Waiting         // what peers owe this node; nil: nothing
}

// Table is a match as its player sees it.
type Table struct {
	Match
	View games.View
	Ask  string // what the player is to choose now; empty: nothing
	// text: what the player has committed to and not yet shown, for its eyes only
	Recall keys.Secret
}

// Propose proposes a match to the other seats of a channel. It starts when they approve: see
// Events. It fails with ErrBlind while the chain is not seen for certain, as Approve, Offer, Accept
// and Register do.
func (n *channels) Propose(channelID common.Hash, r MatchRequest) error {
	n.untilRead(n.run)
	return n.proposeMatch(channelID, r)
}

func (n *channels) proposeMatch(channelID common.Hash, r MatchRequest) error {
	game, at, err := n.deployed(r.Game)
	if err != nil {
		return err
	}
	params, err := game.Params.Encode(r.Params)
	if err != nil {
		return err
	}
	if len(r.Stakes) == 0 {
		if game.Stakes == nil {
			return fmt.Errorf("%w: say what is at stake: the stake of each seat, such as 0.1eth", games.ErrParams)
		}
		if r.Stakes, err = game.Stakes(params); err != nil {
			return err
		}
	}
	s, err := n.session(channelID)
	if err != nil {
		return err
	}
	if r.Seats == nil {
		r.Seats = everySeat(s.terms.Seats())
	}
	if len(r.Stakes) == 1 {
		r.Stakes = slices.Repeat(r.Stakes, len(r.Seats))
	}
	s.forgetRefusals()
	return unlessAllowed(s.step(channel.ProposeMatch{Rules: at, Seats: r.Seats, Stakes: r.Stakes, Params: params}))
}

// WithdrawProposals withdraws what this node proposed in a channel and nobody has answered. It
// fails with channel.ErrStale when there is nothing to withdraw.
func (n *channels) WithdrawProposals(channelID common.Hash) error {
	return n.input(channelID, channel.WithdrawMatches{})
}

// Proposals returns what waits for this node's user.
func (n *channels) Proposals() []Proposal { return n.proposals((*session).asked) }

// Proposed returns what this node's user has proposed and others have not answered.
func (n *channels) Proposed() []Proposal { return n.proposals((*session).proposed) }

func (n *channels) proposals(of func(*session) *Proposal) (list []Proposal) {
	for s := range n.locked() {
		if p := of(s); p != nil {
			list = append(list, *p)
		}
	}
	return list
}

// asked returns the proposal that waits for this node's user, nil if there is none. The lock is
// held.
func (s *channelState) asked() *Proposal {
	p := s.machine.Proposal()
	if p == nil || !p.Asked {
		return nil
	}
	from := int(p.Ledger.Version % uint64(s.terms.Seats()))
	return &Proposal{Channel: s.id, Version: p.Ledger.Version, From: from, Matches: p.Matches}
}

// proposed returns what this node's user proposes and nobody has answered, nil if nothing: first
// what the others are asked, then what waits for its turn. The matches have no channel and no nonce
// until they are in a ledger. The lock is held.
func (s *channelState) proposed() *Proposal {
	wanted := s.machine.Wanted()
	if len(wanted) == 0 {
		return nil
	}
	out := &Proposal{Channel: s.id, From: s.seat, Matches: wanted}
	if p := s.machine.Proposal(); p != nil && !p.Asked && int(p.Ledger.Version%uint64(s.terms.Seats())) == s.seat && len(p.Matches) > 0 {
		out.Version = p.Ledger.Version
		for i := range p.Matches {
			if at := slices.IndexFunc(wanted, func(w protocol.MatchTerms) bool { return w.SameGame(&p.Matches[i]) }); at >= 0 {
				wanted = slices.Delete(slices.Clone(wanted), at, at+1)
			}
		}
		out.Matches = slices.Concat(p.Matches, wanted) // one at a time is asked for
	}
	return out
}

// Approve agrees to play what is proposed.
func (n *channels) Approve(channelID common.Hash, version uint64) error {
	n.untilRead(n.run)
	return n.input(channelID, channel.ApproveProposal{Version: version})
}

// Refuse declines what is proposed.
func (n *channels) Refuse(channelID common.Hash, version uint64, reason string) error {
	return n.input(channelID, channel.RefuseProposal{Version: version, Reason: reason})
}

func (n *channels) input(channelID common.Hash, in channel.Input) error {
	s, err := n.session(channelID)
	if err != nil {
		return err
	}
	return s.step(in)
}

// Match returns a match with its board.
func (n *channels) Match(id common.Hash) (Table, error) {
	s, m, err := n.matchOf(id)
	if err != nil {
		return Table{}, err
	}
	return s.board(m)
}

func (n *channels) matchOf(id common.Hash) (*session, channel.MatchView, error) {
	for s := range n.locked() {
		if m, ok := s.machine.Match(id); ok && m.Seat >= 0 {
			return s, m, nil
		}
	}
	return nil, channel.MatchView{}, fmt.Errorf("%w: %s", ErrUnknownMatch, id)
}

// TermsOf returns the terms of a match that was locked, and its channel, which may be over.
func (n *channels) TermsOf(id common.Hash) (protocol.MatchTerms, common.Hash, error) {
	r, err := n.results.get(id)
	if err != nil {
		return protocol.MatchTerms{}, common.Hash{}, err
	}
	return r.Terms, r.Channel, nil
}

func (s *session) match(m channel.MatchView) Match {
	out := Match{MatchView: m, Channel: s.id, Asset: s.terms.Asset, Bot: s.botPlays(m.ID), Yours: s.needsPerson(&m), Frozen: s.machine.Restored()}
	if game, err := s.node.drive.Game(m.Terms.Rules); err == nil {
		out.Game = game.Name
	}
	for _, seat := range m.Terms.Seats {
		out.Players = append(out.Players, s.terms.Players[seat])
	}
	out.Waiting = s.waitsFor(&out)
	return out
}

// board asks the player side for a match's board. The caller holds no lock.
func (s *session) board(m channel.MatchView) (Table, error) {
	s.mu.Lock()
	s.wishes() // which notes what peers owe from now on
	game, table, err := s.table(m.ID, m.State)
	t := Table{Match: s.match(m)}
	s.mu.Unlock()
	if err != nil {
		return Table{}, err
	}
	if t.View, err = game.Player.View(table); err != nil {
		return t, err
	}
	recall, err := game.Player.Recall(table)
	if err != nil {
		return t, err
	}
	t.Recall = keys.NewSecret([]byte(recall))
	if t.Frozen {
		return t, nil // nothing can be chosen
	}
	_, talks := games.As[games.Talker](game.Player)
	if t.Yours || talks && m.Started && m.Outcome == nil && int(m.Mover) != m.Seat && !t.Bot {
		t.Ask, err = game.Player.Ask(table)
	}
	return t, err
}

// Play makes the move that a person typed, and the moves that follow from it without the other
// player.
func (n *channels) Play(id common.Hash, text string) error { return n.PlayAt(id, "", text) }

// PlayAt does as Play does where the match is still at a turn, as its String shows it, and fails
// with channel.ErrStale otherwise: what was meant for one turn can be something else at the next.
// An empty turn is the newest.
func (n *channels) PlayAt(id common.Hash, turn, text string) error {
	s, m, err := n.matchOf(id)
	if err != nil {
		return err
	}
	if turn != "" && turn != m.Turn.String() {
		return fmt.Errorf("%w: the match is at turn %s", channel.ErrStale, m.Turn)
	}
	p, err := s.sit(id, m.Turn)
	if err == nil && p.frozen {
		err = channel.ErrRestored // what it committed to is forgotten, so that no move may make sense
	}
	if err != nil {
		return err
	}
	if talker, ok := games.As[games.Talker](p.game.Player); ok && int(m.Mover) != m.Seat {
		note, err := talker.Say(p.table, text)
		if err != nil {
			return err
		}
		return s.step(say(id, m.Turn, note))
	}
	d, err := p.game.Player.Choose(p.table, text)
	if err != nil {
		return err
	}
	return s.step(makeMove(id, m.Turn, d))
}

// Concede gives the stakes of a match of two to the other seat. If that one moves before it hears
// of it, the node answers every move by conceding again.
func (n *channels) Concede(id common.Hash) error {
	err := n.atTurn(id, func(m channel.MatchView) channel.Input { return channel.Concede{MatchID: id, Turn: m.Turn} })
	if err != nil {
		return err
	}
	s, _, err := n.matchOf(id)
	if errors.Is(err, ErrUnknownMatch) {
		return nil // booked already
	}
	if err != nil {
		return err
	}
	return s.redecide(func(w *instructions) { w.Given[id] = true })
}

// OfferDraw offers to end a match by agreement. Payouts are by seat of the match and sum to its
// stakes; nil means that everybody's stake goes back.
func (n *channels) OfferDraw(id common.Hash, payouts []uint256.Int) error {
	return n.atTurn(id, func(m channel.MatchView) channel.Input {
		if payouts == nil {
			payouts = m.Terms.Stakes
		}
		return channel.OfferAgreement{MatchID: id, Turn: m.Turn, Payouts: payouts}
	})
}

// AcceptDraw agrees to what another seat of the match offers, if that is these payouts; nil means
// that everybody's stake goes back. It fails with channel.ErrStale when the seat offers something
// else, or no longer anything.
func (n *channels) AcceptDraw(id common.Hash, seat uint8, payouts []uint256.Int) error {
	return n.atTurn(id, func(m channel.MatchView) channel.Input {
		if payouts == nil {
			payouts = m.Terms.Stakes
		}
		return channel.AcceptAgreement{MatchID: id, Turn: m.Turn, Seat: seat, Payouts: payouts}
	})
}

func (n *channels) atTurn(id common.Hash, input func(channel.MatchView) channel.Input) error {
	s, m, err := n.matchOf(id)
	if err != nil {
		return err
	}
	return s.step(input(m))
}
