package api

import (
	"context"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// person tells of an account what the user knows of it.
func (s *backend) person(account common.Address) *antev1.Person {
	p := &antev1.Person{Account: account.Hex(), Mine: account == s.node.Account(), Name: s.node.NameOf(account).Shown}
	since, away := s.node.Away(account)
	if p.Connected = !away; away {
		p.AwaySince = since.Unix()
	}
	return p
}

func (s *backend) people(accounts []common.Address) []*antev1.Person {
	return each(accounts, func(a *common.Address) *antev1.Person { return s.person(*a) })
}

func (s *peerCalls) SetNickname(_ context.Context, r *connect.Request[antev1.SetNicknameRequest]) (*connect.Response[antev1.SetNicknameResponse], error) {
	return connect.NewResponse(new(antev1.SetNicknameResponse)), s.node.SetNickname(r.Msg.Name)
}

func (s *peerCalls) SetContact(_ context.Context, r *connect.Request[antev1.SetContactRequest]) (*connect.Response[antev1.SetContactResponse], error) {
	account, err := parseAddress("account", r.Msg.Account, false)
	return done[antev1.SetContactResponse](err, func() error { return s.node.SetContact(account, r.Msg.Name) })
}

// waiting tells for what peers are waited for.
func (s *backend) waiting(w *node.Waiting) *antev1.Waiting {
	if w == nil {
		return nil
	}
	out := &antev1.Waiting{Since: w.Since.Unix(), Text: w.Text}
	if !w.Until.IsZero() {
		out.Until = w.Until.Unix()
	}
	for _, seat := range w.Seats {
		out.Seats = append(out.Seats, uint32(seat)) //nolint:gosec // seats are few
	}
	return out
}

// expect adds to what a match waits for what this node sends to the chain then, and for how much,
// as far as the chain can be asked.
func (s *matchCalls) expect(ctx context.Context, id common.Hash, m *antev1.Match) {
	w, err := s.node.WaitingFor(ctx, id)
	if err != nil || w == nil || w.Plan == nil {
		return
	}
	m.Waiting = s.waiting(w)
	if c, err := s.node.Channel(common.HexToHash(m.ChannelId)); err == nil {
		m.Waiting.Window = c.Terms.Window
	}
	m.Waiting.Planned = s.planned(ctx, w.Plan)
	if len(m.Waiting.Planned) == 0 {
		for _, a := range w.Plan.Alarms {
			m.Waiting.Text += "; " + a.Text
		}
	}
	fee := new(uint256.Int)
	for _, p := range m.Waiting.Planned {
		part, err := uint256.FromDecimal(p.Fee)
		if err != nil {
			return // what gas costs is not known
		}
		fee.Add(fee, part)
	}
	m.Waiting.Fee = fee.Dec()
}
