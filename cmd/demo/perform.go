package main

import (
	"bytes"
	"context"
	"io"
	"iter"
	"runtime"
)

// perform plays the tasks, as many at once as there are processors, and yields their results in
// order. A run's story is told when it is over and all before it are told.
func perform(ctx context.Context, story io.Writer, list []task, seed string) iter.Seq[*result] {
	type told struct {
		result *result
		story  bytes.Buffer
	}
	runs := make([]chan *told, len(list))
	for i := range runs {
		runs[i] = make(chan *told, 1)
	}
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	go func() {
		for i := range list {
			free <- struct{}{}
			go func() {
				defer func() { <-free }()
				t := new(told)
				t.result = play(ctx, &t.story, list[i], seed)
				runs[i] <- t
			}()
		}
	}()
	return func(yield func(*result) bool) {
		for _, run := range runs {
			t := <-run
			_, _ = t.story.WriteTo(story) // a story nobody hears is no failure
			if !yield(t.result) {
				return
			}
		}
	}
}
