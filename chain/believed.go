package chain

import "fmt"

// teller is who alone said that a call works which the other endpoint says is refused; 0: nobody.
type teller uint8

const (
	byFirst teller = iota + 1
	bySecond
)

// mostAlone is how many transactions in a row may fail that only one endpoint said would not, until
// it is believed no more in that, for as long as the program runs. One that invents events has
// answers to them paid for; but where it is the other one that lies, the first of them that lands
// begins the count anew.
const mostAlone = 8

// believed reports whether it is enough for a job that one endpoint says that it works. What went
// out on its word alone counts, too, until it did something or is final.
func (s *Sender) believed(j *job, by teller) bool {
	risked := s.lost[by]
	for _, other := range s.book.Jobs {
		if other != j && other.By == by && (!other.mined || other.Landed.Failed != "") {
			risked++
		}
	}
	return risked < mostAlone
}

// learn counts what became of a job that one endpoint alone said works.
func (u *upkeep) learn(j *job) {
	e := u.client.first
	if j.By == bySecond {
		e = u.client.second
	}
	if j.By == 0 || e == nil {
		return
	}
	switch {
	case !j.Landed.Agreed: // nothing proves which of them lies
	case j.Landed.Failed == "" && !j.isCancel(j.Landed.Tx):
		u.lost[j.By] = 0
	default:
		u.lost[j.By]++
	}
	fault := &Lying{Endpoint: e.name, What: fmt.Sprintf("%d transactions in a row failed that it alone said would not, so that it is not believed in this until the program starts again", mostAlone)}
	u.client.bell.set(u.lost[j.By] >= mostAlone, e.name+", alone", fault)
}
