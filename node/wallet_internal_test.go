package node

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_HangingRPC_Records: a player's contract wallet is asked whether it appointed the
// deputy that speaks for the player, which takes as long as an endpoint likes. No invite and no
// round is locked meanwhile: channels wait for these before they look at the chain.
func TestAttack_HangingRPC_Records(t *testing.T) {
	t.Parallel()
	guest := common.Address{7}
	for name, do := range map[string]func(l *lab, n *Node) error{
		"an invite is shown again": func(l *lab, n *Node) (err error) {
			i := l.invite(n, 1, func(i *Invite) {
				i.State, i.With, i.Negotiations, i.Deputy = InviteJoined, guest, []Negotiation{{With: guest}}, n.deputy.Load()
			})
			i.Signature, err = n.config.Player.Sign(i.Invite.ID(n.domain))
			return errors.Join(err, n.saveInvite(i), n.endNegotiation(i.ID, guest, "no"))
		},
		"the player registers": func(l *lab, n *Node) error {
			r := Round{Game: "toy", Terms: matchmaking.Round{House: common.Address{8}, Most: *uint256.NewInt(1), Window: 100, Closes: 1 << 40}}
			r.ID = r.Terms.ID(n.domain)
			l.putRound(n, &r)
			if err := n.Register(t.Context(), r.ID, new(uint256.Int), common.Address{}); !errors.Is(err, protocol.ErrSignature) {
				return fmt.Errorf("the wallet is not asked: %w", err)
			}
			return nil
		},
	} {
		var n *Node
		var watched atomic.Bool
		n = Join(t, func(c *Config) {
			c.Chain.URL = watch(t, c.Chain.URL, func(body []byte) {
				if !watched.Load() || !bytes.Contains(body, []byte("eth_getCode")) {
					return
				}
				for what, records := range map[string]*sync.Mutex{"invites": &n.meeting.records.Mutex, "rounds": &n.rounds.records.Mutex} {
					if !records.TryLock() {
						t.Errorf("%s: the chain is asked with the %s locked", name, what)
						continue
					}
					records.Unlock()
				}
			})
		})
		n.deputy.Store(&protocol.SignedDeputy{Deputy: protocol.Deputy{Player: n.Account(), Key: n.config.Player.Address(), Expiry: 1 << 40}, Signature: make([]byte, 97)})
		l := &lab{t: t, now: n.config.Now()}
		l.must(n.Wait(t.Context(), func() (bool, error) { return n.blind() == nil, nil }))
		watched.Store(true)
		if err := do(l, n); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		watched.Store(false)
	}
}

// watch starts an endpoint in front of another that shows what is asked.
func watch(t *testing.T, url string, asked func(body []byte)) (at string) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			return // whoever asked is gone
		}
		asked(body)
		answer, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer answer.Body.Close()
		out.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(out, answer.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
