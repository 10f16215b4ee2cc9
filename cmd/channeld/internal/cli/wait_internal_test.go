package cli

import (
	"errors"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// TestWaitPayout_Undone: a reorganisation undoes the closing that is waited for. The channel is
// open again, so nothing is paid out.
func TestWaitPayout_Undone(t *testing.T) {
	one, other := &antev1.Channel{Id: "0x1111"}, &antev1.Channel{Id: "0x2222", Status: antev1.ChannelStatus_CHANNEL_STATUS_OPEN}
	api := &remote{app: &app{}, ctx: t.Context(), NodeServiceClient: holding{channels: []*antev1.Channel{one, other}}}
	for _, typed := range []string{"", "0x1111"} {
		find := channelIsPaid()
		for i, c := range []struct {
			status antev1.ChannelStatus
			paid   bool
		}{
			{antev1.ChannelStatus_CHANNEL_STATUS_CONTESTED, false}, {antev1.ChannelStatus_CHANNEL_STATUS_OPEN, false},
			{antev1.ChannelStatus_CHANNEL_STATUS_CLOSING, false}, {antev1.ChannelStatus_CHANNEL_STATUS_CLOSED, true},
		} {
			one.Status = c.status
			if found, err := find(api, typed); err != nil || (found != "") != c.paid {
				t.Errorf("%q, step %d: found %q, %v", typed, i, found, err)
			}
		}
		one.Status = antev1.ChannelStatus_CHANNEL_STATUS_OPEN
		if _, err := channelIsPaid()(api, typed); !errors.Is(err, errNotClosing) {
			t.Errorf("%q: nothing is being closed: %v", typed, err)
		}
	}
}
