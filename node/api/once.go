package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/store"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
)

// KeyHeader names a request, so that it is done once however often it is sent.
const KeyHeader = "Idempotency-Key"

const (
	oncePrefix = "api/once/"
	keepOnce   = 24 * time.Hour   // how long an answer is kept
	leastOnce  = 10 * time.Minute // how long one of a token that asks more is kept at least
	maxOnce    = 4096             // answers kept for each token
	maxKey     = 128              // bytes of a key
	onceTime   = time.Minute      // for a request to be done, whether its caller waits or not
)

var (
	// ErrReused is wrapped by refusals of a key that named another request.
	ErrReused = errors.New("this Idempotency-Key named another request: take a new one for each")
	// ErrUnsure is wrapped by refusals of a request that may have been done: the program stopped
	// between beginning it and noting the answer.
	ErrUnsure = errors.New("the daemon stopped while it did this request, and can't tell whether it is done: look whether it is, and else ask with a new Idempotency-Key")
	errMany   = fmt.Errorf("%d requests with an Idempotency-Key within %v: ask without one, or wait", maxOnce, leastOnce)
)

// once does a request of one key once. It notes that it begins before it begins, and the answer
// before it gives it: a request that a crash cut off is refused from then on, never done again.
// Errors are answers too. The answer to CreateAccess would hold a token, so it is not kept; the
// token's name does the same for it.
type once struct {
	store store.Store
	now   func() time.Time

	mu      sync.Mutex
	kept    map[string][]noted       // by token, oldest first; those of earlier runs once it asks
	running map[string]chan struct{} // by key in the store
}

// noted is an answer of the store by its key there.
type noted struct {
	key  string
	time int64
}

// answer is what the store has of a request.
type answer struct {
	Request []byte // its hash
	Time    int64
	Done    bool
	Code    connect.Code `json:",omitempty"` // 0: it succeeded
	Text    string       `json:",omitempty"` // of the error
	Details []detail     `json:",omitempty"`
	Message []byte       `json:",omitempty"`
}

// detail is one of an error's.
type detail struct {
	Type  string
	Value []byte
}

func newOnce(s store.Store, now func() time.Time) *once {
	return &once{store: s, now: now, kept: map[string][]noted{}, running: map[string]chan struct{}{}}
}

// wrap is a connect.UnaryInterceptorFunc: what streams changes nothing.
func (o *once) wrap(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		name, procedure := r.Header().Get(KeyHeader), r.Spec().Procedure
		if name == "" || reads(procedure) || procedure == antev1connect.NodeServiceCreateAccessProcedure {
			return next(ctx, r)
		}
		if len(name) > maxKey {
			return nil, fmt.Errorf("%w: an %s has at most %d bytes", ErrRequest, KeyHeader, maxKey)
		}
		body, err := proto.MarshalOptions{Deterministic: true}.Marshal(r.Any().(proto.Message))
		if err != nil {
			return nil, err
		}
		hash := sha256.Sum256(append([]byte(procedure+"\n"), body...))
		token := asking(ctx).id.Hex()
		named := sha256.Sum256([]byte(name))
		key := fmt.Sprintf("%s%s/%x", oncePrefix, token, named)
		first, end, err := o.begin(ctx, token, key, hash[:])
		if err != nil {
			return nil, err
		}
		if first != nil {
			return first.reply(r.Spec().Schema)
		}
		defer end()
		doing, cancel := context.WithTimeout(context.WithoutCancel(ctx), onceTime)
		defer cancel()
		reply, err := next(doing, r)
		if failed := o.note(key, hash[:], reply, err); failed != nil {
			return nil, failed
		}
		return reply, err
	}
}

// begin returns the first answer to a request, after waiting for it where it is under way; or notes
// that it begins, and returns what to call at its end.
func (o *once) begin(ctx context.Context, token, key string, hash []byte) (*answer, func(), error) {
	o.mu.Lock()
	for o.running[key] != nil {
		done := o.running[key]
		o.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		o.mu.Lock()
	}
	defer o.mu.Unlock()
	if err := o.forget(token, keepOnce, 0); err != nil {
		return nil, nil, err
	}
	value, err := o.store.Get(key)
	if err != nil {
		return nil, nil, err
	}
	if value != nil {
		first := new(answer)
		if err := json.Unmarshal(value, first); err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", key, err)
		}
		switch {
		case string(first.Request) != string(hash):
			return nil, nil, ErrReused
		case !first.Done:
			return nil, nil, ErrUnsure
		}
		return first, nil, nil
	}
	// a bot makes thousands of moves a day; who asks again does so soon
	if err := o.forget(token, leastOnce, maxOnce-1); err != nil {
		return nil, nil, err
	}
	if len(o.kept[token]) >= maxOnce {
		return nil, nil, errMany
	}
	now := o.now().Unix()
	if err := o.put(key, &answer{Request: hash, Time: now}); err != nil {
		return nil, nil, err
	}
	o.kept[token] = append(o.kept[token], noted{key, now})
	done := make(chan struct{})
	o.running[key] = done
	return nil, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.running, key)
		close(done)
	}, nil
}

// forget deletes a token's answers that are older than keep, beyond so many. It first reads those
// of earlier runs. The lock is held.
func (o *once) forget(token string, keep time.Duration, most int) error {
	if _, read := o.kept[token]; !read {
		list := []noted{}
		err := o.store.Scan(oncePrefix+token+"/", "", func(key string, value []byte) error {
			var a answer
			if err := json.Unmarshal(value, &a); err != nil {
				return fmt.Errorf("read %s: %w", key, err)
			}
			list = append(list, noted{key, a.Time})
			return nil
		})
		if err != nil {
			return err
		}
		slices.SortStableFunc(list, func(a, b noted) int { return cmp.Compare(a.time, b.time) })
		o.kept[token] = list
	}
	list, over := o.kept[token], map[string][]byte{}
	for len(list) > most && list[0].time < o.now().Add(-keep).Unix() && o.running[list[0].key] == nil {
		over[list[0].key] = nil
		list = list[1:]
	}
	if len(over) == 0 {
		return nil
	}
	o.kept[token] = list
	return o.store.Commit(over)
}

// note keeps the answer.
func (o *once) note(key string, hash []byte, reply connect.AnyResponse, failed error) error {
	a := &answer{Request: hash, Time: o.now().Unix(), Done: true}
	if failed != nil {
		if c, is := errors.AsType[*connect.Error](coding(failed)); is {
			a.Code, a.Text = c.Code(), c.Message()
			for _, d := range c.Details() {
				a.Details = append(a.Details, detail{d.Type(), d.Bytes()})
			}
		}
	} else {
		var err error
		if a.Message, err = proto.Marshal(reply.Any().(proto.Message)); err != nil {
			return err
		}
	}
	return o.put(key, a)
}

func (o *once) put(key string, a *answer) error {
	value, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return o.store.Commit(map[string][]byte{key: value})
}

// reply gives an answer again.
func (a *answer) reply(schema any) (connect.AnyResponse, error) {
	if a.Code != 0 {
		failed := connect.NewError(a.Code, errors.New(a.Text))
		for _, d := range a.Details {
			again, err := connect.NewErrorDetail(&anypb.Any{TypeUrl: "type.googleapis.com/" + d.Type, Value: d.Value})
			if err != nil {
				return nil, err
			}
			failed.AddDetail(again)
		}
		return nil, failed
	}
	method, ok := schema.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, fmt.Errorf("give the first answer again: the procedure has no schema")
	}
	message := dynamicpb.NewMessage(method.Output())
	return connect.NewResponse(message), proto.Unmarshal(a.Message, message)
}
