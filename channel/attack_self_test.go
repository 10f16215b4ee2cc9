package channel_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/commit"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

func TestUnansweredMovesAreBounded(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	for i := 0; ; i++ {
		err := tb.move(0, id, Keep)
		tb.queue = nil
		if errors.Is(err, channel.ErrWaiting) {
			if i < 8 {
				t.Fatalf("waits after %d moves", i)
			}
			break
		}
		if err != nil || i > protocol.MaxRun {
			t.Fatalf("move %d: %v", i, err)
		}
	}
	tb.heal()
	tb.mustMove(0, id, Keep)
}

func TestAttack_Replay(t *testing.T) {
	for _, n := range []int{2, 3} {
		tb := openTable(t, n)
		var all []packet
		record := func() {
			for len(tb.queue) > 0 {
				all = append(all, tb.queue[0])
				if err := tb.deliver(0); err != nil {
					t.Fatal(err)
				}
			}
		}
		tb.must(0, tb.proposal(100))
		record()
		id := newest(tb.seats[0].m)
		for turn := range 5 {
			for i := range tb.seats {
				tb.must(i, channel.Idle{})
			}
			record()
			tb.mustMove(turn%n, id, Pass, byte(turn))
			record()
		}
		var before [][]channel.Entry
		for i := range tb.seats {
			before = append(before, tb.seats[i].m.Records())
		}
		for range 2 {
			for i := len(all) - 1; i >= 0; i-- {
				if err := tb.says(all[i].from, all[i].to, all[i].msg); err != nil {
					t.Fatalf("%T again: %v", all[i].msg, err)
				}
			}
		}
		tb.deliverAll()
		for i := range tb.seats {
			if !reflect.DeepEqual(before[i], tb.seats[i].m.Records()) {
				t.Fatalf("%d seats: old messages change seat %d", n, i)
			}
		}
	}
}

func TestAttack_Crash(t *testing.T) {
	for _, released := range []bool{false, true} {
		for die := 0; ; die++ {
			steps, tb := 0, openTable(t, 2)
			crash := func(i int, in channel.Input) {
				steps++
				fx, err := tb.seats[i].m.Step(in)
				if err != nil {
					return
				}
				if steps-1 == die && !released {
					tb.restart(i) // died before the write
					return
				}
				tb.persist(i, fx)
				if steps-1 == die {
					tb.restart(i) // died after the write
					tb.audit.heard(tb, fx.Events)
					return
				}
				tb.release(i, fx)
			}
			var id common.Hash
			for round := range 12 {
				for i := range tb.seats {
					if round == 0 && i == 0 {
						crash(0, tb.proposal(100))
					}
					if l := tb.seats[i].m.Ledger(); len(l.Locks) > 0 {
						id = l.Locks[0].MatchID
						v, _ := tb.seats[i].m.Match(id)
						move := Pass
						if v.Turn >= 4 {
							move = Win
						}
						crash(i, channel.MakeMove{MatchID: id, Turn: v.Turn, Move: []byte{move}, Secret: commit.Load([]byte{1})})
					}
					crash(i, channel.Idle{})
					crash(i, channel.Tick{})
					for len(tb.queue) > 0 {
						p := tb.queue[0]
						tb.queue = tb.queue[1:]
						crash(p.to, channel.Received{From: p.from, Message: p.msg})
					}
				}
			}
			if die == 0 && !released {
				// The proposal itself was lost before it was kept: nothing happened, and the user
				// may repeat it.
				tb.must(0, tb.proposal(100))
				tb.deliverAll()
				continue
			}
			tb.heal()
			for i, s := range tb.seats {
				if l := s.m.Ledger(); l.Version < 3 || len(l.Locks) != 0 {
					t.Fatalf("crash at step %d (released %v): seat %d is at ledger %d with %d locks", die, released, i, l.Version, len(l.Locks))
				}
			}
			if steps <= die {
				break
			}
		}
	}
}

func TestAttack_SelfEquivocation_Position(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	key := "match/" + common.Bytes2Hex(id[:])
	var record antev1.MatchRecord
	if err := proto.Unmarshal(tb.seats[1].store[key], &record); err != nil {
		t.Fatal(err)
	}
	record.Mark = uint64(protocol.MarkOf(2))
	b, err := proto.Marshal(&record)
	if err != nil {
		t.Fatal(err)
	}
	tb.seats[1].store[key] = b
	tb.restart(1)
	if err := tb.move(1, id, Pass); !errors.Is(err, channel.ErrSigned) {
		t.Fatalf("a second move at a signed turn: %v", err)
	}
	tb.must(1, channel.Idle{})
	if v := tb.view(1, id); v.Agreed || v.Mark != protocol.MarkOf(2) {
		t.Fatal("a turn below the mark is countersigned")
	}
}

func TestSecretIsKeptFirst(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	secret := []byte("the code is 1 2 3 4")
	fx, err := tb.seats[0].m.Step(channel.MakeMove{MatchID: id, Move: []byte{Pass}, Secret: commit.Load(secret)})
	if err != nil {
		t.Fatal(err)
	}
	var kept bool
	for _, e := range fx.Entries {
		kept = kept || bytes.Equal(e.Value, secret)
		if e.Key != "secret/"+common.Bytes2Hex(id[:]) && bytes.Contains(e.Value, secret) {
			t.Errorf("the secret lies under %s", e.Key)
		}
	}
	if !kept {
		t.Fatal("the secret is not kept")
	}
	for _, o := range fx.Messages {
		if b, _ := proto.Marshal(message.Envelope(tb.id, o.Message)); bytes.Contains(b, secret) {
			t.Error("the secret leaves with the move")
		}
	}
	tb.release(0, tb.persist(0, fx))
	tb.restart(0)
	if got := tb.seats[0].m.Secret(id).Expose(); !bytes.Equal(got, secret) {
		t.Fatalf("after a restart the secret is %q", got)
	}
	tb.deliverAll()
	tb.mustMove(1, id, Win)
	tb.deliverAll()
	for key := range tb.seats[0].store {
		if key != "channel" {
			t.Errorf("%s is still there after the match is booked", key)
		}
	}
}

// A seat signs an agreement and moves on nevertheless: the later position counts, on-chain as well,
// so play goes on. A booking by an agreement that not all seats signed.

// What a channel keeps does not grow with the moves.
func TestRecordsDoNotGrow(t *testing.T) {
	for _, n := range []int{2, 3} {
		tb := openTable(t, n)
		id := tb.match(0)
		size := func() (bytes int) {
			for _, e := range tb.records(0) {
				bytes += len(e.Value)
			}
			return bytes
		}
		var early int
		for turn := range 150 {
			tb.mustMove(turn%n, id, Pass, byte(turn))
			tb.deliverAll()
			if turn == 3*n {
				early = size()
			}
		}
		if late := size(); late > early+64 {
			t.Errorf("%d seats: %d bytes after a few moves, %d after 150", n, early, late)
		}
	}
}
