package api

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/owner"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
)

// fault is a kind of error. Its number never changes its meaning, and none is used again.
type fault struct {
	number string
	code   connect.Code
	err    error
	advice string
}

// faults are all kinds that have a number; an error is the first that it is. Others are Internal.
var faults = []fault{
	{"ANTE-1001", connect.CodeInvalidArgument, ErrRequest, "correct the request: the text says what is wrong"},
	{"ANTE-1002", connect.CodeUnauthenticated, errToken, "show a token; channeld page prints a link with one, channeld access new makes one"},
	{"ANTE-1003", connect.CodePermissionDenied, ErrScope, "use a token of a wider scope"},
	{"ANTE-1004", connect.CodePermissionDenied, ErrLimit, "make another token, or play for less"},
	{"ANTE-1005", connect.CodeNotFound, ErrUnknownAccess, "see which there are: channeld access list"},
	{"ANTE-1006", connect.CodeFailedPrecondition, ErrReused, "take a new key for each request"},
	{"ANTE-1007", connect.CodeFailedPrecondition, ErrUnsure, "look whether it is done, and else ask with a new key"},
	{"ANTE-1008", connect.CodeResourceExhausted, errMany, "ask without a key, or wait"},
	{"ANTE-1101", connect.CodeCanceled, context.Canceled, "ask again"},
	{"ANTE-1102", connect.CodeDeadlineExceeded, context.DeadlineExceeded, "ask again; if it goes on, see whether the chain's endpoint answers"},
	{"ANTE-2001", connect.CodeNotFound, node.ErrUnknownChannel, "see which there are: channeld channels"},
	{"ANTE-2002", connect.CodeNotFound, node.ErrUnknownMatch, "see which there are: channeld match list"},
	{"ANTE-2003", connect.CodeNotFound, node.ErrUnknownOffer, "see which there are: channeld offers"},
	{"ANTE-2004", connect.CodeNotFound, node.ErrUnknownInvite, "see which are shown: channeld invite browse"},
	{"ANTE-2005", connect.CodeNotFound, node.ErrUnknownRound, "ask its house: channeld round list"},
	{"ANTE-2006", connect.CodeNotFound, owner.ErrNoRequest, "see what waits for a signature"},
	{"ANTE-2101", connect.CodeFailedPrecondition, node.ErrEnded, "it is over: begin another"},
	{"ANTE-2102", connect.CodeFailedPrecondition, node.ErrFunds, "deposit more, or ask for less"},
	{"ANTE-2103", connect.CodeFailedPrecondition, node.ErrDeclined, "make another offer"},
	{"ANTE-2104", connect.CodeFailedPrecondition, node.ErrBusy, "wait until what is under way is done"},
	{"ANTE-2105", connect.CodeFailedPrecondition, node.ErrBlind, "wait until the chain is seen again: channeld alarms says why it is not"},
	{"ANTE-2106", connect.CodeFailedPrecondition, node.ErrNoScoreboard, "set chain.scoreboard"},
	{"ANTE-2107", connect.CodeInvalidArgument, chain.ErrSignerLied, "sign with the account that is asked"},
	{"ANTE-3001", connect.CodeFailedPrecondition, channel.ErrNotOpen, "wait until it is open, or open another"},
	{"ANTE-3002", connect.CodeFailedPrecondition, channel.ErrFrozen, "nothing is signed in it any more: close it"},
	{"ANTE-3003", connect.CodeFailedPrecondition, channel.ErrRestored, "the data is an old copy: see channeld alarms"},
	{"ANTE-3004", connect.CodeFailedPrecondition, channel.ErrHeld, "wait until the towers have answered"},
	{"ANTE-3005", connect.CodeFailedPrecondition, channel.ErrNoMatch, "see which matches the channel has"},
	{"ANTE-3006", connect.CodeFailedPrecondition, channel.ErrNotYourTurn, "wait for the other player's move"},
	{"ANTE-3007", connect.CodeFailedPrecondition, games.ErrNotYourTurn, "wait for the other player's move"},
	{"ANTE-3008", connect.CodeFailedPrecondition, channel.ErrChainMoves, "wait for the chain"},
	{"ANTE-3009", connect.CodeFailedPrecondition, channel.ErrStale, "look again: it has changed"},
	{"ANTE-3010", connect.CodeFailedPrecondition, channel.ErrWaiting, "wait for the others' signatures"},
	{"ANTE-3011", connect.CodeFailedPrecondition, channel.ErrOver, "the match is over: begin another"},
	{"ANTE-3012", connect.CodeFailedPrecondition, channel.ErrSigned, "another move is signed for this turn"},
	{"ANTE-3013", connect.CodeFailedPrecondition, protocol.ErrFunds, "play for less, or open a channel with more in it"},
	{"ANTE-3014", connect.CodeFailedPrecondition, channel.ErrCheap, "play for more"},
	{"ANTE-3015", connect.CodeFailedPrecondition, protocol.ErrBusy, "wait until a match or a proposal is done"},
	{"ANTE-3016", connect.CodeFailedPrecondition, protocol.ErrLocked, "wait until its matches are over"},
	{"ANTE-3017", connect.CodeInvalidArgument, protocol.ErrTerms, "correct the terms: the text says which"},
	{"ANTE-4001", connect.CodeNotFound, games.ErrUnknownGame, "see which there are: channeld games"},
	{"ANTE-4002", connect.CodeInvalidArgument, games.ErrText, "write the move as the prompt says"},
	{"ANTE-4003", connect.CodeInvalidArgument, games.ErrIllegal, "choose a move that the rules allow"},
	{"ANTE-4004", connect.CodeInvalidArgument, games.ErrParams, "correct the parameters: channeld games lists them"},
	{"ANTE-5001", connect.CodeFailedPrecondition, transport.ErrNotConnected, "wait until the other player is online"},
	{"ANTE-5002", connect.CodeFailedPrecondition, transport.ErrUnknownPeer, "connect first: channeld peer add"},
	{"ANTE-6001", connect.CodeResourceExhausted, store.ErrFull, "make room on the disk"},
	{"ANTE-6002", connect.CodeAborted, node.ErrClosed, "start the daemon again"},
	{"ANTE-6003", connect.CodeAborted, store.ErrClosed, "start the daemon again"},
	{"ANTE-6004", connect.CodeAborted, store.ErrFailed, "see to the disk, then start the daemon again"},
}

// faultOf returns what kind an error is, nil if it has no number.
func faultOf(err error) *fault {
	for i := range faults {
		if errors.Is(err, faults[i].err) {
			return &faults[i]
		}
	}
	return nil
}

// numbered makes an error of the API of one of a kind: its number and advice are a detail of it.
func (f *fault) numbered(err error) *connect.Error {
	coded := connect.NewError(f.code, err)
	if detail, failed := connect.NewErrorDetail(&antev1.Fault{Number: f.number, Advice: f.advice}); failed == nil {
		coded.AddDetail(detail)
	}
	return coded
}

// Faults returns the table of the errors by number, in Markdown.
func Faults() string {
	var out strings.Builder
	out.WriteString("number | code | error | do\n---|---|---|---\n")
	for _, f := range faults {
		fmt.Fprintf(&out, "%s | `%s` | %s | %s\n", f.number, f.code, f.err, f.advice)
	}
	return out.String()
}
