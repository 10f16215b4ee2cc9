package nodesim

import (
	"context"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// cheats are how a seat cheats. It runs a real node, whose mouth it holds, and posts what it likes
// past it.
func cheats() []way {
	return []way{
		{"silence", func(_ context.Context, s *seat, r *rand.Rand) {
			s.at(r.Uint64N(soon), func() {
				s.note("seat %d falls silent", s.index)
				s.hush(func(message.Message) bool { return true })
			})
		}},
		{"gone", func(_ context.Context, s *seat, r *rand.Rand) {
			s.at(r.Uint64N(soon), func() { s.note("seat %d is gone", s.index); s.stop() })
		}},
		{"withheld bookings", func(_ context.Context, s *seat, r *rand.Rand) {
			s.hush(func(m message.Message) bool {
				switch m.(type) {
				case message.Approve, message.Propose:
					return s.world.head()-s.world.first > 4
				}
				return false
			})
		}},
		{"withheld words", func(_ context.Context, s *seat, r *rand.Rand) {
			s.hush(func(m message.Message) bool {
				_, counter := m.(message.Countersign)
				return counter
			})
		}},
		{"stale ledger", func(ctx context.Context, s *seat, r *rand.Rand) {
			from := 6 + r.Uint64N(soon)
			for block := from; block < from+soon; block += 2 {
				s.at(block, s.contestOld)
			}
		}},
		{"old positions", func(ctx context.Context, s *seat, r *rand.Rand) {
			for range 3 {
				s.at(4+r.Uint64N(soon), func() { s.postOld() })
			}
		}},
		{"another copy", olderCopy}, {"copies", twoCopies},
		{"draws", func(_ context.Context, s *seat, r *rand.Rand) {
			for range 6 {
				s.at(2+r.Uint64N(soon), func() { s.offerDraw() })
			}
		}},
	}
}

// hush swallows messages from now on, besides those that were swallowed before.
func (s *seat) hush(which func(message.Message) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.mute
	s.mute = func(m message.Message) bool { return which(m) || before != nil && before(m) }
}

func copyOf(from *store.Memory) *store.Memory {
	all := map[string][]byte{}
	_ = from.Scan("", "", func(key string, value []byte) error { all[key] = value; return nil })
	to := store.NewMemory()
	_ = to.Commit(all)
	return to
}

// learn keeps what a cheating seat holds now: it can be posted for ever.
func (s *seat) learn() {
	n := s.running()
	if n == nil || s.honest {
		return
	}
	for _, c := range n.Channels() {
		if c.Status == node.ChannelOpening || s.channel != nil && s.channel.ID != c.ID {
			continue
		}
		s.channel = &c
		if len(s.ledgers) == 0 || s.ledgers[len(s.ledgers)-1].Version < c.Ledger.Version {
			s.ledgers = append(s.ledgers, c.Ledger)
		}
	}
	for _, m := range n.Matches() {
		if m.Support != nil && m.Ledger != nil && s.channel != nil && m.Channel == s.channel.ID {
			s.held[m.ID] = append(s.held[m.ID], m.MatchView)
		}
	}
}

// contestOld starts a contest with the ledger that pays it best of all that it ever held, once that
// is not the newest.
func (s *seat) contestOld() {
	if s.channel == nil || s.contested {
		return
	}
	first := protocol.FirstLedger(s.channel.ID, &s.channel.Terms)
	old := protocol.SignedLedger{Ledger: first}
	newest := &s.ledgers[len(s.ledgers)-1]
	for _, l := range s.ledgers {
		if l.Balances[s.channel.Seat].Gt(&old.Balances[s.channel.Seat]) {
			old = l
		}
	}
	has := newest.Balances[s.channel.Seat]
	for _, lock := range newest.Locks { // of two seats
		has.Add(&has, &lock.Stakes[s.channel.Seat])
	}
	if !old.Balances[s.channel.Seat].Gt(&has) {
		return
	}
	s.contested = true
	key, err := sessionKey(s.key, s.channel.Terms.Salt)
	if err != nil {
		return
	}
	sig, err := key.Sign(protocol.Contest{ChannelID: s.channel.ID, Version: old.Version}.Digest(s.domain))
	if err != nil {
		return
	}
	s.note("seat %d contests with ledger %d of %d", s.index, old.Version, s.ledgers[len(s.ledgers)-1].Version)
	s.post(onchain.ContestLedger{Terms: s.channel.Terms, Ledger: old, Seat: uint8(s.channel.Seat), Signature: sig[:]}) //nolint:gosec // a seat
}

// postOld posts a position that it once held, with a Demand.
func (s *seat) postOld() {
	ids := slices.SortedFunc(maps.Keys(s.held), func(a, b common.Hash) int { return a.Cmp(b) })
	if s.channel == nil || len(ids) == 0 {
		return
	}
	key, err := sessionKey(s.key, s.channel.Terms.Salt)
	if err != nil {
		return
	}
	list := s.held[ids[s.r.IntN(len(ids))]]
	m := list[s.r.IntN(len(list))]
	a := onchain.Advance{Terms: s.channel.Terms, Match: m.Terms, Support: *m.Support, Ledger: m.Ledger}
	for _, e := range s.world.events() {
		if r, ok := e.(onchain.Recorded); ok && r.MatchID == m.ID && r.Record.Status != protocol.MatchUnknown {
			record := r.Record
			a.Record, a.Ledger = &record, nil
		}
	}
	if s.r.IntN(3) > 0 {
		if sig, err := key.Sign(protocol.Demand{MatchID: m.ID, Turn: m.Support.Last()}.Digest(s.domain)); err == nil {
			a.Demand = &sig
		}
	}
	s.note("seat %d posts turn %s of match %x", s.index, m.Turn, m.ID[:4])
	s.post(a)
}

// post sends an action past the seat's node.
func (s *seat) post(a onchain.Action) {
	call, err := s.world.codec.Encode(a)
	if err != nil {
		return
	}
	s.world.push(s, call.Data)
}

// push puts a call of the Arena into the pool, from a wallet of the seat's own that its node knows
// nothing of.
func (w *world) push(s *seat, data []byte) {
	key := keyOf(100 + uint64(s.index)) //nolint:gosec // a seat
	signer := chain.KeySigner(key)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mini.Fund(signer.Address(), own)
	nonce := w.nonces[signer.Address()]
	for _, t := range w.pool {
		if t.from == signer.Address() {
			nonce = max(nonce, t.Nonce()+1)
		}
	}
	tx, err := signer.SignTx(context.Background(), types.NewTx(&types.DynamicFeeTx{
		ChainID: big.NewInt(chainID), Nonce: nonce, Gas: 5_000_000, To: &w.domain.Arena, Data: data, GasFeeCap: big.NewInt(500 * gwei), GasTipCap: big.NewInt(gwei),
	}), big.NewInt(chainID))
	if err == nil {
		w.pool = append(w.pool, pooled{tx, signer.Address()})
	}
}

// offerDraw offers to end a match with the stakes back.
func (s *seat) offerDraw() {
	n := s.running()
	if n == nil {
		return
	}
	for _, m := range n.Matches() {
		if m.Started && m.Outcome == nil && m.Agreement == nil {
			s.try("offer a draw", n.OfferDraw(m.ID, m.Terms.Stakes))
		}
	}
}

// acceptDraws has an honest seat take draws that give its stake back.
func (s *seat) acceptDraws(n *node.Node) {
	for _, m := range n.Matches() {
		for _, o := range m.Offers {
			if int(o.Seat) != m.Seat && m.Agreement == nil && !o.Payouts[m.Seat].Lt(&m.Terms.Stakes[m.Seat]) {
				s.try("accept a draw", n.AcceptDraw(m.ID, o.Seat, o.Payouts))
			}
		}
	}
}
