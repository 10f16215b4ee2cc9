package tower

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestFaultsThatBlind: what keeps the tower from seeing what happens is told for as long as it
// lasts; other alarms are only logged.
func TestFaultsThatBlind(t *testing.T) {
	w := &Tower{config: Config{Log: slog.New(slog.DiscardHandler)}, unseen: chain.Unseen{}, news: make(chan struct{})}
	for fault, told := range map[error]bool{&chain.NotFollowing{Err: errors.New("x")}: true, &chain.WentBack{}: true, &chain.EmptyWallet{}: false} {
		for _, over := range []bool{false, true} {
			w.alarm(chain.Alarm{Fault: fault, Over: over})
			if err := w.Err(); errors.Is(err, fault) != (told && !over) {
				t.Errorf("%T, over: %t: %v", fault, over, err)
			}
		}
	}
}

// TestAttack_SilentFailure_Worse: an answer fails, perhaps because somebody was first, and at the
// next block it is known that nobody was. That is logged as an error.
func TestAttack_SilentFailure_Worse(t *testing.T) {
	log, c := new(scribe), &dispute{}
	w := &Tower{config: Config{Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelError}))}}
	for _, step := range []struct {
		level disputes.Level
		logs  bool
	}{{disputes.Notice, false}, {disputes.Critical, true}, {disputes.Critical, false}} {
		before, now := log.size(), map[string]bool{}
		w.raise(common.Hash{1}, c, []disputes.Alarm{{Level: step.level, Kind: "not sent"}}, now)
		if logs := log.size() > before; logs != step.logs {
			t.Errorf("%s: logged: %t", step.level, logs)
		}
		c.raised = now
	}
}

// TestAlarmsAreLoggedOnce: an alarm is logged when it is raised, by whichever of a channel's
// watchers, and not while it stands.
func TestAlarmsAreLoggedOnce(t *testing.T) {
	log, c, now := new(scribe), &dispute{}, map[string]bool{}
	w := &Tower{config: Config{Log: slog.New(slog.NewTextHandler(log, nil))}}
	one, other := []disputes.Alarm{{Text: "a"}}, []disputes.Alarm{{Text: "b", MatchID: common.Hash{1}}}
	for i, step := range []struct {
		alarms []disputes.Alarm
		logs   bool
	}{{one, true}, {one, false}, {other, true}, {nil, false}} {
		before := log.size()
		w.raise(common.Hash{1}, c, step.alarms, now)
		if logs := log.size() > before; logs != step.logs {
			t.Errorf("%d: logged: %t", i, logs)
		}
	}
	c.raised, now = now, map[string]bool{}
	before := log.size()
	w.raise(common.Hash{1}, c, one, now)
	if log.size() > before || len(now) != 1 {
		t.Errorf("an alarm that stands is logged, %d stand", len(now))
	}
}

// TestNothingIsKnownOfTheChannel: where a channel's opening is undone, or it was never opened,
// nothing is dropped and nothing fails.
func TestNothingIsKnownOfTheChannel(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.must(s.closeFile(common.Hash{9}, 0))
	opening := s.events(chain.Undone)[0]
	s.must(s.happened(&opening))
	s.must(s.expire(s.id, 1<<40))
	if s.Seats() != 1 {
		t.Errorf("%d seats are held", s.Seats())
	}
}

// TestDamagedFileIsKept: where not all can be read of what the chain said of a channel, it isn't
// taken for paid out.
func TestDamagedFileIsKept(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.Tower.stop() // so that the test alone tells it what happens
	s.Tower.done.Wait()
	s.act(0, onchain.Close{Terms: s.terms, Ledger: s.locking(s.id, 3, true)})
	said := s.events(chain.Seen)
	s.must(s.happened(&said[len(said)-1]))
	s.must(s.config.Store.Commit(map[string][]byte{logsOf(s.id) + "z": []byte("damaged")}))
	said = s.events(chain.Final)
	if err := s.happened(&said[len(said)-1]); err == nil || s.Seats() != 1 {
		t.Errorf("%v, %d seats are held", err, s.Seats())
	}
}

// TestNoLongerFollowed: a tower that can't go on from where it was says that it follows the chain
// no longer.
func TestNoLongerFollowed(t *testing.T) {
	s := besiege(t, nil)
	s.disk.fail(chain.ErrCursor, storetest.Commit)
	s.must(s.world.Chain.Mine(1))
	s.must(s.Wait(t.Context(), func() (bool, error) {
		err := s.Err()
		return err != nil && strings.Contains(err.Error(), "no longer followed"), nil
	}))
}

// TestChannelsThatAreServed: a channel is served if its deposits sum to as much as they must.
func TestChannelsThatAreServed(t *testing.T) {
	all := *new(uint256.Int).SetAllOne()
	w := &Tower{config: Config{Limits: Limits{Seats: 1, Locked: *uint256.NewInt(10)}}}
	for name, c := range map[string]struct {
		deposits []uint256.Int
		served   bool
	}{
		"enough": {[]uint256.Int{*uint256.NewInt(4), *uint256.NewInt(6)}, true}, "too little": {[]uint256.Int{*uint256.NewInt(4), *uint256.NewInt(5)}, false},
		"more than there is": {[]uint256.Int{all, all}, false},
	} {
		if err := w.admit(&file{terms: protocol.Terms{Deposits: c.deposits}}); (err == nil) != c.served {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFullToTheByte: where there is no room left, evidence that takes as much as what it replaces
// is taken, and a byte more is not.
func TestFullToTheByte(t *testing.T) {
	s := besiege(t, nil)
	for _, c := range []struct {
		version uint64 // which takes another byte from 128 on
		refused bool
	}{{126, false}, {127, false}, {128, true}} {
		r := s.give(1, message.TowerEvidence{Ledger: s.signed(c.version), Matches: []protocol.MatchTerms{s.match}})
		if strings.Contains(r.Refusal, ErrFull.Error()) != c.refused || !c.refused && r.Refusal != "" {
			t.Errorf("version %d: %q", c.version, r.Refusal)
		}
		s.config.Limits.Disk = s.Counts().Bytes
	}
}

// TestPortTaken: a tower that can't join the network says why, and nothing of it runs on.
func TestPortTaken(t *testing.T) {
	s := besiege(t, nil)
	var h handler
	config := s.config
	config.Network = func(_ protocol.Domain, to transport.Handler) (Network, error) {
		h = to.(handler)
		return (*post)(nil), errors.New("in use")
	}
	if _, err := Start(t.Context(), config); err == nil || !strings.Contains(err.Error(), "join the network: in use") {
		t.Errorf("started: %v", err)
	}
	if h.tower.run.Err() == nil {
		t.Error("what waits for it to start waits for ever")
	}
}

// TestMostForASeat: a tower does not start with a limit of evidence that it could not show at once.
func TestMostForASeat(t *testing.T) {
	s := besiege(t, func(c *Config) { c.Limits.Bytes = MaxBytes })
	config := s.config
	config.Limits.Bytes++
	if _, err := Start(t.Context(), config); err == nil || !strings.Contains(err.Error(), "Limits.Bytes is 1572865, at most 1572864") {
		t.Errorf("started: %v", err)
	}
}
