package cli

import (
	"context"
	"strings"
	"testing"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// holding is a daemon that knows peers and channels.
type holding struct {
	known
	channels []*antev1.Channel
}

func (h holding) ListChannels(context.Context, *connect.Request[antev1.ListChannelsRequest]) (*connect.Response[antev1.ListChannelsResponse], error) {
	return connect.NewResponse(&antev1.ListChannelsResponse{Channels: h.channels}), nil
}

// Who offers a channel can choose how its id begins, as with what the user calls another player, or
// as that player's account does. A name of the user's means its player; where what is typed fits
// two channels neither is meant.
func TestPickChannel(t *testing.T) {
	const me, ada, bob, mallory = "0x0000", "0xad17", "0xb0b0", "0x3333"
	channel := func(id, with string, status antev1.ChannelStatus) *antev1.Channel {
		return &antev1.Channel{Id: id, Status: status, Terms: &antev1.Terms{Players: []string{me, with}}}
	}
	h := holding{
		known: known{peers: []*antev1.Peer{{Account: ada, Contact: "ada"}, {Account: bob, Nickname: "bea"}, {Account: mallory}}},
		channels: []*antev1.Channel{
			channel("0x1111aa", ada, antev1.ChannelStatus_CHANNEL_STATUS_OPEN), channel("0x2222bb", bob, antev1.ChannelStatus_CHANNEL_STATUS_OPEN),
			channel("0xada0cc", mallory, antev1.ChannelStatus_CHANNEL_STATUS_OPEN), channel("0xb0b0dd", mallory, antev1.ChannelStatus_CHANNEL_STATUS_OPEN),
			channel("0x4444ee", bob, antev1.ChannelStatus_CHANNEL_STATUS_CLOSED), channel("0xbea0ff", bob, antev1.ChannelStatus_CHANNEL_STATUS_OPEN),
		},
	}
	for _, c := range []struct{ typed, want, fails string }{
		{"ada", "0x1111aa", ""}, {"Ada", "0x1111aa", ""}, {"0xada", "0xada0cc", ""}, {"0xad17", "0x1111aa", ""}, {"1111", "", "there is no channel 1111"}, {"0x1111", "0x1111aa", ""}, {"0x2222bb…", "0x2222bb", ""},
		{"0xb0b0", "", "more than one channel fits (3)"}, {"0xb0b0d", "0xb0b0dd", ""}, {"0x3333", "", "more than one channel fits (2)"}, {"", "", "more than one channel fits (5)"},
		{"bea", "", "calls itself bea"}, {"0x4444", "", "channel 0x4444ee is closed"}, {"carol", "", "there is no channel carol"}, {"0x9", "", "there is no channel 0x9"},
	} {
		got, err := pickChannel(&remote{app: &app{}, ctx: t.Context(), NodeServiceClient: h}, c.typed)
		if got.GetId() != c.want || (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%q is %s, %v; want %q", c.typed, got.GetId(), err, c.want+c.fails)
		}
	}
}
