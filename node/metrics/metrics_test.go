package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"testing"

	"github.com/ante-games/ante/node/metrics"
	"github.com/prometheus/client_golang/prometheus"
)

// TestProgramsOwnFigures: what a monitor needs to see a leak is there beside what is asked for:
// goroutines, heap, memory and descriptors, none of them 0.
func TestProgramsOwnFigures(t *testing.T) {
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "ante_something"})
	gauge.Set(7)
	w := httptest.NewRecorder()
	metrics.Serve(gauge).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/metrics", nil))
	names := []string{"ante_something", "go_goroutines", "go_memstats_heap_alloc_bytes"}
	if runtime.GOOS == "linux" {
		names = append(names, "process_resident_memory_bytes", "process_open_fds", "process_max_fds")
	}
	for _, name := range names {
		if !regexp.MustCompile(`(?m)^` + name + ` [1-9]`).MatchString(w.Body.String()) {
			t.Errorf("there is no %s", name)
		}
	}
}
