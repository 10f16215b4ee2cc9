package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// viewed are the procedures that may be called with View of the token. None of them changes
// anything, or tells what an opponent must not know.
var viewed = map[string]bool{
	antev1connect.NodeServiceGetStatusProcedure:    true,
	antev1connect.NodeServiceListAlarmsProcedure:   true,
	antev1connect.NodeServiceListChannelsProcedure: true,
	antev1connect.NodeServiceListMatchesProcedure:  true,
}

// View returns what a page may be given instead of the token: with it one can look at the node, its
// alarms, channels and matches, and do nothing. The token can't be computed from it.
func View(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("ante view"))
	return hex.EncodeToString(mac.Sum(nil))
}
