package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// paged is a request of a list that comes in pages.
type paged interface {
	proto.Message
	GetPageSize() uint32
	GetPageToken() string
}

// page returns a page of a list, and the token of the next. The token is the id of the last that
// was told, bound to what was asked: ids never change, so nothing is told twice or passed over.
// Whoever forges one sees what the list shows anyway.
func page[T any](r paged, list []T, id func(T) string) ([]T, string, error) {
	if r.GetPageSize() == 0 && r.GetPageToken() == "" {
		return list, "", nil
	}
	query, err := asked(r)
	if err != nil {
		return nil, "", err
	}
	token, err := base64.RawURLEncoding.DecodeString(r.GetPageToken())
	after, fits := strings.CutPrefix(string(token), query)
	if err != nil || !fits && len(token) > 0 {
		return nil, "", fmt.Errorf("%w: page_token is none of this list: ask for the first page without one", ErrRequest)
	}
	list = slices.DeleteFunc(list, func(one T) bool { return id(one) <= after })
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(id(a), id(b)) })
	size := int(min(cmp.Or(r.GetPageSize(), maxPage), maxPage))
	if len(list) <= size {
		return list, "", nil
	}
	list = list[:size]
	return list, base64.RawURLEncoding.EncodeToString([]byte(query + id(list[size-1]))), nil
}

// asked tells requests apart by what they ask for, whichever page.
func asked(r paged) (string, error) {
	same := proto.Clone(r).ProtoReflect()
	for _, name := range []protoreflect.Name{"page_size", "page_token"} {
		same.Clear(same.Descriptor().Fields().ByName(name))
	}
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(same.Interface())
	sum := sha256.Sum256(append([]byte(same.Descriptor().FullName()+"\n"), body...))
	return string(sum[:8]), err
}
