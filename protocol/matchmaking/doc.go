// Package matchmaking defines what players sign to find each other, before any channel: invites,
// which a lobby shows, and organised rounds, for which players register with a house.
package matchmaking
