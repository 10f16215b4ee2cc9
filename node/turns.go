package node

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// decision is something that the node decides outside the session's lock, because the user's
// callback or a bot may take its time: a proposal to approve, or a turn to take.
type decision struct {
	proposal *Proposal // nil: a turn
	matchID  common.Hash
	turn     protocol.Turn
	onChain  bool // this seat's clock runs on-chain
}

// agenda is what waits to be decided in a channel. The lock of the channel's state guards it.
type agenda struct {
	todo  []decision
	later []decision // turns that wait until the chain no longer decides them
	// the proposal that waits is to be judged when the chain is seen for certain
	unjudged bool
}

// decider decides what is on the agenda of a channel, as far as that needs no person.
type decider struct {
	*channelState
	// turns that the node could not take, as the user was told
	helpless map[common.Hash]protocol.Turn
	asks     map[common.Hash]ask
}

// follow notes what the machine's events ask for.
func (s *channelState) follow(events []channel.Event) {
	s.failures.follow(events)
	for _, e := range events {
		switch e := e.(type) {
		case channel.YourTurn:
			s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn, onChain: e.OnChain})
		case channel.Moved:
			if s.instructions.Given[e.MatchID] {
				s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn})
			}
		case channel.ProposalAsked:
			s.todo = append(s.todo, decision{proposal: &Proposal{Channel: s.id, Version: e.Version, From: e.From, Matches: e.Matches}})
		case channel.ProposalRefused:
			s.node.arranged.meeting.refused(s.id, e)
		case channel.ChanceTurn:
			s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn})
		case channel.NoteHeard:
			if m, _ := s.machine.Match(e.MatchID); onMove(&m) {
				s.todo = append(s.todo, decision{matchID: e.MatchID, turn: e.Turn})
			}
		case channel.OldCopyFound:
			s.node.tell(s.stopSigning(copyOf(e)))
			s.node.towers.amnesia()
		case channel.CloseSigned, channel.SeatEquivocated:
			s.node.nudge()
		}
	}
}

// remind notes what the machine asked for earlier without an answer: before a restart, or before
// the store failed.
func (s *channelState) remind() {
	s.todo = nil
	if p := s.asked(); p != nil {
		s.todo = append(s.todo, decision{proposal: p})
	}
	for _, m := range s.machine.Matches() {
		if m.MayMove || s.instructions.Given[m.ID] {
			s.todo = append(s.todo, decision{matchID: m.ID, turn: m.Turn})
		}
	}
}

// decide is tryToDecide for callers to whom a refusing store is no news: the next look reports it.
func (s *decider) decide() { _ = s.tryToDecide() }

// tryToDecide decides what waits, and what follows from that, until only persons and peers can go
// on. It fails only when the store does. The caller holds no lock.
func (s *decider) tryToDecide() error {
	for {
		s.mu.Lock()
		if s.machine.Held() || s.unstored != nil {
			err := s.unstored
			s.mu.Unlock()
			return err
		}
		todo := s.todo
		s.todo = nil
		s.mu.Unlock()
		if len(todo) == 0 {
			return nil
		}
		for _, d := range todo {
			var err error
			if d.proposal != nil {
				err = s.judge(d.proposal)
			} else {
				err = s.takeTurn(d)
			}
			switch {
			case errors.Is(err, ErrStore), errors.Is(err, ErrClosed):
				return err // step reminds, and the next tick tries again
			case errors.Is(err, channel.ErrFrozen):
				s.mu.Lock()
				// the machine asked before a clock ran, and does not ask again after it
				if !slices.Contains(s.later, d) {
					s.later = append(s.later, d)
				}
				s.mu.Unlock()
			case err != nil:
				s.node.config.Log.Info("things moved on meanwhile", "channel", s.id, "error", err)
			}
		}
	}
}

// again retries decisions that were deferred while an on-chain clock ran or the chain was not seen
// for certain, and asks the user for moves that were not asked for then.
func (s *decider) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.todo, s.later = append(s.todo, s.later...), nil
	for _, m := range s.machine.Matches() {
		if onMove(&m) && !s.botPlays(m.ID) && !s.instructions.Given[m.ID] && !s.needsPerson(&m) {
			s.todo = append(s.todo, decision{matchID: m.ID, turn: m.Turn})
		}
	}
	if p := s.asked(); p != nil && s.unjudged {
		s.todo = append(s.todo, decision{proposal: p})
	}
	s.unjudged = false
}

// judge approves a proposal if the user said in advance that it may be; otherwise it waits for the
// user. While the node is blind it waits for the next look.
func (s *decider) judge(p *Proposal) error {
	if s.node.blind() != nil { // an alarm stands, or the newest blocks are being read
		s.mu.Lock()
		s.unjudged = true
		s.mu.Unlock()
		return nil
	}
	switch s.node.arranged.judge(p) {
	case approved:
		return s.feed(channel.ApproveProposal{Version: p.Version})
	case disapproved:
		return s.feed(channel.RefuseProposal{Version: p.Version, Reason: "this is not the match that was arranged"})
	case undecided:
		return nil
	case notArranged:
	}
	if approve := s.node.config.Policy.Approve; approve == nil || !approve(*p) || !s.node.meets(p) {
		return nil
	}
	return s.feed(channel.ApproveProposal{Version: p.Version})
}

// takeTurn makes a move that needs no person. If it needs one, as it does where the rules refuse
// the node's own, the position is countersigned, so that the peer is not kept waiting for that.
func (s *decider) takeTurn(d decision) error {
	s.mu.Lock()
	conceded := s.instructions.Given[d.matchID]
	s.mu.Unlock()
	if conceded {
		err := s.feed(channel.Concede{MatchID: d.matchID, Turn: d.turn})
		if !errors.Is(err, channel.ErrChainMoves) {
			return err
		}
	}
	seat, err := s.sit(d.matchID, d.turn)
	if errors.Is(err, channel.ErrStale) {
		return err
	}
	if err != nil {
		s.stuck(d, fmt.Errorf("the position can't be shown: %w", err))
		return err
	}
	move, err := seat.decideAlone()
	if move != nil {
		if err = s.feed(makeMove(d.matchID, d.turn, move)); !seat.mine || !errors.Is(err, games.ErrIllegal) {
			return err
		}
	}
	if err != nil {
		s.stuck(d, err)
	}
	return s.askUser(d, &seat)
}

// stuck tells the user, once for each turn, that the node cannot make its move without help.
func (s *decider) stuck(d decision, err error) {
	s.mu.Lock()
	told, ok := s.helpless[d.matchID]
	s.helpless[d.matchID] = d.turn
	s.mu.Unlock()
	if !ok || told != d.turn {
		s.node.tell(Event{Kind: Alarm, Channel: s.id, Match: d.matchID, Turn: uint64(d.turn), Text: fmt.Sprintf(
			"no move can be found without you at turn %s, make it yourself or concede: %v", d.turn, err)})
	}
}

func makeMove(matchID common.Hash, turn protocol.Turn, d *games.Decision) channel.MakeMove {
	return channel.MakeMove{MatchID: matchID, Turn: turn, Move: d.Move, Secret: d.Secrets}
}

// seat is this node's place at a match at one turn: all that a player side needs, so that it may
// think without a lock.
type seat struct {
	game   games.Game
	table  games.Table
	bot    bool
	chance bool // the chain moves
	mine   bool // this seat does
	frozen bool // nothing is signed in the channel any more
}

// sit returns the seat on move at a turn, or ErrStale when things have moved on.
func (s *channelState) sit(matchID common.Hash, turn protocol.Turn) (seat, error) {
	m, p, err := s.at(matchID)
	if m.ID != matchID || m.Turn != turn {
		return seat{}, channel.ErrStale
	}
	return p, err
}

// at returns a match as it stands, and this node's seat at it.
func (s *channelState) at(matchID common.Hash) (channel.MatchView, seat, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, _ := s.machine.Match(matchID)
	game, table, err := s.table(matchID, m.State)
	return m, seat{
		game: game, table: table, bot: s.botPlays(matchID), chance: m.Mover == games.Chance, mine: onMove(&m),
		frozen: s.machine.Restored(),
	}, err
}

// decideAlone returns the move that needs no person, nil if it needs one.
func (p *seat) decideAlone() (*games.Decision, error) {
	if p.chance {
		return p.draw()
	}
	if d, err := p.game.Player.Auto(p.table); d != nil || err != nil {
		return d, err
	}
	if p.bot {
		return p.game.Player.Bot(p.table)
	}
	return nil, nil
}

// draw returns the chain's move, nil as long as it can't be made.
func (p *seat) draw() (*games.Decision, error) {
	c, ok := games.As[games.Chained](p.game.Player)
	if !ok {
		return nil, nil
	}
	move, err := c.Chance(p.table)
	if errors.Is(err, games.ErrNotYet) {
		return nil, nil
	}
	if move == nil || err != nil {
		return nil, err
	}
	return &games.Decision{Move: move, Secrets: p.table.Secrets}, nil
}

// onMove reports whether this node's seat may move now. The chain's move, which any seat may make,
// is not its own.
func onMove(m *channel.MatchView) bool { return m.MayMove && int(m.Mover) == m.Seat }

func (s *channelState) botPlays(matchID common.Hash) bool {
	if on, said := s.instructions.Bots[matchID]; said {
		return on
	}
	return s.node.config.Policy.Bot
}

// table returns a match as this node's player sees it. The lock is held.
func (s *channelState) table(matchID common.Hash, state []byte) (games.Game, games.Table, error) {
	m, _ := s.machine.Match(matchID)
	judge := s.machine.Judge(matchID)
	if judge == nil {
		return games.Game{}, games.Table{}, fmt.Errorf("%w: %s is not among those that this node plays and has the rules of", ErrUnknownMatch, matchID)
	}
	game, err := s.node.drive.Game(m.Terms.Rules)
	if err != nil {
		return games.Game{}, games.Table{}, err
	}
	c := judge.Context(m.Signed, m.Recorded)
	c.Facts = s.node.drive.Facts.Of(m.Terms.Rules)
	sign := func(digest common.Hash) ([]byte, error) { sig, err := s.signer.Sign(digest); return sig[:], err } // with the session key
	return game, games.Table{
		Context: c, State: state, Seat: uint8(m.Seat), Secrets: s.machine.Secret(matchID), Random: s.node.config.Rand, Notes: m.Notes, Made: m.Made, Sign: sign,
	}, nil
}
