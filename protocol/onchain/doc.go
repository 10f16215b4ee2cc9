// Package onchain is the Arena as Go sees it: an Action is a call of the Arena, or several in one
// transaction; an Event is something that it said in a log. Both are plain data: package chain
// turns actions into transactions and logs into events.
package onchain
