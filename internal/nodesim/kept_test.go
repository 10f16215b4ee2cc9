package nodesim_test

import (
	"testing"

	"github.com/ante-games/ante/internal/nodesim"
)

// kept are cases in which something was once wrong, and what. Each was lost when it was kept. When
// each message comes was not yet fixed by the case then, so that some may by now pass by what was
// wrong.
var kept = []struct {
	wrong string
	nodesim.Case
}{
	{
		"an estimate of gas that left rules less than they ask for, so that no dispute was ever recorded",
		nodesim.Case{Seed: 1, Scene: "channel", Seats: []nodesim.Part{{}, {Cheats: []string{"old positions", "gone"}}}},
	},
	{
		"an endpoint that refuses eth_call kept the sender from raising the price of an answer",
		nodesim.Case{Seed: 23, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"rpc refusing calls", "fee spike"}}, {Cheats: []string{"silence", "old positions"}},
		}},
	},
	{
		"the last move and the booking came at one instant, so that the referee knew only the position before",
		nodesim.Case{Seed: 101, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"bad network", "crash"}}, {Troubles: []string{"partition", "crash"}},
		}},
	},
	{
		"a node that was started again while its endpoint refused eth_call never started",
		nodesim.Case{Seed: 79, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"rpc refusing calls", "crash"}}, {Cheats: []string{"draws"}},
		}},
	},
	{
		"an endpoint that refused once was not asked again for as many seconds as it had answered requests before",
		nodesim.Case{Seed: 1000043, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"rpc refusing", "rpc down for windows"}}, {Troubles: []string{"partition"}},
		}},
	},
	{
		"an old copy signed a ledger above those that its peer said it had forgotten, and so took them for known",
		nodesim.Case{Seed: 1006749, Scene: "house", Seats: []nodesim.Part{{Troubles: []string{"rpc lagging"}}, {Troubles: []string{"crash", "old copy"}}}},
	},
	{
		"an old copy signed a ledger above those that its peer said it had forgotten, and so took them for known",
		nodesim.Case{Seed: 1004116, Scene: "channel", Seats: []nodesim.Part{{Troubles: []string{"rpc losing", "rpc starved", "old copy"}}, {}}},
	},
	{
		"a seat's message waited in a mutex for a tower that asked the chain, and the simulation's clock stood still",
		nodesim.Case{Seed: 1005689, Scene: "channel", Seats: []nodesim.Part{{Cheats: []string{"copies"}}, {Troubles: []string{"tower"}}}},
	},
	{
		"an old ledger was paid out that locked a match which a newer one had booked, and nobody had its terms any more",
		nodesim.Case{Seed: 1009870, Scene: "invites", Seats: []nodesim.Part{
			{Troubles: []string{"rpc refusing", "rpc slow", "two copies"}}, {Troubles: []string{"rpc down for windows"}},
			{Troubles: []string{"rpc refusing calls", "rpc down"}},
		}},
	},
	{
		"the referee asked for an answer to a clock that began in the block in which the seat went away",
		nodesim.Case{Seed: 1009945, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"rpc starved", "tower"}}, {Cheats: []string{"withheld words", "silence"}},
		}},
	},
	{
		"the referee asked for an answer to a clock of a match that was booked",
		nodesim.Case{Seed: 1007670, Scene: "house", Seats: []nodesim.Part{
			{}, {Troubles: []string{"crash", "rpc down for windows"}}, {Cheats: []string{"another copy", "silence"}},
		}},
	},
	{
		"a house staked money against players who stake nothing",
		nodesim.Case{Seed: 2, Scene: "house", Seats: []nodesim.Part{{}, {Cheats: []string{"free roller"}}}},
	},
	{
		"one invite approved several matches",
		nodesim.Case{Seed: 9, Scene: "invites", Seats: []nodesim.Part{{}, {Cheats: []string{"asking again"}}}},
	},
	{
		"two honest seats left a contest as it was whose ledger gives both as much as the newest, and the referee missed an alarm",
		nodesim.Case{Seed: 1000148, Scene: "channel", Seats: []nodesim.Part{{Troubles: []string{"rpc refusing", "partition"}}, {}}},
	},
	{
		"both seats had forgotten a match, and the referee wanted the one to be told by the other",
		nodesim.Case{Seed: 1000633, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"rpc starved", "old copy"}}, {Cheats: []string{"another copy", "draws"}},
		}},
	},
	{
		"a seat was away, a clock ran out in a match that was booked long before, and the referee blamed it",
		nodesim.Case{Seed: 1001257, Scene: "channel", Seats: []nodesim.Part{
			{Cheats: []string{"another copy"}}, {Troubles: []string{"tower", "rpc starved"}},
		}},
	},
	{
		"a seat forgot a match that it had lost, and the referee wanted its stake back",
		nodesim.Case{Seed: 129, Scene: "invites", Seats: []nodesim.Part{
			{}, {Troubles: []string{"rpc slow", "rpc refusing calls", "old copy"}}, {Troubles: []string{"tower", "rpc refusing calls", "old copy"}},
		}},
	},
	{
		"a house forgot that it had opened a channel, and the referee knew another alarm than the one that says so",
		nodesim.Case{Seed: 5, Scene: "house", Seats: []nodesim.Part{{Troubles: []string{"old copy"}}, {}}},
	},
	{
		"a seat was away, its peer moved and started its clock, and the referee had its tower answer, which can't move",
		nodesim.Case{Seed: 1000446, Scene: "channel", Seats: []nodesim.Part{
			{Troubles: []string{"tower"}}, {Cheats: []string{"stale ledger", "silence"}},
		}},
	},
	{
		"an owner's second node played a match and lost it while the first was away, and the referee wanted its stake back",
		nodesim.Case{Seed: 9144, Scene: "channel", Seats: []nodesim.Part{{Troubles: []string{"two copies", "reorganisations", "tower"}}, {}}},
	},
	{
		"a lost store found its channel on the chain and passed over the closing, which it read in the same batch",
		nodesim.Case{Seed: 3001377, Scene: "channel", Seats: []nodesim.Part{{}, {Troubles: []string{"rpc starved", "partition", "old copy"}}}},
	},
}

// TestKept plays the kept cases again.
func TestKept(t *testing.T) {
	s := simulation(t)
	for _, k := range kept {
		if v := play(t, s, k.Case); len(v.Lost) > 0 {
			t.Errorf("%v, once %s: %v", v.Case, k.wrong, v.Lost)
		}
	}
}
