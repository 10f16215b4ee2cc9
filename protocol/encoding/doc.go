// Package encoding writes what is signed as protobuf, and reads it back strictly: exact lengths,
// amounts without leading zeros, signatures in the one form that the Arena takes, counts within the
// caps of package protocol. Messages to peers and the records of a machine use the same forms.
package encoding
