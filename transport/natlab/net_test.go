package natlab

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Kinds of access to the internet.
const (
	open       = "open"       // a public address of its own
	forwarding = "forwarding" // a router that forwards the port: endpoint-independent, both ways
	home       = "home"       // one that keeps the port, and lets in answers only
	symmetric  = "symmetric"  // one that draws a port for each connection
	noUDP      = "no UDP"     // as home, for TCP alone
)

// rules are what a router of a kind does besides, for nft.
var rules = map[string]string{
	forwarding: `add rule ip nat post oif wan masquerade persistent
add rule ip nat pre iif wan udp dport 4101 dnat to HOST`,
	home:      `add rule ip nat post oif wan masquerade persistent`,
	symmetric: `add rule ip nat post oif wan masquerade random,fully-random`,
	noUDP: `add rule ip nat post oif wan masquerade persistent
add rule ip nat forward ip protocol udp drop`,
}

// internet is a namespace with a bridge to which everybody is connected.
type internet struct {
	t      *testing.T
	prefix string // of the names of namespaces
	links  int
}

// newInternet needs privileges and programs; without them the test is skipped.
func newInternet(t *testing.T) *internet {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for network namespaces")
	}
	for _, program := range []string{"ip", "nft"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: %v", program, err)
		}
	}
	n := &internet{t: t, prefix: fmt.Sprintf("ante%d-", os.Getpid())}
	if out, err := exec.Command("ip", "netns", "add", n.prefix+"net").CombinedOutput(); err != nil {
		t.Skipf("needs network namespaces: %s", out)
	}
	n.drop("net")
	n.must("", `ip -n NSnet link add name hub type bridge; ip -n NSnet link set hub up`)
	return n
}

func (n *internet) drop(namespace string) {
	n.t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", n.prefix+namespace).Run() })
}

func (n *internet) namespace(name string) {
	n.t.Helper()
	n.must("", `ip netns add NS`+name+`; ip -n NS`+name+` link set lo up`)
	n.drop(name)
}

// join connects a namespace to the internet, and returns its address there.
func (n *internet) join(name, device string) (address string) {
	n.t.Helper()
	n.links++
	address = fmt.Sprintf("11.0.%d.1", n.links)
	script := fmt.Sprintf(`ip -n NSnet link add v%[1]d type veth peer name DEV netns NS%[2]s
ip -n NSnet link set v%[1]d master hub up
ip -n NS%[2]s address add %[3]s/8 dev DEV; ip -n NS%[2]s link set DEV up`, n.links, name, address)
	n.must("", strings.ReplaceAll(script, "DEV", device))
	return address
}

// home makes a namespace for a player with some access to the internet.
func (n *internet) home(name, kind string) {
	n.t.Helper()
	n.namespace(name)
	if kind == open {
		n.join(name, "wan")
		return
	}
	router := name + "r"
	n.namespace(router)
	n.join(router, "wan")
	n.must("", strings.NewReplacer("ROUTER", router, "HOME", name).Replace(`ip -n NSROUTER link add lan type veth peer name lan netns NSHOME
ip -n NSROUTER address add 192.168.7.1/24 dev lan; ip -n NSROUTER link set lan up
ip -n NSHOME address add 192.168.7.2/24 dev lan; ip -n NSHOME link set lan up
ip -n NSHOME route add default via 192.168.7.1
ip netns exec NSROUTER sysctl -qw net.ipv4.ip_forward=1`))
	n.must(router, `add table ip nat
add chain ip nat pre { type nat hook prerouting priority -100; }
add chain ip nat post { type nat hook postrouting priority 100; }
add chain ip nat forward { type filter hook forward priority 0; policy drop; }
`+strings.ReplaceAll(rules[kind], "HOST", "192.168.7.2")+`
add rule ip nat forward iif lan oif wan accept
add rule ip nat forward ct status dnat accept
add rule ip nat forward ct state established,related accept
add chain ip nat in { type filter hook input priority 0; }
add rule ip nat in iif wan drop`)
}

// must runs a shell script, or an nft script in a router. NS stands for the prefix of namespaces.
func (n *internet) must(router, script string) {
	n.t.Helper()
	c := exec.Command("sh", "-e")
	if router != "" {
		c = exec.Command("ip", "netns", "exec", n.prefix+router, "nft", "-f", "-")
	}
	c.Stdin = strings.NewReader(strings.ReplaceAll(script, "NS", n.prefix))
	if out, err := c.CombinedOutput(); err != nil {
		n.t.Fatalf("%v: %s\n%s", err, out, script)
	}
}
