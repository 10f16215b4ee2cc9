package chain

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rlp"
)

// What version 2 stored: a cursor that had told of one block, and was about to tell of another.
const (
	oldCursor  = `{"version":2,"chain":3,"arena":"0x0700000000000000000000000000000000000000","base":10,"final":10,"blocks":[{"number":10,"hash":"0x0a00000000000000000000000000000000000000000000000000000000000000","parent":"0x0900000000000000000000000000000000000000000000000000000000000000","time":100,"baseFee":7,"parts":1,"digest":"0x47b89a9c13d4c08f1104c34901aec9537c7272ac0bd693d7f5ab0a0e9c9f6763","by":"one"}],"telling":1}`
	oldJournal = `{"cursor":{"version":2,"chain":3,"arena":"0x0700000000000000000000000000000000000000","base":10,"final":10,"blocks":[{"number":10,"hash":"0x0a00000000000000000000000000000000000000000000000000000000000000","parent":"0x0900000000000000000000000000000000000000000000000000000000000000","time":100,"baseFee":7,"parts":1,"digest":"0x47b89a9c13d4c08f1104c34901aec9537c7272ac0bd693d7f5ab0a0e9c9f6763","by":"one"},{"number":10,"hash":"0x0a00000000000000000000000000000000000000000000000000000000000000","parent":"0x0900000000000000000000000000000000000000000000000000000000000000","time":100,"baseFee":7,"logs":[{"address":"0x0700000000000000000000000000000000000000","topics":["0x0500000000000000000000000000000000000000000000000000000000000000"],"data":"0x010203","blockNumber":"0xa","transactionHash":"0x00000000000000000000000000000000000000000000000000000001000003f2","transactionIndex":"0x0","blockHash":"0x000000000000000000000000000000000000000000000000000000010000000a","blockTimestamp":"0x0","logIndex":"0x1","removed":false}],"digest":"0x47b89a9c13d4c08f1104c34901aec9537c7272ac0bd693d7f5ab0a0e9c9f6763","by":"one"}]},"news":[{"stage":1,"block":{"number":10,"hash":"0x0a00000000000000000000000000000000000000000000000000000000000000","parent":"0x0900000000000000000000000000000000000000000000000000000000000000","time":100,"baseFee":7,"logs":[{"address":"0x0700000000000000000000000000000000000000","topics":["0x0500000000000000000000000000000000000000000000000000000000000000"],"data":"0x010203","blockNumber":"0xa","transactionHash":"0x00000000000000000000000000000000000000000000000000000001000003f2","transactionIndex":"0x0","blockHash":"0x000000000000000000000000000000000000000000000000000000010000000a","blockTimestamp":"0x0","logIndex":"0x1","removed":false}],"digest":"0x47b89a9c13d4c08f1104c34901aec9537c7272ac0bd693d7f5ab0a0e9c9f6763","by":"one"}}]}`
)

// TestOldCursors: a follower goes on from what an earlier version stored, at whatever moment that
// ended.
func TestOldCursors(t *testing.T) {
	arena := common.Address{7}
	disk := store.NewMemory()
	s := &shelf{disk, "cursor", arena}
	if err := disk.Commit(map[string][]byte{"cursor": []byte(oldCursor), s.page(0): []byte(oldJournal)}); err != nil {
		t.Fatal(err)
	}
	if id, err := Followed(disk, "cursor", arena); id != 3 || err != nil {
		t.Errorf("followed on chain %d: %v", id, err)
	}
	newer, err := rlp.EncodeToBytes([]any{uint64(cursorVersion + 1), uint64(3), arena, "what this program doesn't know"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decodeCursor(newer, 3, arena, 0); !errors.Is(err, ErrCursor) || !strings.Contains(err.Error(), "it is of version 4") {
		t.Errorf("a newer program's: %v", err)
	}
	at, err := decodeCursor([]byte(oldCursor), 3, arena, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := Block{Number: 10, Hash: common.Hash{10}, Parent: common.Hash{9}, Time: 100, BaseFee: 7}
	if b := at.tip(); at.next() != 11 || b.Block != want || b.Parts != 1 || b.By != "one" || at.Telling != 1 || at.Version != cursorVersion {
		t.Errorf("%+v %+v", at, b)
	}
	j, err := s.noted(at)
	if err != nil {
		t.Fatal(err)
	}
	logs, err := s.logs(j.Cursor.Blocks[1])
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v, %d logs", err, len(logs))
	}
	if log := logs[0]; log.Address != arena || log.Index != 1 || log.BlockNumber != 10 || log.TxHash == (common.Hash{}) || len(log.Topics) != 1 || len(log.Data) != 3 {
		t.Errorf("%+v", log)
	}
}
