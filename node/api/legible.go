package api

import (
	"context"
	"strings"
	"unicode/utf8"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// legible is a connect.UnaryInterceptorFunc that replaces what is no UTF-8 in the texts of replies.
// What a contract gives as a reason, or an endpoint says in place of an answer, may be any bytes,
// and protobuf refuses the whole reply for them. JSON, as which events are stored, replaces them.
func legible(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		reply, err := next(ctx, r)
		if err == nil {
			mend(reply.Any().(proto.Message).ProtoReflect())
		}
		return reply, err
	}
}

func mend(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch text := f.Kind() == protoreflect.StringKind; {
		case !text && f.Message() == nil:
		case f.IsList():
			for list, i := v.List(), 0; i < list.Len(); i++ {
				if x := list.Get(i); !text {
					mend(x.Message())
				} else if !utf8.ValidString(x.String()) {
					list.Set(i, mended(x))
				}
			}
		case !text:
			mend(v.Message())
		case !utf8.ValidString(v.String()):
			m.Set(f, mended(v))
		}
		return true
	})
}

func mended(text protoreflect.Value) protoreflect.Value {
	return protoreflect.ValueOfString(strings.ToValidUTF8(text.String(), "\ufffd"))
}
