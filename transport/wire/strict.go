package wire

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// check walks the encoding of a message of type d without decoding it. Its recursion is as deep as
// the schema, whose messages don't contain themselves. fields is what is left of the allowance.
func check(b []byte, d protoreflect.MessageDescriptor, fields *int) error {
	var seen fieldSet
	for len(b) > 0 {
		if *fields--; *fields < 0 {
			return fmt.Errorf("%w: more than %d fields", ErrMalformed, MaxFields)
		}
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return fmt.Errorf("%w: %s: %w", ErrMalformed, d.Name(), protowire.ParseError(n))
		}
		b = b[n:]
		f := d.Fields().ByNumber(num)
		if f == nil {
			return fmt.Errorf("%w: %s has no field %d", ErrMalformed, d.Name(), num)
		}
		if want := wireType(f); typ != want {
			return fmt.Errorf("%w: %s has wire type %d, want %d", ErrMalformed, f.FullName(), typ, want)
		}
		if !f.IsList() && seen.add(slot(f)) {
			return fmt.Errorf("%w: %s is given twice", ErrMalformed, f.FullName())
		}
		if typ == protowire.VarintType {
			v, n := protowire.ConsumeVarint(b)
			if n < 0 {
				return fmt.Errorf("%w: %s: %w", ErrMalformed, f.FullName(), protowire.ParseError(n))
			}
			if v > largest(f) {
				return fmt.Errorf("%w: %s is %d, at most %d", ErrMalformed, f.FullName(), v, largest(f))
			}
			b = b[n:]
			continue
		}
		body, n := protowire.ConsumeBytes(b)
		if n < 0 {
			return fmt.Errorf("%w: %s: %w", ErrMalformed, f.FullName(), protowire.ParseError(n))
		}
		b = b[n:]
		if f.Kind() == protoreflect.MessageKind {
			if err := check(body, f.Message(), fields); err != nil {
				return err
			}
		}
	}
	return nil
}

// wireType returns how a field is written. The schema has varints and length-delimited fields only
// (TestSchema).
func wireType(f protoreflect.FieldDescriptor) protowire.Type {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.BytesKind, protoreflect.StringKind:
		return protowire.BytesType
	default:
		return protowire.VarintType
	}
}

// largest returns the largest value of a varint field. Protobuf would cut the rest off, take 2³²
// for seat 0, and pass enum values on that have no meaning.
func largest(f protoreflect.FieldDescriptor) uint64 {
	switch f.Kind() {
	case protoreflect.BoolKind:
		return 1
	case protoreflect.Uint32Kind:
		return math.MaxUint32
	case protoreflect.EnumKind:
		values := f.Enum().Values()
		return uint64(values.Get(values.Len() - 1).Number())
	default:
		return math.MaxUint64
	}
}

// slot returns what a field occupies in its message: its number, or that of the first alternative
// of its oneof.
func slot(f protoreflect.FieldDescriptor) protowire.Number {
	if one := f.ContainingOneof(); one != nil {
		return one.Fields().Get(0).Number()
	}
	return f.Number()
}

// fieldSet is a set of field numbers from 1 to 63.
type fieldSet uint64

// add puts a number in and reports whether it was there.
func (s *fieldSet) add(n protowire.Number) bool {
	bit := fieldSet(1) << n
	was := *s&bit != 0
	*s |= bit
	return was
}
