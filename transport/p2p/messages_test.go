package p2p

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
)

// TestIDNamesTheMessages: a peer refuses a field that it doesn't know and bans who sent it, so the
// protocol's id names what can be said.
func TestIDNamesTheMessages(t *testing.T) {
	schema, err := proto.MarshalOptions{Deterministic: true}.Marshal(protodesc.ToFileDescriptorProto(antev1.File_ante_v1_wire_proto))
	if err != nil {
		t.Fatal(err)
	}
	id := string(protocolID(protocol.Domain{}))
	said := fmt.Sprintf("%s %.8x", strings.Join(strings.Split(id, "/")[1:3], "/"), sha256.Sum256(schema))
	if want := "ante/1 805b65bc4089397f"; said != want {
		t.Errorf("said is %s, noted %s: if a program with the messages noted is out, raise the number in protocolID and in docs/protocol.md; then note these", said, want)
	}
}
