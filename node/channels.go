package node

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ChannelStatus says how far a channel has come.
type ChannelStatus string

// The statuses of a channel.
const (
	ChannelOpening ChannelStatus = "opening" // the opening is not final on the chain
	ChannelOpen    ChannelStatus = "open"    // play
	// no new matches: somebody wants to close it, or its balances are paid out, which need not be
	// final, and what is locked in matches follows
	ChannelClosing   ChannelStatus = "closing"
	ChannelContested ChannelStatus = "contested" // being closed on-chain one-sidedly: the window runs
	ChannelEnded     ChannelStatus = "closed"    // all paid out
)

// Channel is what a node knows of one of its channels.
type Channel struct {
	ID     common.Hash
	Terms  protocol.Terms
	Seat   int // this node's
	Status ChannelStatus
	Seen   bool // the chain shows its opening, which need not be final
	// the store is, or may be, an old copy: nothing is signed in this channel any more
	Restored bool
	// for whom it waits before anything is signed in it; nil: it is not held
	Hold     *Hold
	Ledger   protocol.SignedLedger // the newest that all seats signed
	Deadline uint64                // contested: when it can be settled, in the Arena's clock
	Waiting  *Waiting              `json:"-"` // for peers to close it; nil: for nothing
	Resize   *Resize               `json:"-"` // how it is to be resized; nil: not at all
	Busy     string                `json:"-"` // what a resize of it waits for; empty: for nothing
}

// Hold says why a channel signs nothing after a start: its store may be an old copy. The hold ends
// when every tower has answered, when the node's patience is over, or when a clock on the chain
// presses.
type Hold struct {
	Towers []common.Address // that have not said since the start what they hold of the channel
	// towers that are expected, see Config.Towers, and that nobody has named yet
	Missing int
	Until   time.Time // when the node's patience ends
}

// channels are the player's channels with what is played in them.
type channels struct {
	*core
	*funds
	arranged arrangements

	towers  towerQueue
	results records[Result] // locked while one is signed by its peer, or forgotten
	nudged  chan struct{}   // holds a token when the sessions are to look at the chain at once
	// matches and channels that ended since the surplus of them was forgotten
	over atomic.Int64
}

func newChannels(c *core, f *funds) *channels {
	n := &channels{
		core: c, funds: f, towers: newTowerQueue(), nudged: make(chan struct{}, 1),
		results: records[Result]{base: c.base, prefix: resultPrefix, unknown: errNoResult},
	}
	n.over.Store(forgetEvery)
	return n
}

// Channels returns all channels by id, including those that are closed.
func (n *channels) Channels() []Channel {
	list := make([]Channel, 0)
	for _, s := range n.allSessions() {
		list = append(list, s.info())
	}
	if _, err := n.endings(func(e ending) { list = append(list, e.Channel) }); err != nil {
		n.config.Log.Error("channels that are over not read", "error", err)
	}
	slices.SortStableFunc(list, func(a, b Channel) int { return a.ID.Cmp(b.ID) })
	// one that was let go meanwhile
	return slices.CompactFunc(list, func(a, b Channel) bool { return a.ID == b.ID })
}

// Channel returns one channel.
func (n *channels) Channel(id common.Hash) (Channel, error) {
	s, err := n.session(id)
	if err == nil {
		return s.info(), nil
	}
	if !errors.Is(err, ErrEnded) {
		return Channel{}, err
	}
	c, err := n.pastChannel(id)
	if err != nil {
		return Channel{}, err
	}
	return *c, nil
}

func (s *session) info() Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.describeChannel()
}

// describeChannel returns the channel's status. The lock is held.
func (s *session) describeChannel() Channel {
	c := Channel{ID: s.id, Terms: s.terms, Seat: s.seat, Status: ChannelOpening, Seen: s.opened.Load(), Restored: s.machine.Restored(), Ledger: s.machine.Ledger()}
	if s.machine.Held() {
		c.Hold = s.hold()
	}
	c.Waiting, c.Resize, c.Busy = s.waitsToClose(), s.resizing(), s.busy()
	closing, _ := s.machine.Closing()
	onChain := s.watcher.View().Status()
	switch phase := s.machine.Phase(); {
	case phase == channel.Ended:
		c.Status = ChannelEnded
	case phase != channel.Opening && (onChain == disputes.Settled || onChain == disputes.Closed):
		c.Status = ChannelClosing
	case phase == channel.InContest:
		c.Status = ChannelContested
		_, c.Deadline = s.watcher.View().Ledger()
	case phase == channel.Running && closing:
		c.Status = ChannelClosing
	case phase == channel.Running:
		c.Status = ChannelOpen
	}
	return c
}

// InChannels returns what the player has in channels of an asset, and in the matches in them,
// without what the Arena has paid out. The sums cannot overflow unless the asset's supply does.
func (n *channels) InChannels(asset common.Address) (locked, staked uint256.Int) {
	for s := range n.locked() {
		if s.terms.Asset != asset {
			continue
		}
		free, stakes := s.unpaid()
		locked.Add(&locked, &free)
		staked.Add(&staked, &stakes)
	}
	return locked, staked
}

// unpaid returns what the player has in the channel's newest fully signed ledger that the Arena has
// not paid out: of the free balance, and of the locks. The lock is held.
func (s *defence) unpaid() (free, staked uint256.Int) {
	view, ledger := s.watcher.View(), s.machine.Ledger()
	if phase := s.machine.Phase(); phase == channel.Opening || phase == channel.Ended || view.Status() == disputes.Closed {
		return free, staked
	}
	if view.Status() != disputes.Settled {
		free = ledger.Balances[s.seat]
	}
	for _, m := range s.machine.Matches() {
		if m.Seat >= 0 && m.Locked && ledger.Lock(m.ID) != nil && view.Record(m.ID).Status != protocol.MatchPaid {
			staked.Add(&staked, &m.Terms.Stakes[m.Seat])
		}
	}
	return free, staked
}

// CloseChannel proposes to close a channel by consent, in which no match may be locked any more. If
// a peer does not answer within the node's patience, the node closes one-sidedly. CloseChannel does
// not wait for the peers.
func (n *channels) CloseChannel(id common.Hash) error {
	s, err := n.session(id)
	if err != nil {
		return err
	}
	err = s.step(channel.CloseChannel{})
	if errors.Is(err, channel.ErrRestored) {
		return fmt.Errorf("%w by channeld dispute exit", err)
	}
	if errors.Is(err, protocol.ErrLocked) && s.wonAlone() {
		return fmt.Errorf("%w: %w", errWonAlone, err)
	}
	return err
}

// errWonAlone says why a channel can't be closed by consent though its matches are decided.
var errWonAlone = errors.New("a match is decided, and another player has not signed its booking yet: try again, or if it stays silent, close without it by channeld dispute exit")

// wonAlone reports whether a decided match stays locked because others have not signed its booking.
func (s *channelState) wonAlone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.machine.Matches(), func(m channel.MatchView) bool {
		return m.Seat >= 0 && m.Locked && (m.Outcome != nil || m.Decided || m.Agreement != nil)
	})
}

// Matches returns the matches that this node plays or has played and not yet forgotten, by id.
func (n *channels) Matches() []Match {
	var list []Match
	for s := range n.locked() {
		for _, m := range s.machine.Matches() {
			if m.Seat >= 0 {
				list = append(list, s.match(m))
			}
		}
	}
	slices.SortFunc(list, func(a, b Match) int { return cmp.Or(a.Channel.Cmp(b.Channel), a.ID.Cmp(b.ID)) })
	return list
}
