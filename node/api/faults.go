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
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/owner"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
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
	{"ANTE-1001", connect.CodeInvalidArgument, node.ErrRequest, "correct the request: the text says what is wrong"},
	{"ANTE-1002", connect.CodeUnauthenticated, errToken, "show one in the header Authorization: Bearer …; channeld page prints a link with one, channeld access new makes one"},
	{"ANTE-1003", connect.CodePermissionDenied, ErrScope, "use a token of a wider scope, which channeld access new makes"},
	{"ANTE-1004", connect.CodePermissionDenied, ErrLimit, "make another token with channeld access new, or play for less"},
	{"ANTE-1005", connect.CodeNotFound, ErrUnknownAccess, "see which there are: channeld access list"},
	{"ANTE-1006", connect.CodeFailedPrecondition, ErrReused, "take a new key for each request"},
	{"ANTE-1007", connect.CodeFailedPrecondition, ErrUnsure, "look whether it is done, and else ask with a new key"},
	{"ANTE-1008", connect.CodeResourceExhausted, errMany, "ask without a key, or wait"},
	{"ANTE-1101", connect.CodeCanceled, context.Canceled, "ask again"},
	{"ANTE-1102", connect.CodeDeadlineExceeded, context.DeadlineExceeded, "ask again; if it goes on, see whether the chain's endpoint answers"},
	{"ANTE-2001", connect.CodeNotFound, node.ErrUnknownChannel, "see which there are: channeld channels"},
	{"ANTE-2002", connect.CodeNotFound, node.ErrUnknownMatch, "see which there are: channeld match list"},
	{"ANTE-2003", connect.CodeNotFound, node.ErrUnknownOffer, "see which there are: channeld offers"},
	{"ANTE-2004", connect.CodeNotFound, node.ErrUnknownInvite, "see which are shown: channeld invite list"},
	{"ANTE-2005", connect.CodeNotFound, node.ErrUnknownRound, "ask its house: channeld round list HOUSE, or channeld table list HOUSE"},
	{"ANTE-2006", connect.CodeNotFound, owner.ErrNoRequest, "see what waits for a signature"},
	{"ANTE-2101", connect.CodeFailedPrecondition, node.ErrEnded, "it is over: begin another"},
	{"ANTE-2102", connect.CodeFailedPrecondition, node.ErrFunds, "deposit more, or ask for less"},
	{"ANTE-2103", connect.CodeFailedPrecondition, node.ErrDeclined, "make another offer"},
	{"ANTE-2104", connect.CodeFailedPrecondition, node.ErrBusy, "wait until what is under way is done"},
	{"ANTE-2105", connect.CodeFailedPrecondition, node.ErrBlind, "wait until the chain is seen again: channeld alarms says why it is not"},
	{"ANTE-2106", connect.CodeFailedPrecondition, node.ErrNoScoreboard, "set chain.scoreboard"},
	{"ANTE-2107", connect.CodeInvalidArgument, chain.ErrSignerLied, "sign with the account that is asked"},
	{"ANTE-2108", connect.CodeFailedPrecondition, kind[*node.Elsewhere]("only the player's own account may send this, and the node cannot sign for it"), "send the transaction of the error's detail from that account"},
	{"ANTE-2109", connect.CodeFailedPrecondition, node.ErrNotSent, "wait: it is tried again at every block"},
	{"ANTE-2110", connect.CodeInvalidArgument, matchmaking.ErrName, "choose another name"},
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
	{"ANTE-3014", connect.CodeFailedPrecondition, channel.ErrCheap, "play for more, or set play.any_stake"},
	{"ANTE-3015", connect.CodeFailedPrecondition, protocol.ErrBusy, "wait until a match or a proposal is done"},
	{"ANTE-3016", connect.CodeFailedPrecondition, protocol.ErrLocked, "wait until its matches are over"},
	{"ANTE-3017", connect.CodeInvalidArgument, protocol.ErrTerms, "correct the terms: the text says which"},
	{"ANTE-3018", connect.CodeFailedPrecondition, channel.ErrUnshown, "wait until the other player shows that ledger, or close the channel on-chain"},
	{"ANTE-3019", connect.CodeFailedPrecondition, channel.ErrLate, "leave it to the chain"},
	{"ANTE-3020", connect.CodeFailedPrecondition, channel.ErrRefused, "offer a draw, or let it be voided on-chain"},
	{"ANTE-3021", connect.CodeInvalidArgument, money.ErrShort, "play for more"},
	{"ANTE-3022", connect.CodeFailedPrecondition, channel.ErrBound, "wait, or close the channel on-chain"},
	{"ANTE-4001", connect.CodeNotFound, games.ErrUnknownGame, "see which there are: channeld games"},
	{"ANTE-4002", connect.CodeInvalidArgument, games.ErrText, "write the move as the prompt says"},
	{"ANTE-4003", connect.CodeInvalidArgument, games.ErrIllegal, "choose a move that the rules allow"},
	{"ANTE-4004", connect.CodeInvalidArgument, games.ErrParams, "correct the parameters: channeld games lists them"},
	{"ANTE-4005", connect.CodeFailedPrecondition, games.ErrNotYet, "wait a little"},
	{"ANTE-5001", connect.CodeFailedPrecondition, transport.ErrNotConnected, "wait until the other player is online"},
	{"ANTE-5002", connect.CodeFailedPrecondition, transport.ErrUnknownPeer, "connect first: channeld peer add"},
	{"ANTE-5003", connect.CodeInvalidArgument, transport.ErrAddress, "ask the player for the address: channeld status shows it there"},
	{"ANTE-5004", connect.CodeFailedPrecondition, transport.ErrUnreachable, "see that the other daemon runs, and ask for its address again"},
	{"ANTE-5005", connect.CodeFailedPrecondition, transport.ErrOtherNetwork, "use the same chain and Arena on both sides"},
	{"ANTE-5006", connect.CodeFailedPrecondition, transport.ErrHandshake, "see that both sides run Ante and have the right time"},
	{"ANTE-5007", connect.CodeFailedPrecondition, transport.ErrNoRoom, "try again later"},
	{"ANTE-5008", connect.CodeFailedPrecondition, transport.ErrMisbehaved, "wait: it is let in again after a while"},
	{"ANTE-5009", connect.CodeFailedPrecondition, transport.ErrQueueFull, "ask again"},
	{"ANTE-5010", connect.CodeFailedPrecondition, kind[*transport.WrongAccountError]("somebody else answers there"), "ask the player for the right address"},
	{"ANTE-6001", connect.CodeResourceExhausted, store.ErrFull, "make room on the disk"},
	{"ANTE-6002", connect.CodeAborted, node.ErrClosed, "start the daemon again"},
	{"ANTE-6003", connect.CodeAborted, store.ErrClosed, "start the daemon again"},
	{"ANTE-6004", connect.CodeAborted, store.ErrFailed, "see to the disk, then start the daemon again"},
	{"ANTE-6005", connect.CodeAborted, store.ErrTooLarge, "ask for less at once"},
	{"ANTE-6006", connect.CodeAborted, store.ErrUnreadable, "see to the disk, then restore from a backup"},
	{"ANTE-6007", connect.CodeAborted, node.ErrStore, "see to the disk, then ask again: nothing is done"},
	{"ANTE-7001", connect.CodeFailedPrecondition, kind[*chain.EmptyWallet]("the account cannot pay for gas and value"), "send it some ether"},
	{"ANTE-7002", connect.CodeFailedPrecondition, kind[*chain.Reverted]("the contract refuses"), "do as the text says"},
	{"ANTE-7003", connect.CodeFailedPrecondition, chain.ErrSignerAway, "start the external signer, then ask again"},
	{"ANTE-7004", connect.CodeFailedPrecondition, chain.ErrSignerRefused, "agree at the external signer"},
	{"ANTE-7005", connect.CodeResourceExhausted, chain.ErrMadeWay, "try again later"},
	{"ANTE-7006", connect.CodeResourceExhausted, chain.ErrBudget, "try again later"},
	{"ANTE-7007", connect.CodeFailedPrecondition, chain.ErrUnknownBlock, "ask again later"},
	{"ANTE-7013", connect.CodeFailedPrecondition, node.ErrForgotten, "look the block up in an explorer, and check its hash: channeld box9 check --hash"},
	{"ANTE-7008", connect.CodeFailedPrecondition, kind[*chain.WrongChain]("the endpoint serves another chain"), "name an endpoint of the right chain"},
	{"ANTE-7009", connect.CodeFailedPrecondition, kind[*chain.Refusing]("the endpoint refuses what is needed of it"), "wait until it does not, or name another endpoint"},
	{"ANTE-7010", connect.CodeFailedPrecondition, kind[*chain.Lying]("the endpoint cannot be trusted"), "name another endpoint"},
	{"ANTE-7011", connect.CodeFailedPrecondition, chain.ErrNoHistory, "name an endpoint that keeps the chain's old state"},
	{"ANTE-7012", connect.CodeFailedPrecondition, kind[*chain.Unreachable]("the chain's endpoint does not answer"), "check that it runs, or name another endpoint"},
}

// kind stands in the table for all errors of a type.
type kind[E error] string

func (k kind[E]) Error() string { return string(k) }

// of reports whether an error is one of the type, or wraps one.
func (kind[E]) of(err error) bool { return errors.As(err, new(E)) }

// faultOf returns what kind an error is, nil if it has no number.
func faultOf(err error) *fault {
	for i := range faults {
		f := &faults[i]
		if k, typed := f.err.(interface{ of(error) bool }); typed && k.of(err) || errors.Is(err, f.err) {
			return f
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
