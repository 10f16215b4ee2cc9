package api

import (
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// TestScopes: the table of scopes has every procedure of the service, and no other.
func TestScopes(t *testing.T) {
	methods := antev1.File_ante_v1_api_proto.Services().ByName("NodeService").Methods()
	if methods.Len()+2 != len(needs) { // and reflection, in two versions
		t.Errorf("%d procedures, %d in the table", methods.Len()+2, len(needs))
	}
	for i := range methods.Len() {
		procedure := "/" + antev1connect.NodeServiceName + "/" + string(methods.Get(i).Name())
		if needs[procedure] == 0 {
			t.Errorf("which scope does %s need? Say so in scope.go", procedure)
		}
		if Scope(0).covers(procedure) == nil {
			t.Errorf("%s needs no token", procedure)
		}
		if viewed[procedure] && needs[procedure] != Look {
			t.Errorf("a page may ask for %s, which is not for looking", procedure)
		}
	}
	if Everything.covers("/another.Service/Do") == nil {
		t.Error("what the table does not have needs the daemon's own token")
	}
}

// TestScopes_Names: commands take a name of the user's for an account, to which they then offer
// money, so that a token with a limit must not choose whose name it is.
func TestScopes_Names(t *testing.T) {
	if Play.covers(antev1connect.NodeServiceSetContactProcedure) == nil {
		t.Error("whoever plays up to a limit says who is meant by a name")
	}
	if err := Everything.covers(antev1connect.NodeServiceSetContactProcedure); err != nil {
		t.Error(err)
	}
}
