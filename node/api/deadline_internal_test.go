package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"connectrpc.com/connect"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// TestReadsHaveDeadlines: a request that only reads has a deadline, so that an endpoint of the
// chain that hangs can't hold its caller. One that changes something has none: it ends when it is
// done.
func TestReadsHaveDeadlines(t *testing.T) {
	for procedure, want := range map[string]bool{
		antev1connect.NodeServiceGetStatusProcedure: true, antev1connect.NodeServiceGetBalanceProcedure: true, antev1connect.NodeServiceListMatchesProcedure: true,
		antev1connect.NodeServiceDepositProcedure: false,
	} {
		var limited bool
		h := connect.NewUnaryHandler(procedure, func(ctx context.Context, _ *connect.Request[antev1.GetStatusRequest]) (*connect.Response[antev1.GetStatusResponse], error) {
			_, limited = ctx.Deadline()
			return connect.NewResponse(new(antev1.GetStatusResponse)), nil
		}, connect.WithInterceptors(coded{}))
		r := httptest.NewRequest(http.MethodPost, procedure, strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK || limited != want {
			t.Errorf("%s: status %d, deadline %t", procedure, w.Code, limited)
		}
	}
}
