package nodesim

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// trace is all that leaves the nodes of a history, and when: what they say to each other, and what
// they ask their endpoints, transactions included. Safe for concurrent use.
type trace struct {
	began time.Time
	mu    sync.Mutex
	steps []Step
}

// Step is something that left a node.
type Step struct {
	At   time.Duration // since the history began
	What string
}

// String says what happened, and at which block.
func (s Step) String() string {
	return fmt.Sprintf("block %.6f: %s", s.At.Seconds()/blockTime.Seconds(), s.What)
}

// Apart returns the first step in which two plays of a case differ, as the one and the other had
// it. It is false where they don't.
func Apart(a, b *Verdict) (one, other Step, differ bool) {
	for i := range max(len(a.Steps), len(b.Steps)) {
		if one, other = stepAt(a, i), stepAt(b, i); one != other {
			return one, other, true
		}
	}
	return Step{}, Step{}, false
}

func stepAt(v *Verdict, i int) Step {
	if i < len(v.Steps) {
		return v.Steps[i]
	}
	return Step{What: "nothing more"}
}

func newTrace() *trace { return &trace{began: time.Now()} }

func (t *trace) add(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps = append(t.steps, Step{time.Since(t.began), fmt.Sprintf(format, args...)})
}

// told adds what one account says to another.
func (t *trace) told(from, to common.Address, env *antev1.Envelope, err error) {
	// what can't be written is not sent
	text, _ := proto.MarshalOptions{Deterministic: true}.Marshal(env)
	_, m, _ := message.FromEnvelope(env)
	t.add("%x tells %x %T %x: %v", from[:4], to[:4], m, sum(text), err)
}

// asked adds a question to an endpoint, and what became of it.
func (t *trace) asked(endpoint uint64, question string, status int, takes time.Duration, err error) {
	t.add("endpoint %d is asked %s %x: %d, %v, %v", endpoint, strings.Join(method.FindAllString(question, 5), " "), sum([]byte(question)), status, takes, err)
}

var method = regexp.MustCompile("eth_[A-Za-z]+")

func sum(text []byte) []byte {
	h := fnv.New64a()
	_, _ = h.Write(text) // never fails
	return h.Sum(nil)
}

// all returns the steps by time. What happens at one instant has no order.
func (t *trace) all() []Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.Clone(t.steps)
	slices.SortFunc(list, func(a, b Step) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.What, b.What)) })
	return list
}
