package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// The positions of every match are kept as they are played, in the commit that releases the move,
// so that people can look at them later. Nothing that decides about money reads them.
const replayPrefix = "replay/" // by match and turn

// DefaultHistory is how many finished matches keep their moves.
const DefaultHistory = 1000

// maxReplay is how many positions of a match are kept, the newest: rules may let a match go on
// without end.
const maxReplay = 2000

// keptPosition is one position of a match as it is kept.
type keptPosition struct {
	By         uint8                        `json:"by"` // who moved; games.Nobody: nobody
	Move       []byte                       `json:"move,omitempty"`
	State      []byte                       `json:"state"`
	Signatures map[uint8]protocol.Signature `json:"signatures,omitempty"` // by seat of the match
}

func replayKey(match common.Hash, turn protocol.Turn) string {
	return fmt.Sprintf("%s%s/%016x", replayPrefix, match.Hex(), uint64(turn))
}

// record adds to the changes the positions that the events tell of, and the signatures of those
// before that came meanwhile.
func (s history) record(events []channel.Event) error {
	for _, e := range events {
		var failed error
		switch e := e.(type) {
		case channel.MatchStarted:
			failed = s.recordSigned(e.MatchID)
		case channel.Moved:
			failed = errors.Join(s.edit(e.MatchID, e.Turn, func(r *keptPosition) { r.By, r.Move, r.State = e.Seat, e.Move, e.State }), s.recordSigned(e.MatchID))
			if e.Turn >= maxReplay {
				s.changes[replayKey(e.MatchID, e.Turn-maxReplay)] = nil
			}
		case channel.MatchExpired:
			failed = s.edit(e.MatchID, e.Turn, func(r *keptPosition) { r.By, r.State = games.Nobody, e.State })
		case channel.LedgerSigned:
			for _, m := range s.machine.Matches() {
				failed = errors.Join(failed, s.recordSigned(m.ID))
			}
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// recordSigned keeps the signatures of a match's newest positions.
func (s history) recordSigned(id common.Hash) error {
	m, ok := s.machine.Match(id)
	if !ok || m.Seat < 0 || m.Support == nil {
		return nil
	}
	for at := range len(m.Support.Moves) + 1 {
		err := s.edit(id, m.Support.Turn+protocol.Turn(at), func(r *keptPosition) { //nolint:gosec // moves are few
			if at == 0 && r.State == nil {
				r.By, r.State = games.Nobody, m.Support.Base
			}
			for _, sig := range m.Support.Signatures {
				if int(sig.At) != at {
					continue
				}
				if r.Signatures == nil {
					r.Signatures = map[uint8]protocol.Signature{}
				}
				r.Signatures[sig.Seat] = sig.Signature
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// edit changes what is kept of a position.
func (s history) edit(match common.Hash, turn protocol.Turn, change func(*keptPosition)) error {
	key := replayKey(match, turn)
	value, err := newest(s.node.config.Store, s.changes, key)
	if err != nil {
		return err
	}
	var r keptPosition
	if err := decode(key, value, &r); err != nil { // it is for people to look at
		s.node.Warn(key, fmt.Sprintf("no money depends on it: the replay of match %s lacks turn %s and what came before: %v", match, turn, err))
		return nil
	}
	change(&r)
	next, err := json.Marshal(r)
	if err == nil && r.State != nil && !bytes.Equal(next, value) {
		s.changes[key] = next
	}
	return err
}

// Replay is how a match went.
type Replay struct {
	Terms     protocol.MatchTerms
	Channel   common.Hash
	Signers   []common.Address // session keys, by seat of the match
	Context   *games.Context   // of its rules, with what the chain says now
	Seat      int              // this node's, in the match
	Positions []Position       // in order, as far as they are kept
	Missing   string           // what is not kept of it, and why; empty: nothing is missing

	judge  *protocol.Judge
	player games.Player
}

// Position is one position of a match, and what led to it.
type Position struct {
	Turn       protocol.Turn
	By         uint8 // who moved; games.Nobody: nobody
	Move       []byte
	MoveText   string // in words
	State      []byte
	Digest     common.Hash // that seats sign
	Signatures map[uint8]protocol.Signature
}

// Replay returns the positions of a match, finished or running.
func (n *channels) Replay(id common.Hash) (Replay, error) {
	terms, in, err := n.TermsOf(id)
	if err != nil {
		return Replay{}, err
	}
	mb, err := n.member(in)
	if err != nil {
		return Replay{}, err
	}
	out := Replay{Terms: terms, Channel: in, Signers: terms.Signers(&mb.terms), Seat: -1}
	for i, seat := range terms.Seats {
		if int(seat) == mb.seat {
			out.Seat = i
		}
	}
	game, err := n.drive.Game(terms.Rules)
	if err != nil {
		return out, err
	}
	if out.judge, err = protocol.NewJudge(n.domain, &mb.terms, &terms, game.Rules); err != nil {
		return out, err
	}
	out.player = game.Player
	out.Context = out.judge.Context(0, 0)
	out.Context.Facts = n.drive.Facts.Of(terms.Rules)
	var unreadable error
	err = n.config.Store.Scan(replayPrefix+id.Hex()+"/", "", func(key string, value []byte) error {
		var r keptPosition
		if err := decode(key, value, &r); err != nil {
			out.Positions, unreadable = nil, err // each follows from the one before
			return nil
		}
		p := Position{By: r.By, Move: r.Move, State: r.State, Signatures: r.Signatures}
		if _, err := fmt.Sscanf(key[len(key)-16:], "%016x", (*uint64)(&p.Turn)); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		out.Positions = append(out.Positions, p)
		return nil
	})
	if len(out.Positions) == 0 {
		out.Missing = "its moves are not kept any more: see play.history in the settings"
	}
	for i := range out.Positions {
		out.tell(i)
	}
	if unreadable != nil {
		out.Missing = fmt.Sprintf("what came first can't be read: %v", unreadable)
	}
	return out, err
}

// View returns a position as this node's seat sees it, nil where it can't be shown. Rules of
// strangers can make it long, and take long for it.
func (r *Replay) View(i int) games.View {
	p := &r.Positions[i]
	var signed uint16
	for seat := range p.Signatures {
		signed |= 1 << seat
	}
	// without what the chain knows now, which it did not know then
	view, err := r.player.View(games.Table{Context: r.judge.Context(signed, 0), State: p.State, Seat: uint8(max(r.Seat, 0))}) //nolint:gosec // a seat
	if err != nil {
		return nil
	}
	return view
}

// tell adds to a position what is signed of it, and in words what led to it.
func (r *Replay) tell(i int) {
	p := &r.Positions[i]
	p.Digest = r.judge.Digest(p.Turn, protocol.StateHash(p.State))
	switch {
	case i == 0:
		if p.Turn != 0 {
			r.Missing = fmt.Sprintf("what came before turn %s is not kept", p.Turn)
		}
		return
	case p.By == games.Nobody:
		p.MoveText = "a clock ran out on-chain"
		return
	}
	text, err := r.player.Describe(r.judge.Context(0, 0), r.Positions[i-1].State, p.Move)
	if err == nil {
		p.MoveText = text
	}
}

// HasReplay reports whether any positions of a match are kept.
func (n *channels) HasReplay(id common.Hash) bool {
	found := false
	// a store that fails has nothing to show either
	_ = n.config.Store.Scan(replayPrefix+id.Hex()+"/", "", func(string, []byte) error { found = true; return store.ErrStop })
	return found
}
