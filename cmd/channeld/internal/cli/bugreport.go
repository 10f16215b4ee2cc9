package cli

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// maxMetrics caps the bytes of the daemon's metrics in a report.
const maxMetrics = 4 << 20

func bugReportCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "bugreport [FILE]", Short: "Collect what a developer needs to know, without secrets", Args: cobra.MaximumNArgs(1),
		Long: "Collect what a developer needs to know: versions, settings (of URLs only the host), status, alarms, the last events,\n" +
			"transactions, metrics and what doctor says. It contains no key, no password, no token and no secret of a\n" +
			"match; it does name accounts, addresses and matches. Look through it before you give it away."}
	cmd.RunE = func(c *cobra.Command, args []string) error {
		path := cmp.Or(first(args), "channeld-bugreport.tar.gz")
		if _, err := a.token(); err != nil {
			return err // there is nothing to report about
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("write the report: %w: name another file", err)
		}
		zipped := gzip.NewWriter(f)
		r := report{app: a, api: a.dial(c.Context()), out: tar.NewWriter(zipped)}
		r.collect(c)
		for _, closer := range []io.Closer{r.out, zipped} {
			if err := closer.Close(); err != nil && r.err == nil {
				r.err = err
			}
		}
		if err := errors.Join(r.err, f.Close()); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		return a.report(map[string]string{"report": path}, "%s holds no secrets that channeld knows of; look through it before you give it away\n", path)
	}
	return cmd
}

// report is a report that is written. Its error is the first of writing.
type report struct {
	*app
	api *remote
	out *tar.Writer
	err error
}

// collect writes what can be found out; what can't be says why in its place.
func (r *report) collect(c *cobra.Command) {
	r.add("version.txt", []byte(fmt.Sprintf("channeld %s\n%s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)))
	settings, err := config.Show(r.path(configFile), r.Environ, nil)
	r.addJSON("settings.json", settings)
	r.failed("settings.error", err)
	r.addJSON("doctor.json", r.examine(c))
	ask(r, "status.json", r.api.GetStatus, new(antev1.GetStatusRequest))
	ask(r, "alarms.json", r.api.ListAlarms, new(antev1.ListAlarmsRequest))
	ask(r, "channels.json", r.api.ListChannels, &antev1.ListChannelsRequest{Closed: true})
	ask(r, "matches.json", r.api.ListMatches, new(antev1.ListMatchesRequest))
	ask(r, "transactions.json", r.api.ListTransactions, &antev1.ListTransactionsRequest{Limit: 100})
	var events bytes.Buffer
	err = (&follower{api: r.api, request: &antev1.StreamEventsRequest{PastOnly: true}}).run(r.api.ctx, func(e *antev1.Event) error {
		fmt.Fprintf(&events, "%d %s %s %s\n", e.Cursor, time.Unix(e.Time, 0).UTC().Format(time.RFC3339), e.Kind, clean(e.Text))
		return nil
	})
	r.add("events.txt", events.Bytes())
	r.failed("events.error", err)
	r.metrics()
}

// metrics adds the daemon's metrics, among them how many goroutines it runs.
func (r *report) metrics() {
	client := &http.Client{Transport: r.door(r.api.ctx), Timeout: 10 * time.Second}
	reply, err := client.Get("http://localhost/metrics")
	if err != nil {
		r.failed("metrics.error", err)
		return
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, maxMetrics))
	r.add("metrics.txt", text)
	r.failed("metrics.error", err)
}

// ask adds the daemon's answer.
func ask[Q, R any, P reply[R]](r *report, name string, m method[Q, R], request *Q) {
	answer, err := call(r.api, m, request)
	if err != nil {
		r.failed(name+".error", err)
		return
	}
	text, err := protojson.MarshalOptions{Multiline: true}.Marshal(proto.Message(P(answer)))
	r.add(name, text)
	r.failed(name+".error", err)
}

// addJSON adds a file of texts.
func (r *report) addJSON(name string, value any) {
	text, err := json.MarshalIndent(value, "", "  ")
	r.add(name, text)
	r.failed(name+".error", err)
}

func (r *report) failed(name string, err error) {
	if err != nil {
		r.add(name, []byte(r.explain(err)+"\n"))
	}
}

func (r *report) add(name string, content []byte) {
	if r.err == nil {
		r.err = r.out.WriteHeader(&tar.Header{Name: "channeld/" + name, Mode: 0o600, Size: int64(len(content))})
	}
	if r.err == nil {
		_, r.err = r.out.Write(content)
	}
}
