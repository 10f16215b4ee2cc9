package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// towers are who answers on-chain while this node is away: see package tower.
type towers struct {
	mu      sync.Mutex
	list    []common.Address
	stirred map[common.Hash]bool // channels of which there is news for them
	news    chan struct{}        // holds a token when there is some
	lost    chan struct{}        // holds a token when the store is found to be an old copy
}

// entrusted is what one tower holds of one channel, as far as this node knows. The session's lock guards it.
type entrusted struct {
	receipt channel.TowerReceipt // the newest; zero: none
	given   channel.Holding      // what was sent and is not confirmed: zero where nothing is
	since   time.Time            // when it began to lack something; zero: it holds everything
	sent    time.Time            // when something was last sent
	refusal string               // why it took nothing; empty: it did
	asked   time.Time            // when it was last asked, since the start, to show all
	shown   bool                 // it did, and this node knows all that
}

const (
	towerEvery = 2 * time.Second  // how often what a tower lacks is looked for
	towerAgain = 10 * time.Second // after which what it did not confirm is sent again
)

// stir notes that there may be news of a channel.
func (t *towers) stir(id common.Hash) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) == 0 {
		return
	}
	t.stirred[id] = true
	select {
	case t.news <- struct{}{}:
	default:
	}
}

// amnesia has the store marked as an old copy, soon.
func (t *towers) amnesia() {
	select {
	case t.lost <- struct{}{}:
	default:
	}
}

func (t *towers) all() []common.Address {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}

// take returns the channels of which there may be news, and forgets them.
func (t *towers) take() (list []common.Hash) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.stirred {
		list = append(list, id)
	}
	clear(t.stirred)
	return list
}

// AddTower has an account's tower answer on-chain for this node, from now on and as long as the node runs: it is given the
// newest evidence of every channel as it comes, and a connection to it is kept. Adding it again adds its addresses.
func (n *Node) AddTower(account common.Address, addresses ...string) error {
	if account == n.Account() {
		return fmt.Errorf("%w: this node's own account can't be its tower: run the tower with a key of its own", ErrDeclined)
	}
	if err := n.net.Keep(account, addresses...); err != nil {
		return err
	}
	n.towers.mu.Lock()
	if !slices.Contains(n.towers.list, account) {
		n.towers.list = append(n.towers.list, account)
	}
	n.towers.mu.Unlock()
	n.askTower(account)
	return nil
}

// MissTower tells the user that a tower which the node should have can't be reached, or can again (nil).
func (n *Node) MissTower(address string, err error) {
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

// Entrusted is what a tower holds of a channel, by its newest receipt.
type Entrusted struct {
	Channel common.Hash
	channel.TowerReceipt
	Behind  bool   // this node holds something newer
	Refused string // why it took nothing of it; empty: it did
}

// Towers returns who answers for this node while it is away, and with what.
func (n *Node) Towers() []Tower {
	var list []Tower
	connected := map[common.Address]bool{}
	for _, p := range n.net.Peers() {
		connected[p.Account] = p.Connected
	}
	sessions := n.allSessions()
	slices.SortFunc(sessions, func(a, b *session) int { return a.id.Cmp(b.id) })
	for _, account := range n.towers.all() {
		t := Tower{Account: account, Connected: connected[account]}
		for _, s := range sessions {
			s.mu.Lock()
			if e := s.towers[account]; e != nil && s.entrusts() {
				t.Channels = append(t.Channels, Entrusted{s.id, e.receipt, !e.since.IsZero(), e.refusal})
			}
			s.mu.Unlock()
		}
		list = append(list, t)
	}
	return list
}

// entrusted returns what is known of what a tower holds. The lock is held.
func (s *session) entrusted(tower common.Address) *entrusted {
	e := s.towers[tower]
	if e == nil {
		e = new(entrusted)
		s.towers[tower] = e
	}
	return e
}

// entrusts reports whether a channel has anything to be defended. The lock is held.
func (s *session) entrusts() bool {
	phase := s.machine.Phase()
	return phase == channel.Running || phase == channel.InContest
}

// serveTowers gives the towers what they lack, until the node closes. Play never waits for it.
func (n *Node) serveTowers(ctx context.Context) {
	ticker := time.NewTicker(towerEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.towers.lost:
			n.fault("marking the store as an old copy", n.amnesia(0))
		case <-n.towers.news:
			for _, id := range n.towers.take() {
				if s, err := n.session(id); err == nil {
					s.entrust()
				}
			}
		case <-ticker.C:
			for _, s := range n.allSessions() {
				s.entrust()
			}
			n.resolveDoubts()
			n.warnOfTowers()
		}
	}
}

// entrust gives every tower what it lacks of a channel.
func (s *session) entrust() {
	for _, tower := range s.node.towers.all() {
		for _, m := range s.lacking(tower) {
			if err := s.node.net.Send(tower, channel.Envelope(s.id, m)); err != nil {
				s.node.config.Log.Debug("not given to the tower; tried again", "channel", s.id, "tower", tower, "error", err)
				break
			}
		}
	}
}

// lacking returns what a tower is to be given now: the newest of what it has not confirmed, one piece of each kind at a time.
func (s *session) lacking(tower common.Address) []channel.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.entrusts() {
		return nil
	}
	e := s.entrusted(tower)
	now := s.node.config.Now()
	if now.Sub(e.sent) >= towerAgain {
		e.given = channel.Holding{}
	}
	list, lacks := s.choose(e)
	switch {
	case !lacks:
		e.since, e.refusal = time.Time{}, ""
	case e.since.IsZero():
		e.since = now
	}
	if len(list) == 0 {
		return nil
	}
	mark, err := s.storeMark()
	if err != nil {
		s.node.config.Log.Error("not given to the tower", "channel", s.id, "error", err)
		return nil
	}
	e.sent = now
	out := make([]channel.Message, len(list))
	for i := range list {
		list[i].Mark = mark
		out[i] = list[i]
	}
	return out
}

// choose returns what to send of what is not confirmed, and whether anything is lacking.
func (s *session) choose(e *entrusted) (list []channel.TowerEvidence, lacks bool) {
	ledger := s.machine.Ledger()
	held, given := &e.receipt.Holding, &e.given
	matches := s.machine.Matches()
	if ledger.Version > max(held.Version, 1) {
		lacks = true
		if given.Version == 0 {
			piece := channel.TowerEvidence{Ledger: ledger}
			for i := range matches {
				if ledger.Lock(matches[i].ID) != nil {
					piece.Matches = append(piece.Matches, matches[i].Terms)
				}
			}
			given.Version = ledger.Version
			list = append(list, piece)
		}
	}
	for i := range matches {
		m := &matches[i]
		if m.Support == nil || m.Ledger == nil || ledger.Lock(m.ID) == nil || m.Rank.Agreed == 0 {
			continue
		}
		mark := channel.TowerMark{MatchID: m.ID, Rank: m.Rank}
		if m.Agreement != nil {
			mark.Agreement = channel.MarkOf(m.Agreement.Turn)
		}
		for _, proof := range m.Proofs {
			mark.Proved |= 1 << proof.Seat
		}
		if held.Match(m.ID).Covers(mark) {
			continue
		}
		lacks = true
		if given.Match(m.ID).Turn != 0 {
			continue
		}
		given.SetMatch(mark)
		list = append(list, channel.TowerEvidence{
			Ledger: *m.Ledger, Matches: []channel.MatchTerms{m.Terms}, MatchID: m.ID, Support: m.Support, Agreement: m.Agreement, Proofs: m.Proofs,
		})
	}
	return list, lacks
}

// confirmed forgets what was sent and is now confirmed. The lock is held.
func (e *entrusted) confirmed() {
	held := &e.receipt.Holding
	if held.Version >= e.given.Version {
		e.given.Version = 0
	}
	e.given.Matches = slices.DeleteFunc(e.given.Matches, func(m channel.TowerMark) bool {
		return held.Match(m.MatchID).Covers(m)
	})
}

func (s *session) storeMark() (channel.StoreMark, error) {
	generation, err := store.Generation(s.node.config.Store)
	if err != nil {
		return channel.StoreMark{}, err
	}
	return channel.SignStoreMark(s.node.domain, s.id, generation, s.signer)
}

// askTower asks a tower that just connected how much it holds of each channel. The first time since the start it is to show
// that, too: a signature of this node's own that the store knows nothing of says that the store is an old copy.
func (n *Node) askTower(account common.Address) {
	if !slices.Contains(n.towers.all(), account) {
		return
	}
	for _, s := range n.allSessions() {
		s.mu.Lock()
		ask, show := s.entrusts(), true
		if e := s.towers[account]; e != nil {
			e.given, show = channel.Holding{}, !e.shown
		}
		s.mu.Unlock()
		if ask {
			s.ask(account, show)
		}
	}
}

func (s *session) ask(tower common.Address, show bool) {
	mark, err := s.storeMark()
	if show {
		s.mu.Lock()
		s.entrusted(tower).asked = s.node.config.Now()
		s.mu.Unlock()
	}
	if err == nil {
		err = s.node.net.Send(tower, channel.Envelope(s.id, channel.TowerAsk{Mark: mark, Show: show}))
	}
	if err != nil {
		s.node.config.Log.Debug("tower not asked", "channel", s.id, "tower", tower, "error", err)
	}
}

func (s *session) towerKey(account common.Address) string {
	return s.prefix() + "tower/" + account.Hex()
}

// loadReceipts takes up what the towers said before a restart.
func (s *session) loadReceipts() error {
	prefix := s.prefix() + "tower/"
	return s.node.config.Store.Scan(prefix, "", func(key string, value []byte) error {
		e := new(entrusted)
		if err := json.Unmarshal(value, &e.receipt); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		s.towers[common.HexToAddress(strings.TrimPrefix(key, prefix))] = e
		return nil
	})
}

// receiveReceipt takes note of what a tower holds. What it holds beyond what this node knows, the node has it show.
func (s *session) receiveReceipt(from common.Address, m channel.TowerReceipt) error {
	if !slices.Contains(s.node.towers.all(), from) {
		return fmt.Errorf("%w: %s is no tower of this node", ErrDeclined, from)
	}
	if m.Refusal != "" {
		return s.refused(from, m.Refusal)
	}
	if err := m.Signature.Verify(m.Digest(s.node.domain, s.id, s.seat), from); err != nil {
		return fmt.Errorf("a receipt that its tower did not sign: %w", err)
	}
	value, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := s.node.config.Store.Commit(map[string][]byte{s.towerKey(from): value}); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	s.mu.Lock()
	e := s.entrusted(from)
	e.receipt, e.refusal = m, ""
	e.confirmed()
	ahead := s.behind(&m.Holding)
	s.mu.Unlock()
	if err := s.compare(&m.Mark); err != nil {
		return err
	}
	if ahead {
		s.ask(from, true)
	}
	s.mu.Lock()
	e.shown = e.shown || !ahead && !e.asked.IsZero() // what it showed came before
	s.mu.Unlock()
	if err := s.believe(); err != nil {
		return err
	}
	s.node.towers.stir(s.id)
	s.node.log.wake()
	return nil
}

func (s *session) refused(tower common.Address, why string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.towers[tower]; e != nil {
		e.refusal = why
	}
	return nil
}

// behind reports whether a tower says that it holds more than this node. The lock is held.
func (s *session) behind(h *channel.Holding) bool {
	if h.Version > s.machine.Ledger().Version {
		return true
	}
	for _, m := range h.Matches {
		if v, known := s.machine.Match(m.MatchID); known && v.Support != nil && m.Rank.Above(v.Rank) {
			return true
		}
	}
	return false
}

// compare finds out from what this node's own key once signed whether its store is an old copy.
func (s *session) compare(m *channel.StoreMark) error {
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
func (s *session) receiveShown(from common.Address, m channel.TowerEvidence) error {
	if !slices.Contains(s.node.towers.all(), from) {
		return fmt.Errorf("%w: %s is no tower of this node", ErrDeclined, from)
	}
	err := s.step(channel.Shown{Evidence: m})
	s.node.nudge()
	return err
}

// amnesia marks the store as an old copy: nothing more is signed in the channels that it holds. Seen is the generation that
// a tower remembers of it, 0 if it is found out by something else. What begins from now on is of a new generation.
func (n *Node) amnesia(seen uint64) error {
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

// freeze has a channel sign nothing more, because its peers may know more than this store.
func (s *session) freeze(why string) error {
	if err := s.feed(channel.StoreRestored{}); err != nil {
		return err
	}
	s.node.alarmText(s.id, why)
	return nil
}

const (
	frozen = ": nothing is signed in this channel any more, because the peers may know more than it; " +
		"ask them to close it, or leave it by a one-sided close"
	oldCopy    = "a tower shows that this store is an old copy, put back from a backup" + frozen
	fromBackup = "the store was restored from a backup" + frozen
)

// warnOfTowers tells the user of a tower that lacks something for longer than the node's patience.
func (n *Node) warnOfTowers() {
	now := n.config.Now()
	for _, tower := range n.towers.all() {
		var err error
		for _, s := range n.allSessions() {
			s.mu.Lock()
			if e := s.towers[tower]; e != nil && !e.since.IsZero() && now.Sub(e.since) >= n.config.Policy.Patience && s.entrusts() {
				why := e.refusal
				if why == "" {
					why = "it does not answer"
				}
				err = fmt.Errorf("it lags behind in channel %s, holding version %d where this node has %d: %s",
					s.id, e.receipt.Version, s.machine.Ledger().Version, why)
			}
			s.mu.Unlock()
		}
		n.fault("tower "+tower.Hex(), err)
	}
}
