package daemon

import (
	"io"
	"net"
	"net/http"
	"testing"
)

// narrow is a listener whose connections hold little that is not read.
type narrow struct{ net.Listener }

func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(4096)
	}
	return c, err
}

// TestAttack_IdleConnections_Unread: programs that ask and don't read the answer don't keep others
// from being answered.
func TestAttack_IdleConnections_Unread(t *testing.T) {
	crowded(t, narrow{loopback(t)}, "GET /page HTTP/1.1\r\nHost: a\r\n\r\n", func(w http.ResponseWriter, r *http.Request, begun chan<- struct{}) {
		if r.URL.Path == "/page" {
			begun <- struct{}{}
			_, _ = w.Write(make([]byte, 4<<20))
		}
		_, _ = io.WriteString(w, "here")
	})
}
