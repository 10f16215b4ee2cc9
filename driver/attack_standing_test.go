package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LyingRPC_StandingClock: the first endpoint of two says for ever that a block is the
// newest, as if it had just been made. An answer whose deadline counts blocks is urgent when it
// comes near, by the blocks of the other one, and a person is told.
func TestAttack_LyingRPC_StandingClock(t *testing.T) {
	u := newUpkeep(t)
	deployed, err := u.chain.DeployArena(t.Context(), true, 4, 1000)
	u.must(err)
	var newest json.RawMessage
	u.must(u.eth.Client().Call(&newest, "eth_getBlockByNumber", "latest", false))
	const lost = "eth_sendRawTransaction"
	taken := fmt.Sprintf(`"result":"%v"`, common.Hash{1})
	standing := &liar{u: u, about: map[string]string{lost: taken, "eth_getBlockByNumber": `"result":` + string(newest)}}
	losing := &liar{u: u, about: map[string]string{lost: taken}}
	config := chain.Config{}
	for l, url := range map[*liar]*string{standing: &config.URL, losing: &config.Second} {
		l.lies.Store(true)
		server := httptest.NewServer(l)
		t.Cleanup(server.Close)
		*url = server.URL
	}
	var told atomic.Bool
	config.Alarm = func(a chain.Alarm) {
		if errors.As(a.Fault, new(*chain.DeadlineNear)) {
			told.Store(true)
		}
	}
	u.Client, err = chain.Dial(t.Context(), config)
	u.must(err)
	t.Cleanup(u.Client.Close)
	u.Arena, err = chain.OpenArena(t.Context(), u.Client, deployed.ContractAddress)
	u.must(err)
	u.config.Store = u.store
	u.Sender, err = u.NewSender(chain.KeySigner(u.chain.Key(1)))
	u.must(err)
	_, err = u.Sender.Submit(t.Context(), chain.Request{Key: "answer", To: u.taker, Data: taking(1).Data, Deadline: u.chain.Head() + 20, Defence: true})
	u.must(err)
	for range 18 {
		u.must(u.chain.Mine(1))
		_, err := u.Sender.Step(t.Context())
		u.must(err)
	}
	if !told.Load() {
		t.Error("just before its deadline nobody is told")
	}
}
