package cli

import (
	"context"
	"strings"
	"testing"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// known is a daemon that only knows peers and towers.
type known struct {
	antev1connect.NodeServiceClient
	peers  []*antev1.Peer
	towers []*antev1.TowerInfo
}

func (k known) ListPeers(context.Context, *connect.Request[antev1.ListPeersRequest]) (*connect.Response[antev1.ListPeersResponse], error) {
	return connect.NewResponse(&antev1.ListPeersResponse{Peers: k.peers}), nil
}

func (k known) GetStatus(context.Context, *connect.Request[antev1.GetStatusRequest]) (*connect.Response[antev1.GetStatusResponse], error) {
	return connect.NewResponse(&antev1.GetStatusResponse{Towers: k.towers}), nil
}

// TestOnlyPlayer: where no player is typed the only one is meant, who is no tower; of two, neither.
func TestOnlyPlayer(t *testing.T) {
	tower, bob, carol := &antev1.Peer{Account: "0x1111"}, &antev1.Peer{Account: "0x2222"}, &antev1.Peer{Account: "0x3333"}
	for _, c := range []struct {
		peers []*antev1.Peer
		want  string
		fails string
	}{
		{[]*antev1.Peer{tower, bob}, "0x2222", ""}, {[]*antev1.Peer{bob}, "0x2222", ""},
		{[]*antev1.Peer{tower}, "", "there is no peer"}, {[]*antev1.Peer{bob, carol}, "", "more than one peer fits (2)"},
	} {
		k := known{peers: c.peers, towers: []*antev1.TowerInfo{{Account: tower.Account}}}
		got, err := account(&remote{app: &app{}, ctx: t.Context(), NodeServiceClient: k}, "")
		if got != c.want || (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("of %v it is %q, %v", c.peers, got, err)
		}
	}
}

// TestAttack_Homoglyph_Account: an account, or the id of a channel, may begin with the letters of a
// name. Who types a name that is nobody's means neither, nor a bid of that account.
func TestAttack_Homoglyph_Account(t *testing.T) {
	const mallory = "0xada1"
	h := holding{known: known{peers: []*antev1.Peer{{Account: mallory}}}, channels: []*antev1.Channel{
		{Id: "0xada1aa", Status: antev1.ChannelStatus_CHANNEL_STATUS_OPEN, Terms: &antev1.Terms{Players: []string{"0x0000", mallory}}},
	}}
	bids := []*antev1.Negotiation{{With: mallory}}
	for typed, means := range map[string]bool{"ada": false, "Ada": false, "ada1": false, "0xada": true, "0XADA1": true, "0xada1…": true} {
		api := &remote{app: &app{}, ctx: t.Context(), NodeServiceClient: h}
		player, err := account(api, typed)
		if (player == mallory) != means || (err == nil) != means {
			t.Errorf("%s is %q, %v", typed, player, err)
		}
		if ch, err := pickChannel(api, typed); (err == nil) != means {
			t.Errorf("%s is channel %s, %v", typed, ch.GetId(), err)
		}
		if b, err := pickPlayer(bids, (*antev1.Negotiation).GetWith, typed, "player", ""); (err == nil) != means {
			t.Errorf("%s is a bid of %s, %v", typed, b.GetWith(), err)
		}
	}
}
