package chain_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
)

// TestAttack_ClockSkew_Alarm: a computer whose clock is behind the newest block is told so, in
// minutes, until the clock is right. A few minutes are no alarm, and neither is a chain that may
// run ahead of time.
func TestAttack_ClockSkew_Alarm(t *testing.T) {
	w := newWorld(t, devnet.Config{Manual: true})
	w.mine(1)
	var now time.Time
	client := w.dial(chain.Config{MaxAge: time.Hour, Now: func() time.Time { return now }})
	ahead := w.dial(chain.Config{Now: func() time.Time { return now }})
	head, err := client.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	made := time.Unix(int64(head.Time), 0)
	look := func(c *chain.Client, off time.Duration) {
		t.Helper()
		now = made.Add(off)
		if _, err := c.At(context.Background(), head.Number); err != nil {
			t.Fatal(err)
		}
	}
	look(client, -9*time.Minute)
	look(ahead, -25*time.Minute)
	w.wantNoAlarm()
	look(client, -25*time.Minute-59*time.Second)
	if fault := wantAlarm[*chain.WrongClock](w, false); !strings.Contains(fault.Error(), "clock is at least 25 minutes behind") {
		t.Errorf("it says %q", fault)
	}
	look(client, -26*time.Minute)
	w.wantNoAlarm() // it stands
	look(client, 0)
	wantAlarm[*chain.WrongClock](w, true)
}
