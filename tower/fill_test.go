package tower

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
)

var seatsFlag = flag.Int("tower.seats", 2000, "seats that TestFill has a tower hold")

// nowhere is a network without peers.
type nowhere struct{}

func (nowhere) Send(common.Address, *antev1.Envelope) error { return transport.ErrNotConnected }
func (nowhere) Addresses() []string                         { return nil }
func (nowhere) Group(common.Address) string                 { return "" }
func (nowhere) Close() error                                { return nil }

// TestFill holds evidence for many seats, each of another channel of two, with a ledger that locks
// a match and a position of it, as large as real ones. It is written into the store directly, in
// the tower's own form, because a million channels can't be opened on a dev chain. The log tells
// what they take in memory and on disk:
//
//	go test ./tower -run Fill -v -tower.seats 1000000 -timeout 30m
func TestFill(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	start := time.Now()
	fill(t, s, *seatsFlag)
	t.Logf("filled with %d seats in %s", *seatsFlag, time.Since(start).Round(time.Second))

	w, err := dev.Start(t.Context(), devnet.Config{Accounts: 2}, games.Catalog{mastermind.Game()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	start = time.Now()
	tower, err := Start(t.Context(), Config{
		Store: s, Chain: chain.Config{URL: w.URL}, Arena: w.Arena, From: w.From,
		Key: protocol.NewKey(w.Chain.Key(1)), GasPayer: chain.KeySigner(w.Chain.Key(1)), Games: w.Games, Rules: w.Rules,
		Network: func(protocol.Domain, transport.Handler) (Network, error) { return nowhere{}, nil },
		Policy:  Policy{Confirmations: 1, Poll: 20 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tower.Close() }()
	t.Logf("started in %s", time.Since(start).Round(time.Millisecond))
	if tower.Seats() != *seatsFlag {
		t.Fatalf("%d seats are held", tower.Seats())
	}
	if err := tower.sweep(1 << 20); err != nil { // looks at each of them
		t.Fatal(err)
	}
	start = time.Now()
	const looks = 1000
	for range looks {
		id := synthetic(rand.IntN(*seatsFlag))
		unlock := tower.lock(id)
		e, err := tower.evidence(id, new(dispute))
		unlock()
		if err != nil || e.Ledger == nil || len(e.Matches) != 1 {
			t.Fatalf("evidence of %s: %v, %v", id, e, err)
		}
	}
	t.Logf("evidence of a seat read in %s", time.Since(start)/looks)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("heap %d MiB, %s, disk %d MiB", m.HeapAlloc>>20, resident(), size(t, dir)>>20)
}

func synthetic(i int) common.Hash {
	return crypto.Keccak256Hash(binary.BigEndian.AppendUint64(nil, uint64(i)))
}

// fill writes the evidence of seats in the form in which a tower keeps it.
func fill(t *testing.T, s store.Store, seats int) {
	t.Helper()
	source := rand.NewChaCha8([32]byte{1})
	random := func(n int) []byte {
		b := make([]byte, n)
		_, _ = source.Read(b)
		return b
	}
	key, err := crypto.HexToECDSA(strings.Repeat("7", 64))
	if err != nil {
		t.Fatal(err)
	}
	sig, err := protocol.NewKey(key).Sign(common.Hash{1})
	if err != nil {
		t.Fatal(err)
	}
	ether := *uint256.NewInt(1e18)
	changes := map[string][]byte{}
	put := func(key string, value []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		changes[key] = value
	}
	for i := range seats {
		id := synthetic(i)
		m := protocol.MatchTerms{ChannelID: id, Nonce: 2 << 8, Rules: common.Address(random(20)), Seats: []uint8{0, 1}, Stakes: []uint256.Int{ether, ether}, Params: random(64)}
		match := common.Hash(random(32))
		l := protocol.SignedLedger{
			Ledger:     protocol.Ledger{ChannelID: id, Version: 9, Balances: []uint256.Int{ether, ether}, Locks: []protocol.Lock{{MatchID: match, Stakes: m.Stakes}}},
			Signatures: []protocol.Signature{sig, sig},
		}
		ledger := message.TowerEvidence{Ledger: l}
		position := message.TowerEvidence{Ledger: l, Matches: []protocol.MatchTerms{m}, MatchID: match, Support: &protocol.Support{
			Base: random(400), Moves: [][]byte{random(64)}, Signatures: []protocol.SeatSignature{{Signature: sig}, {At: 1, Seat: 1, Signature: sig}},
		}}
		opened, err := rlp.EncodeToBytes(&logRecord{Topics: []common.Hash{{1}, id}, Data: random(416), Final: true})
		put(fmt.Sprintf("%s%s%016x/%08x/%s", logsOf(id), openings, i, 0, id.Hex()), opened, err)
		first, err := writeEvidence(id, ledger)
		put(ledgerKey(id, 0), first, err)
		second, err := writeEvidence(id, position)
		put(matchKey(id, 0, match), second, err)
		h := holding{Ledger: len(first), Bytes: len(first) + len(second)}
		h.Version, h.Expiry = 9, 1<<40
		h.SetMatch(message.TowerMark{MatchID: match, Rank: protocol.Rank{Agreed: 7, Turn: 8}})
		short, err := json.Marshal(h)
		put(holdingKey(id, 0), short, err)
		if len(changes) >= 4000 || i == seats-1 {
			if err := s.Commit(changes); err != nil {
				t.Fatal(err)
			}
			clear(changes)
		}
	}
}

// resident says how much memory the process has, and had at most, where the system tells.
func resident() string {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "resident memory unknown"
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "VmHWM") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(out, ", ")
}

func size(t *testing.T, dir string) (total int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}
