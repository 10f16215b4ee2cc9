package games

import "encoding/json"

// Small is a parameter that is a whole number of one byte.
type Small struct {
	Name              string
	Help              string
	Default, Min, Max uint8
}

// Smalls are the parameters of a game that needs nothing but small numbers: one byte each, in
// order.
type Smalls []Small

var _ Params = Smalls(nil)

func (s Smalls) numbers() Numbers {
	n := make(Numbers, len(s))
	for i, p := range s {
		n[i] = Number{Name: p.Name, Help: p.Help, Bytes: 1, Default: uint64(p.Default), Min: uint64(p.Min), Max: uint64(p.Max)}
	}
	return n
}

// Fields implements Params.
func (s Smalls) Fields() []Field { return s.numbers().Fields() }

// Check fails with ErrIllegal unless the bytes are one value in range for each parameter.
func (s Smalls) Check(params []byte) error {
	_, err := s.numbers().Values(params)
	return err
}

// Encode implements Params.
func (s Smalls) Encode(object json.RawMessage) ([]byte, error) { return s.numbers().Encode(object) }

// Decode implements Params.
func (s Smalls) Decode(params []byte) (json.RawMessage, error) { return s.numbers().Decode(params) }
