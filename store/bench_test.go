package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkCommit measures durable commits of 1 KiB per second beside the limit, a bare write and
// fsync of 1 KiB to a file that has its size already.
func BenchmarkCommit(b *testing.B) {
	value := bytes.Repeat([]byte("v"), 1<<10)
	b.Run("fsync", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "f"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		const size = 4 << 20
		if err := f.Truncate(size); err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			if _, err := f.WriteAt(value, int64(i*len(value)%size)); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
		perSecond(b)
	})
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s := open(b, b.TempDir())
			var left, done atomic.Int64
			left.Store(int64(b.N))
			var all sync.WaitGroup
			for range writers {
				all.Go(func() {
					for left.Add(-1) >= 0 {
						key := fmt.Sprintf("key/%016d", done.Add(1))
						if err := s.Commit(map[string][]byte{key: value}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			all.Wait()
			perSecond(b)
		})
	}
}

func perSecond(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}
