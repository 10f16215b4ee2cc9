package node

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// session is one channel.
//
// Locks are taken in the order disputeLock, mu. Of the two only disputeLock may be held while the
// chain is asked, so an endpoint never keeps peers or the user waiting. The user's callbacks run
// with no lock, and so do the games' player sides, but for what searches nothing: Player.Describe,
// and what Chained asks for a step on the chain.
//
// It is composed of the parts below, each of which owns its data. A part uses only the parts listed
// before it.
type session struct {
	*channelState  // its machine, and its place in the store
	*decider       // of what needs no person
	*defence       // of its money on the chain
	*channelTowers // that hold its evidence
	looking        looking
}

// channelState is a channel as this node keeps it: its machine and its place in the store. Every
// input passes through feed, which makes what the machine decided durable before anything of it
// leaves.
type channelState struct {
	member
	signer protocol.Signer

	mu sync.Mutex // guards the other parts' data, too, where none of their locks does
	agenda
	machine      *channel.Machine
	instructions instructions
	failures     failures
	// why the store refused what the last input led to: nothing is decided until it takes an input
	unstored error
	// the alarm that stands while the machine signs nothing more, zero before; see freeze
	frozen Event
	gone   bool // paid out for good, and let go
}

// member is this node's place in a channel.
type member struct {
	node  *channels
	id    common.Hash
	terms protocol.Terms
	seat  int
}

// seatOf returns the seat of another player.
func (s *member) seatOf(player common.Address) (int, error) {
	seat := slices.Index(s.terms.Players, player)
	if seat < 0 || seat == s.seat {
		return seat, fmt.Errorf("%w: %s has no seat in channel %s", ErrUnknownChannel, player, s.id.TerminalString())
	}
	return seat, nil
}

func (s *member) prefix() string { return channelPrefix + s.id.Hex() + "/" }

// entryPrefix is where the machine's entries lie.
func (s *member) entryPrefix() string { return s.prefix() + "state/" }

// step feeds inputs to the machine, and whatever follows from them without a person: answers,
// approvals, the bot's moves. It returns why the machine refuses one of the inputs, or ErrStore.
func (s *decider) step(inputs ...channel.Input) error {
	err := s.feed(inputs...)
	s.decide()
	return s.node.written(s.terms.Asset, err)
}

func (s *channelState) feed(inputs ...channel.Input) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range inputs {
		if err := s.blinded(in); err != nil {
			return err
		}
	}
	return s.stepLocked(along{}, inputs...)
}

// along is what is made durable together with the effects of an input, also when the machine
// refuses that.
type along struct {
	changes map[string][]byte
	events  []Event
	then    func() // once it is durable
}

// stepLocked is feed for a caller that holds the lock. It commits what goes along with the first
// input.
func (s *channelState) stepLocked(with along, inputs ...channel.Input) error {
	if s.node.run.Err() != nil {
		return ErrClosed
	}
	if s.gone {
		return ErrEnded
	}
	var refused error
	for _, in := range inputs {
		before := *s.machine // whose parts are never modified in place, except for what peers are charged
		fx, err := s.machine.Step(in)
		refused = errors.Join(refused, err)
		if err := s.release(fx, with); err != nil {
			*s.machine = before
			s.remind() // of what will not be asked for again
			s.unstored = err
			return err
		}
		with, s.unstored = along{}, nil
		s.follow(fx.Events)
		if len(fx.Entries) > 0 {
			s.node.towers.stir(s.id)
		}
	}
	return refused
}

// release commits the effects of one step and, only then, lets them out.
func (s *channelState) release(fx channel.Effects, with along) error {
	changes := make(map[string][]byte, len(with.changes)+len(fx.Entries)+len(fx.Events))
	maps.Copy(changes, with.changes)
	for _, e := range fx.Entries {
		changes[s.entryPrefix()+e.Key] = e.Value
	}
	kept := s.history(changes)
	err := errors.Join(kept.results(fx.Events), kept.record(fx.Events))
	if err == nil {
		err = s.node.commit(changes, append(with.events, s.texts().tell(fx.Events)...))
	}
	if err != nil {
		return fmt.Errorf("%w: nothing was sent: %w", ErrStore, err)
	}
	if with.then != nil {
		with.then()
	}
	s.node.finished(fx.Events)
	s.sendResults(fx.Events)
	for _, m := range fx.Messages {
		if err := s.node.net.Send(s.terms.Players[m.To], message.Envelope(s.id, m.Message)); err != nil {
			s.node.config.Log.Debug("message not sent; the peers will sync", "channel", s.id, "seat", m.To, "error", err)
		}
	}
	return nil
}

// load makes the machine from what the store holds.
func (s *channelState) load() error {
	var entries []channel.Entry
	prefix := s.entryPrefix()
	err := s.node.config.Store.Scan(prefix, "", func(key string, value []byte) error {
		entries = append(entries, channel.Entry{Key: strings.TrimPrefix(key, prefix), Value: value})
		return nil
	})
	if err != nil {
		return err
	}
	if s.machine, err = channel.Restore(s.machineConfig(), entries); err != nil {
		return fmt.Errorf("restore channel %s: %w", s.id, err)
	}
	s.remind()
	return nil
}

func (s *channelState) texts() texts { return texts{&s.member, s.machine} }

func (s *channelState) history(changes map[string][]byte) history {
	return history{&s.member, s.machine, s.signer, changes}
}

func (s *channelState) machineConfig() channel.Config {
	return channel.Config{
		Domain: s.node.domain,
		Terms:  s.terms,
		Seat:   s.seat,
		Signer: s.signer,
		Rules:  s.node.drive,
		Policy: channel.Policy{Enforceable: s.enforceable, Unattended: s.unattended, Wait: func() bool { return s.node.blind() != nil }},
	}
}
