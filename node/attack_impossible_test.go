package node_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// inventor carries requests, and has an endpoint tell one log more of the newest block that it is
// asked about.
type inventor struct {
	invented atomic.Pointer[types.Log]
	told     atomic.Int32
}

func (i *inventor) RoundTrip(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(asked))
	answer, err := http.DefaultTransport.RoundTrip(r)
	l := i.invented.Load()
	if err != nil || l == nil || !bytes.Contains(asked, []byte("eth_getLogs")) {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil, err
	}
	type call struct {
		ID     json.RawMessage `json:"id"`
		Params []struct {
			BlockHash *common.Hash `json:"blockHash"`
		} `json:"params"`
	}
	type result struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  []types.Log     `json:"result"`
	}
	var calls []call
	var results []result
	if json.Unmarshal(asked, &calls) == nil && json.Unmarshal(body, &results) == nil {
		for k := range results {
			if hash := calls[k].Params[0].BlockHash; hash != nil && *hash == l.BlockHash {
				results[k].Result = append(results[k].Result, *l)
				i.told.Add(1)
			}
		}
		if body, err = json.Marshal(results); err != nil {
			return nil, err
		}
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer.Header.Del("Content-Length")
	return answer, nil
}

// TestAttack_LyingRPC_Impossible: an endpoint tells once what no Arena says: of an opening that it
// takes from nobody, with the player's own key in it, more of a channel than a store takes, or a
// record of more seats than a match has. Another endpoint takes its place, and the node goes on.
func TestAttack_LyingRPC_Impossible(t *testing.T) {
	t.Parallel()
	for name, invent := range map[string]func(t *testing.T, l *types.Log, domain protocol.Domain, terms protocol.Terms, match common.Hash){
		"an opening": func(_ *testing.T, l *types.Log, domain protocol.Domain, terms protocol.Terms, _ common.Hash) {
			terms.Window = 0
			l.Topics[1] = terms.ID(domain)
			binary.BigEndian.PutUint64(l.Data[64+1+20:], 0)
		},
		"a record": func(t *testing.T, l *types.Log, _ protocol.Domain, _ protocol.Terms, match common.Hash) {
			abi, err := bindings.ArenaMetaData.ParseABI()
			must(t, err)
			event := abi.Events["Demanded"]
			l.Topics = []common.Hash{event.ID, l.Topics[1], match}
			record := make([]byte, 32+1+1+8+32*(games.MaxSeats+1))
			record[32] = byte(protocol.MatchFinal)
			l.Data, err = event.Inputs.NonIndexed().Pack(record)
			must(t, err)
		},
		"more than a store takes": func(t *testing.T, l *types.Log, _ protocol.Domain, _ protocol.Terms, _ common.Hash) {
			abi, err := bindings.ArenaMetaData.ParseABI()
			must(t, err)
			event := abi.Events["LockPaid"]
			l.Topics = []common.Hash{event.ID, l.Topics[1], {1}}
			payouts := make([]*big.Int, store.MaxCommit/2/32)
			for k := range payouts {
				payouts[k] = new(big.Int)
			}
			l.Data, err = event.Inputs.NonIndexed().Pack(payouts)
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			liar := new(inventor)
			tb := sit(t, 2, func(seat int, c *node.Config) {
				if seat == 1 {
					c.Chain.Transport = liar
				}
			})
			bob, match := tb.players[1], tb.match(t, "toy", "")
			client := world(t).Chain.Client()
			defer client.Close()
			list, err := client.FilterLogs(tb.ctx, ethereum.FilterQuery{Addresses: []common.Address{bob.config.Arena}})
			must(t, err)
			var lie *types.Log
			for k := range list {
				if _, err := bindings.NewArena().UnpackOpenedEvent(&list[k]); err == nil {
					lie = &list[k]
				}
			}
			c, err := bob.Channel(tb.channel)
			must(t, err)
			id, err := client.ChainID(tb.ctx)
			must(t, err)
			invent(t, lie, protocol.Domain{ChainID: id.Uint64(), Arena: bob.config.Arena}, c.Terms, match)
			must(t, bob.Close()) // it reads the next block when the lie is ready
			must(t, world(t).Chain.Mine(1))
			head, err := client.HeaderByNumber(tb.ctx, nil)
			must(t, err)
			lie.BlockHash, lie.BlockNumber, lie.Index = head.Hash(), head.Number.Uint64(), 1000
			liar.invented.Store(lie)
			bob.restart(t)
			tb.wait(t, bob, func() bool { return len(bob.Standing()) > 0 || bob.Head().Block >= lie.BlockNumber })
			if liar.told.Load() == 0 {
				t.Error("nothing is invented")
			}
			liar.invented.Store(nil)
			bob.config.Chain.Transport = nil // another endpoint
			bob.restart(t)
			must(t, world(t).Chain.Mine(1))
			tb.wait(t, bob, func() bool { return bob.Head().Block > lie.BlockNumber })
		})
	}
}
