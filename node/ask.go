package node

import (
	"encoding/json"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
)

// ask is the newest turn of a match at which the user was told to move. It is stored with the
// event, so that the user is told once, whatever happens in between.
type ask struct {
	Turn    protocol.Turn `json:"turn"`
	OnChain bool          `json:"onChain,omitempty"` // and that the clock runs
}

func (s *member) asksKey() string { return s.prefix() + "asks" }

// askUser tells the user to move, if the move needs a person, and has the position countersigned
// meanwhile.
func (s *decider) askUser(d decision, p *seat) error {
	var text string
	if p.mine && !p.bot {
		var err error
		if text, err = p.game.Player.Ask(p.table); err != nil {
			s.stuck(d, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.machine.Match(d.matchID); !ok || m.Turn != d.turn {
		return channel.ErrStale
	}
	with, err := s.told(d, text)
	if err != nil {
		return err
	}
	return s.stepLocked(with, channel.Idle{})
}

// told returns the event that it is the user's turn, and what is stored with it; nothing if the
// user was told before or the text is empty. The lock is held.
func (s *decider) told(d decision, text string) (along, error) {
	before, asked := s.asks[d.matchID]
	if text == "" || asked && before.Turn == d.turn && (before.OnChain || !d.onChain) {
		return along{}, nil
	}
	if d.onChain {
		text = "your clock runs on-chain: " + text
	}
	next := alive(s.machine, s.asks)
	next[d.matchID] = ask{d.turn, d.onChain}
	value, err := json.Marshal(next)
	return along{
		changes: map[string][]byte{s.asksKey(): value},
		events:  []Event{{Kind: YourTurn, Channel: s.id, Match: d.matchID, Turn: uint64(d.turn), Text: text}},
		then:    func() { s.asks = next },
	}, err
}

// needsPerson reports whether a match waits for a move of the user's: this node asked for one, or
// can't find one. Of a turn that has just come it isn't known yet. The lock is held.
func (s *decider) needsPerson(m *channel.MatchView) bool {
	if !onMove(m) {
		return false
	}
	told, asked := s.asks[m.ID]
	turn, helpless := s.helpless[m.ID]
	return asked && told.Turn == m.Turn && !s.botPlays(m.ID) || helpless && turn == m.Turn
}
