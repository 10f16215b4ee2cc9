package node_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
)

const (
	passphrase = "nobody may read this"
	apiToken   = "5f0e1c3b7a9d2846e0f1a2b3c4d5e6f7"
)

// hoard is what must not be seen of the players of a test, by what it is.
type hoard struct {
	mu   sync.Mutex
	held map[string][]byte
	kept [][]byte // secrets of matches as the stores hold them
}

func (h *hoard) add(name string, secret []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held[fmt.Sprintf("%s %d", name, len(h.held))] = bytes.Clone(secret)
}

// hoarding is a store that tells of the secrets which it is given.
type hoarding struct {
	store.Store
	tell func(secrets []byte)
}

func (s hoarding) Commit(changes map[string][]byte) error {
	for key, value := range changes {
		if strings.Contains(key, "/secret/") && len(value) > 0 {
			s.tell(value)
		}
	}
	return s.Store.Commit(changes)
}

// commitments takes up the salts that a player drew, and what it committed to unless a guess finds
// that.
func (h *hoard) commitments(kept []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list, err := commit.Load(kept).Openings(common.Hash(kept[1:33]), kept[33])
	if err != nil {
		panic(err)
	}
	h.kept = append(h.kept, bytes.Clone(kept))
	for _, o := range list {
		what := fmt.Sprintf("%s of match %x, seat %d: ", bytes.TrimRight(o.Scope.Tag[:], "\x00"), o.Scope.MatchID[:4], o.Scope.Seat)
		h.held[what+"salt"] = o.Salt[:]
		if secret := bytes.TrimLeft(o.Secret[:], "\x00"); len(secret) > 6 {
			h.held[what+"secret"] = secret
		}
	}
}

// writings are the ways in which bytes are usually written.
func writings(b []byte) []string {
	quoted := strconv.Quote(string(b))
	list := []string{
		string(b), quoted[1 : len(quoted)-1], hex.EncodeToString(b), fmt.Sprintf("%X", b), fmt.Sprintf("% x", b), new(big.Int).SetBytes(b).String(),
		strings.Trim(fmt.Sprint(b), "[]"), strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", b), "[]byte{"), "}"),
	}
	for shift := range 3 { // wherever it lies in what is encoded
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), b...))
		text = text[(shift*8+5)/6 : len(text)-1]
		list = append(list, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	return list
}

// search fails if anything of the hoard stands in some output.
func (h *hoard) search(t *testing.T, where, out string) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, secret := range h.held {
		for _, text := range writings(secret) {
			if at := strings.Index(out, text); at >= 0 {
				t.Errorf("%s: %s is shown: %q", where, name, out[max(0, at-200):min(len(out), at+len(text)+20)])
				break
			}
		}
	}
}

// guard has a node keep its keys as channeld does, log everything, and tell the hoard what it
// hides.
func (h *hoard) guard(t *testing.T, c *node.Config, handler slog.Handler) (*keys.Ring, p2p.Identity) {
	t.Helper()
	key, err := crypto.ToECDSA(c.Player.(*protocol.Key).Bytes())
	must(t, err)
	account, err := keystore.EncryptKey(&keystore.Key{Id: uuid.New(), Address: c.Player.Address(), PrivateKey: key}, passphrase,
		keystore.LightScryptN, keystore.LightScryptP)
	must(t, err)
	ring, err := keys.Create(t.TempDir(), keys.NewPassword(passphrase), keys.Light, account)
	must(t, err)
	seed, err := ring.PeerSeed()
	must(t, err)
	identity, err := p2p.IdentityFromSeed(seed.Reveal())
	must(t, err)
	h.add("player's key", crypto.FromECDSA(key))
	h.add("peer seed", seed.Reveal())
	c.Player, c.GasPayer = ring.Player(), chain.KeySigner(ring.PlayerKey())
	c.Sessions = func(salt common.Hash) (protocol.Signer, error) {
		session, err := ring.Session(salt)
		if err == nil {
			h.add("session key", session.Bytes())
		}
		return session, err
	}
	c.Log, c.Store = slog.New(handler), hoarding{c.Store, h.commitments}
	c.Network = func(d protocol.Domain, to transport.Handler) (node.Network, error) {
		return p2p.New(p2p.Config{Identity: identity, Signer: ring.Player(), Domain: d, Handler: to, Log: c.Log})
	}
	return ring, identity
}

// ask makes every call of the API that only asks, and some that are refused, and returns all that
// is answered.
func ask(t *testing.T, p *player, tb *table, id common.Hash) string {
	t.Helper()
	server := httptest.NewServer(api.New(api.Config{
		Node: p.Node, Store: p.config.Store, Token: keys.NewSecret([]byte(apiToken)), Games: world(t).Games, Rules: world(t).Rules, Now: time.Now,
	}))
	defer server.Close()
	var out strings.Builder
	in, match := fmt.Sprintf(`{"channelId":"%s"}`, tb.channel), fmt.Sprintf(`{"matchId":"%s"}`, id)
	for _, call := range [][2]string{
		{"GetStatus", "{}"},
		{"GetBalance", "{}"},
		{"ListPeers", "{}"},
		{"ListOffers", "{}"},
		{"ListMyInvites", "{}"},
		{"ListRounds", "{}"},
		{"ListChannels", "{}"},
		{"ListGames", "{}"},
		{"ListProposals", "{}"},
		{"ListTransactions", "{}"},
		{"ListAlarms", "{}"},
		{"GetScore", "{}"},
		{"GetChannel", in},
		{"GetDispute", in},
		{"ListMatches", in},
		{"GetMatch", match},
		{"Play", fmt.Sprintf(`{"matchId":"%s","move":"%s"}`, id, "where are they?")},
	} {
		r, err := http.NewRequestWithContext(tb.ctx, http.MethodPost, server.URL+"/"+antev1connect.NodeServiceName+"/"+call[0], strings.NewReader(call[1]))
		must(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+apiToken)
		reply, err := server.Client().Do(r)
		must(t, err)
		_, err = io.Copy(&out, reply.Body)
		must(t, err)
		must(t, reply.Body.Close())
		if reply.StatusCode != http.StatusOK && call[0] != "Play" {
			t.Errorf("%s: %s", call[0], reply.Status)
		}
	}
	return out.String()
}

// told is all that a node told its user.
func told(t *testing.T, p *player) string {
	t.Helper()
	past, err := p.Past(0)
	must(t, err)
	return fmt.Sprintf("%+v", past)
}

// dump prints values in all the ways there are.
func dump(values ...any) string {
	var out strings.Builder
	text, object := slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))
	for _, v := range values {
		for _, verb := range []string{"%+v", "%#v", "%s", "%x"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		if b, err := json.Marshal(v); err == nil {
			out.Write(b)
		}
		text.Info("text", "v", v)
		object.Info("json", "v", v)
	}
	return out.String()
}

// hidden is how both place their ships: not as the example does that the game shows when it asks.
const hidden = "a1-d1 a3-c3 e3-f3 a5-c5 e5-f5 a7-b7 d8-e8"

// placed starts a match of Battleships in which both have placed their ships and nobody has shot.
func (tb *table) placed(t *testing.T) common.Hash {
	t.Helper()
	id := tb.match(t, "battleships", "")
	for _, p := range tb.players {
		tb.play(t, p, id, hidden)
	}
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { m, err := p.Match(id); return err == nil && m.Turn >= 3 })
	}
	return id
}

// TestAttack_LoggedSecret: two nodes play a match to its end and another until one of them is
// silent and the other leaves by the chain. Nothing that they log, tell, answer or print of
// themselves holds a key, a salt or a board.
func TestAttack_LoggedSecret(t *testing.T) {
	t.Parallel()
	h, log, hers := &hoard{held: map[string][]byte{}}, new(journal), new(clock)
	h.add("password", []byte(passphrase))
	h.add("token", []byte(apiToken))
	var private []any
	everything := &slog.HandlerOptions{Level: slog.LevelDebug}
	tb := sit(t, 2, func(seat int, c *node.Config) {
		handler := slog.Handler(slog.NewTextHandler(log, everything))
		c.Now = hers.now
		if seat == 1 {
			handler = slog.NewJSONHandler(log, everything)
		}
		ring, identity := h.guard(t, c, handler)
		private = append(private, ring, *ring, identity)
	})
	alice, bob := tb.players[0], tb.players[1]
	id := tb.placed(t)
	for _, p := range tb.players {
		board, err := p.Match(id)
		must(t, err)
		if recall := string(board.Recall.Reveal()); !strings.Contains(recall, hidden) || !strings.Contains(ask(t, p, tb, id), hidden) {
			t.Errorf("its own player is told %q", recall)
		}
		private = append(private, board, &board)
	}
	// until it is opened; its owner may ask for it
	board := &hoard{held: map[string][]byte{"board": []byte(hidden)}}
	board.search(t, "the log", log.String())
	board.search(t, "the events", told(t, alice)+told(t, bob))
	answers := ask(t, alice, tb, id) + ask(t, bob, tb, id)
	must(t, alice.SetBot(id, true))
	must(t, bob.SetBot(id, true))
	_, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	second := tb.placed(t)
	answers += ask(t, alice, tb, second)
	must(t, bob.Close())
	must(t, alice.SetBot(second, true))
	must(t, alice.Exit(tb.ctx, tb.channel))
	tb.pass(t, func() bool {
		hers.ahead.Add(int64(time.Minute))
		c, err := alice.Channel(tb.channel)
		return err == nil && c.Status == node.ChannelEnded
	})
	events := told(t, alice) + told(t, bob)
	for _, p := range []*player{alice, bob} {
		must(t, p.Close())
		p.config.Games = nil // code, and much of it
		private = append(private, p.config, p.Node)
	}
	for _, kept := range h.kept {
		s := commit.Load(kept)
		private = append(private, channel.MakeMove{Secret: s}, games.Decision{Secrets: s}, channel.Entry{Key: "secret", Value: kept},
			games.Table{Secrets: s}, fmt.Errorf("refused: %+v", channel.Effects{Entries: []channel.Entry{{Value: kept}}}))
	}
	private = append(private, api.Config{Node: alice.Node, Store: alice.memory, Token: keys.NewSecret([]byte(apiToken))})
	if len(h.held) < 16 || !strings.Contains(log.String(), "DEBUG") {
		t.Fatalf("%d secrets are known, and the log has %d bytes", len(h.held), len(log.String()))
	}
	h.search(t, "the API", answers)
	h.search(t, "the log", log.String())
	h.search(t, "the events", events)
	// shown before anybody shoots
	maps.DeleteFunc(h.held, func(name string, _ []byte) bool { return strings.Contains(name, ".coin ") })
	out := dump(private...)
	h.search(t, "a dump", out)
	board.search(t, "a dump", out)
}
