package api

import (
	"errors"
	"fmt"

	"connectrpc.com/grpcreflect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// Scope is what a token may do; each may do what those below it may.
type Scope int

// The scopes. Owner is that of the daemon's own token.
const (
	Look Scope = iota + 1
	Play
	Everything
	Owner
)

// ErrScope is wrapped by refusals of what a token's scope does not cover.
var ErrScope = errors.New("this token may not do that")

func (s Scope) String() string {
	return [...]string{"none", "look", "play", "everything", "the daemon's own"}[s]
}

var scopeMessages = map[antev1.AccessScope]Scope{
	antev1.AccessScope_ACCESS_SCOPE_LOOK:       Look,
	antev1.AccessScope_ACCESS_SCOPE_PLAY:       Play,
	antev1.AccessScope_ACCESS_SCOPE_EVERYTHING: Everything,
}

func scopeMessage(s Scope) antev1.AccessScope {
	for message, scope := range scopeMessages {
		if scope == s {
			return message
		}
	}
	return antev1.AccessScope_ACCESS_SCOPE_UNSPECIFIED
}

// needs says which scope each procedure needs; what it does not name needs Owner. Look changes
// nothing and tells nothing that an opponent must not know. What Play puts at risk is counted: see
// service.risk. It pays gas only where a channel is opened or closed.
var needs = map[string]Scope{
	antev1connect.NodeServiceGetStatusProcedure:                           Look,
	antev1connect.NodeServiceGetBalanceProcedure:                          Look,
	antev1connect.NodeServiceGetAssetProcedure:                            Look,
	antev1connect.NodeServiceListPeersProcedure:                           Look,
	antev1connect.NodeServiceListOffersProcedure:                          Look,
	antev1connect.NodeServiceBrowseInvitesProcedure:                       Look,
	antev1connect.NodeServiceListMyInvitesProcedure:                       Look,
	antev1connect.NodeServiceListRoundsProcedure:                          Look,
	antev1connect.NodeServiceVerifyRoundProcedure:                         Look,
	antev1connect.NodeServiceListChannelsProcedure:                        Look,
	antev1connect.NodeServiceGetChannelProcedure:                          Look,
	antev1connect.NodeServiceListGamesProcedure:                           Look,
	antev1connect.NodeServiceListProposalsProcedure:                       Look,
	antev1connect.NodeServiceListMatchesProcedure:                         Look,
	antev1connect.NodeServiceGetDisputeProcedure:                          Look,
	antev1connect.NodeServiceGetScoreProcedure:                            Look,
	antev1connect.NodeServiceListTransactionsProcedure:                    Look,
	antev1connect.NodeServiceListAlarmsProcedure:                          Look,
	antev1connect.NodeServiceListHistoryProcedure:                         Look,
	antev1connect.NodeServiceStreamEventsProcedure:                        Look,
	"/" + grpcreflect.ReflectV1ServiceName + "/ServerReflectionInfo":      Look,
	"/" + grpcreflect.ReflectV1AlphaServiceName + "/ServerReflectionInfo": Look,
	antev1connect.NodeServiceGetMatchProcedure:                            Play, // it shows the player's secret, which counts too
	antev1connect.NodeServiceGetReplayProcedure:                           Play,
	antev1connect.NodeServiceSetNicknameProcedure:                         Play,
	antev1connect.NodeServiceAddPeerProcedure:                             Play,
	antev1connect.NodeServiceOpenChannelProcedure:                         Play,
	antev1connect.NodeServiceAcceptOfferProcedure:                         Play,
	antev1connect.NodeServiceDeclineOfferProcedure:                        Play,
	antev1connect.NodeServiceCreateInviteProcedure:                        Play,
	antev1connect.NodeServiceJoinInviteProcedure:                          Play,
	antev1connect.NodeServicePlaceBidProcedure:                            Play,
	antev1connect.NodeServiceCancelInviteProcedure:                        Play,
	antev1connect.NodeServiceRegisterRoundProcedure:                       Play,
	antev1connect.NodeServiceResizeChannelProcedure:                       Play,
	antev1connect.NodeServiceCloseChannelProcedure:                        Play,
	antev1connect.NodeServiceProposeMatchProcedure:                        Play,
	antev1connect.NodeServiceWithdrawProposalsProcedure:                   Play,
	antev1connect.NodeServiceApproveMatchProcedure:                        Play,
	antev1connect.NodeServiceRejectMatchProcedure:                         Play,
	antev1connect.NodeServicePlayProcedure:                                Play,
	antev1connect.NodeServiceSetBotProcedure:                              Play,
	antev1connect.NodeServiceConcedeProcedure:                             Play,
	antev1connect.NodeServiceOfferDrawProcedure:                           Play,
	antev1connect.NodeServiceAcceptDrawProcedure:                          Play,
	antev1connect.NodeServiceSetContactProcedure:                          Everything, // commands take such a name for an account
	antev1connect.NodeServiceDepositProcedure:                             Everything,
	antev1connect.NodeServiceWithdrawProcedure:                            Everything,
	antev1connect.NodeServiceBuyTokensProcedure:                           Everything,
	antev1connect.NodeServiceRedeemTokensProcedure:                        Everything,
	antev1connect.NodeServiceOpenRoundProcedure:                           Everything,
	antev1connect.NodeServiceStopRoundProcedure:                           Everything,
	antev1connect.NodeServiceStartDisputeProcedure:                        Everything,
	antev1connect.NodeServicePublishScoreProcedure:                        Everything,
	antev1connect.NodeServiceCreateAccessProcedure:                        Owner,
	antev1connect.NodeServiceListAccessProcedure:                          Owner,
	antev1connect.NodeServiceRevokeAccessProcedure:                        Owner,
}

// covers refuses a procedure that a scope does not cover.
func (s Scope) covers(procedure string) error {
	need, known := needs[procedure]
	if !known {
		need = Owner
	}
	if s < need {
		return fmt.Errorf("%w: its scope is %q, and this needs %q", ErrScope, s, need)
	}
	return nil
}
