package api

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/google/go-cmp/cmp"
)

func matchesOf(ids ...int) (list []*antev1.Match) {
	for _, id := range ids {
		list = append(list, &antev1.Match{Id: fmt.Sprintf("0x%064x", id)})
	}
	return list
}

// TestPages: a list is told whole in pages, each of it once, while things begin, move and end.
func TestPages(t *testing.T) {
	lists := [][]*antev1.Match{matchesOf(5, 3, 1, 9, 7), matchesOf(3, 1, 9, 7, 5, 2), matchesOf(1, 9, 7, 8, 5, 2)}
	r := &antev1.ListMatchesRequest{PageSize: 2, Booked: true}
	var told []*antev1.Match
	for _, list := range lists {
		some, next, err := page(r, list, (*antev1.Match).GetId)
		if err != nil {
			t.Fatal(err)
		}
		told, r.PageToken = append(told, some...), next
	}
	if r.PageToken != "" {
		t.Errorf("after the last page: %q", r.PageToken)
	}
	var got []string
	for _, m := range told {
		got = append(got, m.Id)
	}
	var want []string
	for _, m := range matchesOf(1, 3, 5, 7, 8, 9) {
		want = append(want, m.Id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPages_Whole: who asks for no pages gets all; who asks for more than there may be in one gets
// as many as may.
func TestPages_Whole(t *testing.T) {
	var ids []int
	for i := range maxPage + 1 {
		ids = append(ids, i+1)
	}
	list := matchesOf(ids...)
	slices.Reverse(list)
	first := list[0]
	if all, next, err := page(new(antev1.ListMatchesRequest), list, (*antev1.Match).GetId); len(all) != maxPage+1 || all[0] != first || next != "" || err != nil {
		t.Errorf("%d, %q, %v", len(all), next, err)
	}
	if some, next, err := page(&antev1.ListMatchesRequest{PageSize: 1 << 31}, list, (*antev1.Match).GetId); len(some) != maxPage || next == "" || err != nil {
		t.Errorf("%d, %q, %v", len(some), next, err)
	}
}

// TestAttack_ForgedPage: a page's token is good for the list that it was told of, and for nothing
// else.
func TestAttack_ForgedPage(t *testing.T) {
	_, real, err := page(&antev1.ListMatchesRequest{PageSize: 1}, matchesOf(1, 2), (*antev1.Match).GetId)
	if err != nil || real == "" {
		t.Fatal(real, err)
	}
	none := func(*antev1.Offer) string { return "" }
	for what, forged := range map[string]string{
		"of another list": real, "text": "page 2", "an id": base64.RawURLEncoding.EncodeToString([]byte(matchesOf(1)[0].Id)), "cut": real[:4], "padded": real + "=",
	} {
		if _, _, err := page(&antev1.ListOffersRequest{PageToken: forged}, nil, none); !errors.Is(err, ErrRequest) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, _, err := page(&antev1.ListMatchesRequest{PageToken: real, Booked: true}, matchesOf(1, 2), (*antev1.Match).GetId); !errors.Is(err, ErrRequest) {
		t.Errorf("of the list without a filter: %v", err)
	}
	if some, _, err := page(&antev1.ListMatchesRequest{PageToken: real}, matchesOf(1, 2), (*antev1.Match).GetId); len(some) != 1 || err != nil {
		t.Errorf("the real one: %v, %v", some, err)
	}
}
