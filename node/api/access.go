package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// maxName is the most bytes of a token's name.
const maxName = 40

func (s *accessCalls) CreateAccess(_ context.Context, r *connect.Request[antev1.CreateAccessRequest]) (*connect.Response[antev1.CreateAccessResponse], error) {
	if n := len(r.Msg.Name); n == 0 || n > maxName {
		return nil, fmt.Errorf("%w: name the token, in at most %d bytes", ErrRequest, maxName)
	}
	a := &access{Name: r.Msg.Name, Scope: scopeMessages[r.Msg.Scope], Limits: map[common.Address]*uint256.Int{}}
	if a.Scope == 0 {
		return nil, fmt.Errorf("%w: say what the token may do: look, play or everything", ErrRequest)
	}
	if (a.Scope == Play) != (len(r.Msg.Limits) > 0) {
		return nil, fmt.Errorf("%w: a token that may play needs a limit, and no other has one", ErrRequest)
	}
	for _, l := range r.Msg.Limits {
		of, err := parseAddress("asset", l.Asset, true)
		if err != nil {
			return nil, err
		}
		if a.Limits[of], err = parseAmount("limit", l.Amount); err != nil {
			return nil, err
		}
	}
	token, err := s.tokens.add(a, s.config.Now())
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&antev1.CreateAccessResponse{Token: token, Access: accessMessage(hashed(token), a)}), nil
}

func (s *accessCalls) ListAccess(context.Context, *connect.Request[antev1.ListAccessRequest]) (*connect.Response[antev1.ListAccessResponse], error) {
	all, err := s.tokens.all()
	if err != nil {
		return nil, err
	}
	reply := new(antev1.ListAccessResponse)
	for id, a := range all {
		reply.Access = append(reply.Access, accessMessage(id, &a))
	}
	slices.SortFunc(reply.Access, func(a, b *antev1.Access) int {
		return cmp.Or(cmp.Compare(a.Made, b.Made), cmp.Compare(a.Name, b.Name))
	})
	return connect.NewResponse(reply), nil
}

func (s *accessCalls) RevokeAccess(_ context.Context, r *connect.Request[antev1.RevokeAccessRequest]) (*connect.Response[antev1.RevokeAccessResponse], error) {
	id, err := parseHash("id", r.Msg.Id)
	return done[antev1.RevokeAccessResponse](err, func() error { return s.tokens.revoke(id) })
}

func accessMessage(id common.Hash, a *access) *antev1.Access {
	return &antev1.Access{Id: id.Hex(), Name: a.Name, Scope: scopeMessage(a.Scope), Limits: assetAmounts(a.Limits), Risked: assetAmounts(a.Risked), Made: a.Made}
}

func assetAmounts(by map[common.Address]*uint256.Int) (list []*antev1.AssetAmount) {
	for _, of := range slices.SortedFunc(maps.Keys(by), common.Address.Cmp) {
		list = append(list, &antev1.AssetAmount{Asset: asset(of), Amount: by[of].Dec()})
	}
	return list
}
