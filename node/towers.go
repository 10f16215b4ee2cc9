package node

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// towers are who answers on-chain while this node is away: see package tower.
type towers struct {
	*core
	channels *channels
}

// towerQueue holds the towers, and for each the channels of which there may be news.
type towerQueue struct {
	mu      sync.Mutex
	list    []common.Address
	stirred map[common.Address]map[common.Hash]bool // by tower: channels of which there is news for it
	news    map[common.Address]chan struct{}        // by tower: holds a token when there is some
	added   chan struct{}                           // holds a token when there is another tower
	lost    chan struct{}                           // holds a token when the store is found to be an old copy
}

func newTowerQueue() towerQueue {
	return towerQueue{stirred: map[common.Address]map[common.Hash]bool{}, news: map[common.Address]chan struct{}{},
		added: make(chan struct{}, 1), lost: make(chan struct{}, 1)}
}

func (t *towerQueue) add(tower common.Address) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.news[tower] == nil {
		t.list, t.news[tower], t.stirred[tower] = append(t.list, tower), make(chan struct{}, 1), map[common.Hash]bool{}
		poke(t.added)
	}
}

// stir notes that there may be news of a channel.
func (t *towerQueue) stir(id common.Hash) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for tower, stirred := range t.stirred {
		stirred[id] = true
		poke(t.news[tower])
	}
}

// amnesia marks the store as an old copy, soon.
func (t *towerQueue) amnesia() { poke(t.lost) }

func (t *towerQueue) all() []common.Address {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}

// awaits returns what holds a token when there is news for a tower.
func (t *towerQueue) awaits(tower common.Address) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.news[tower]
}

// take returns the channels of which there may be news for a tower, and forgets them.
func (t *towerQueue) take(tower common.Address) (list []common.Hash) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list = slices.SortedFunc(maps.Keys(t.stirred[tower]), common.Hash.Cmp)
	clear(t.stirred[tower])
	return list
}

// AddTower has a tower answer on-chain for this node, until the node is closed: the node gives it
// the newest evidence of every channel and keeps a connection to it. Adding it again adds its
// addresses.
func (n *towers) AddTower(account common.Address, addresses ...string) error {
	if account == n.Account() {
		return fmt.Errorf("%w: this node's own account can't be its tower: run the tower with a key of its own", ErrDeclined)
	}
	if err := n.choose(account, addresses...); err != nil {
		return err
	}
	n.channels.towers.add(account)
	n.askTower(account)
	return nil
}

// MissTower raises an alarm that an expected tower can't be reached, or ends it (nil).
func (n *towers) MissTower(address string, err error) {
	if err != nil {
		err = fmt.Errorf("no way to it, nobody answers for you while this node is off: %w", err)
	}
	n.fault("tower at "+address, err)
}

// Tower is a tower of this node.
type Tower struct {
	Account   common.Address
	Connected bool
	Channels  []Entrusted // by id
}

// Entrusted is what a tower holds of a channel, according to its newest receipt.
type Entrusted struct {
	Channel common.Hash
	message.TowerReceipt
	Behind  bool   // this node holds something newer
	Refused string // why it took nothing of it; empty: it did
}

// Towers returns this node's towers and what they hold.
func (n *towers) Towers() []Tower {
	var list []Tower
	connected := map[common.Address]bool{}
	for _, p := range n.net.Peers() {
		connected[p.Account] = p.Connected
	}
	for _, account := range n.channels.towers.all() {
		t := Tower{Account: account, Connected: connected[account]}
		for s := range n.locked() {
			if e := s.towers[account]; e != nil && s.entrusts() {
				t.Channels = append(t.Channels, Entrusted{s.id, e.receipt, !e.since.IsZero(), e.refusal})
			}
		}
		list = append(list, t)
	}
	return list
}

// channelTowers are what the towers hold of a channel, as far as this node knows.
type channelTowers struct {
	*channelState
	defence *defence
	towers  map[common.Address]*entrusted
	// the store may be an old copy: not all towers have said since the start what they hold of this
	mayBeStale bool
}

// entrusted returns what is known of what a tower holds. The lock is held.
func (s *channelTowers) entrusted(tower common.Address) *entrusted {
	e := s.towers[tower]
	if e == nil {
		e = new(entrusted)
		s.towers[tower] = e
	}
	return e
}

// entrusts reports whether a channel has anything to be defended. The lock is held.
func (s *channelState) entrusts() bool {
	phase := s.machine.Phase()
	return phase == channel.Running || phase == channel.InContest
}

// question is what a tower is to be asked of a channel.
type question struct {
	*channelTowers
	show  bool      // all that it holds
	asked time.Time // when it last was
}

// unanswered returns what it is time to ask a tower, nil if nothing: it has not said what it holds
// since it connected. It is to show all if it never did since the start, or holds what this node
// lacks.
func (s *channelTowers) unanswered(tower common.Address) *question {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.entrusts() {
		return nil
	}
	e := s.entrusted(tower)
	q := &question{s, !e.shown || s.behind(&e.receipt.Holding), e.asked}
	if (e.due || q.show) && s.node.config.Now().Sub(e.asked) >= towerAgain {
		return q
	}
	return nil
}

// ask asks a tower what it holds, and reports whether the question is on its way.
func (s *channelTowers) ask(tower common.Address, show bool) bool {
	mark, err := s.storeMark()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		err = s.node.net.Send(tower, message.Envelope(s.id, message.TowerAsk{Mark: mark, Show: show}))
	}
	if err != nil {
		s.node.config.Log.Debug("tower not asked", "channel", s.id, "tower", tower, "error", err)
		return false
	}
	s.entrusted(tower).asked = s.node.config.Now()
	return true
}

// loadReceipts takes up what the towers said before a restart.
func (s *channelTowers) loadReceipts() error {
	prefix := s.prefix() + "tower/"
	return s.node.readable(prefix, allStored(s.node.config.Store, prefix, func(tower string, r message.TowerReceipt) {
		s.towers[common.HexToAddress(tower)] = &entrusted{receipt: r}
	}))
}

// hears reports whether a tower of this node may say something now.
func (n *channels) hears(tower common.Address) error {
	if !slices.Contains(n.towers.all(), tower) {
		return fmt.Errorf("%w: %s is no tower of this node", ErrDeclined, tower)
	}
	return charge(n.budgets.towers, budget.Who{Account: tower, Friend: true}, 1)
}

// receiveReceipt takes note of what a tower holds. What it holds beyond what this node knows, the
// node has it show, at the next tick: a tower may hold what this node never takes over.
func (s *channelTowers) receiveReceipt(from common.Address, m message.TowerReceipt) error {
	if err := s.node.hears(from); err != nil {
		return err
	}
	if m.Refusal != "" {
		s.refused(from, m.Refusal)
		return nil
	}
	if err := m.Signature.Verify(m.Digest(s.node.domain, s.id, s.seat), from); err != nil {
		return fmt.Errorf("a receipt that its tower did not sign: %w", err)
	}
	if err := s.node.persist(s.prefix()+"tower/"+from.Hex(), m); err != nil {
		return err
	}
	s.mu.Lock()
	e := s.entrusted(from)
	e.confirmed(&m)
	ahead := s.behind(&m.Holding)
	s.mu.Unlock()
	if err := s.compare(&m.Mark); err != nil {
		return err
	}
	s.mu.Lock()
	e.shown = e.shown || !ahead && !e.asked.IsZero() // what it showed came before
	s.mu.Unlock()
	if err := s.trustStore(); err != nil {
		return err
	}
	s.node.towers.stir(s.id)
	s.node.log.wake()
	return nil
}

// behind reports whether a tower says that it holds more than this node. The lock is held.
func (s *channelTowers) behind(h *message.Holding) bool {
	if h.Version > s.machine.Ledger().Version {
		return true
	}
	for _, m := range h.Matches {
		v, known := s.machine.Match(m.MatchID)
		// of an older turn none would be taken over
		agreed := v.Agreement == nil && m.Agreement == protocol.MarkOf(v.Turn)
		if known && v.Support != nil && (agreed || m.Rank.Above(v.Rank)) {
			return true
		}
	}
	return false
}

// compare checks the signatures of this node's own key that a tower shows, to find out whether the
// store is an old copy.
func (s *channelTowers) compare(m *message.StoreMark) error {
	generation, err := store.Generation(s.node.config.Store)
	if err != nil || m.Generation <= generation {
		return err
	}
	if err := m.Verify(s.node.domain, s.id, s.signer.Address()); err != nil {
		return fmt.Errorf("a tower shows a store mark that this node did not sign: %w", err)
	}
	return s.node.amnesia(m.Generation)
}

// receiveShown takes over what a tower shows.
func (s *session) receiveShown(from common.Address, m message.TowerEvidence) error {
	if err := s.node.hears(from); err != nil {
		return err
	}
	err := s.step(channel.Shown{Evidence: m})
	s.node.nudge()
	return err
}

// amnesia marks the store as an old copy: the channels that it holds sign nothing more. Seen is the
// generation of the store that a tower remembers, 0 if other evidence shows it. New channels are of
// a new generation.
func (n *channels) amnesia(seen uint64) error {
	restored, err := store.Witness(n.config.Store, seen)
	if err == nil && !restored {
		err = store.MarkRestored(n.config.Store)
	}
	if err == nil {
		err = store.Begin(n.config.Store)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	for _, s := range n.allSessions() {
		if !s.info().Restored {
			err = errors.Join(err, s.freeze(oldCopy))
		}
	}
	return err
}

// askTower asks a tower that just connected how much it holds of each channel. The first time since
// the start it is to show that, too: a signature of this node's own that the store knows nothing of
// says that the store is an old copy.
func (n *towers) askTower(account common.Address) {
	if !slices.Contains(n.channels.towers.all(), account) {
		return
	}
	for s := range n.locked() {
		if e := s.towers[account]; e != nil {
			e.given, e.due, e.asked = nil, true, time.Time{}
		}
	}
	n.channels.askTowers()
}
