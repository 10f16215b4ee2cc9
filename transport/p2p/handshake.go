package p2p

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/libp2p/go-libp2p/core/peer"
	"google.golang.org/protobuf/proto"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// proofLife is for how long a proof is good. The challenge is fresh, so the expiry is no protection
// against replay: it keeps a proof from being worth anything later. A verifier takes up to twice as
// much, so that clocks may differ by a day either way: a wrong time zone or a clock that steps by
// some hours cuts nobody off.
const proofLife = 24 * time.Hour

// handshake proves our account to the other side, and takes its proof as the session's account. The
// side that dialled proves first: a stranger who dials us costs one verification and no signature
// until it has proved something.
//
//	dialler                          listener
//	Handshake{challenge}       ->
//	                           <-    Handshake{challenge}
//	HandshakeProof             ->
//	                           <-    HandshakeProof
//
// The proof is the signature of the account, or of its deputy, of PeerBinding{own peer id, the
// other's challenge, expiry} under the domain. It is bound to the peer id, which libp2p's
// encryption has proved, so that it can't be passed on as somebody else's.
func (h *Host) handshake(s *session) error {
	challenge := newChallenge()
	if err := send(s.stream, &antev1.Handshake{Challenge: challenge[:]}); err != nil {
		return err
	}
	var theirs antev1.Handshake
	if err := receive(s.in, &theirs); err != nil {
		return err
	}
	if len(theirs.Challenge) != common.HashLength {
		return fmt.Errorf("%w: a challenge of %d bytes", transport.ErrHandshake, len(theirs.Challenge))
	}
	if s.dialled {
		if err := h.prove(s.stream, common.Hash(theirs.Challenge), nil); err != nil {
			return err
		}
	}
	var proof antev1.HandshakeProof
	if err := receive(s.in, &proof); err != nil {
		return err
	}
	account, err := h.verify(&proof, s.stream.Conn().RemotePeer(), groupOf(s.stream.Conn().RemoteMultiaddr()), challenge)
	if err != nil {
		return err
	}
	if account == h.account() {
		h.copied(account)
		return fmt.Errorf("%w: the peer has our own account's key; is another node running with it?", transport.ErrHandshake)
	}
	s.account = account
	s.proof = &antev1.Rival{
		PeerId: []byte(s.stream.Conn().RemotePeer()), Challenge: challenge[:], Expiry: proof.Expiry, Signature: proof.Signature,
	}
	if s.dialled {
		h.examine(account, proof.Rival)
		return nil
	}
	h.mu.Lock()
	err = h.room(s)
	h.mu.Unlock()
	if err != nil {
		return err
	}
	return h.prove(s.stream, common.Hash(theirs.Challenge), h.rival(account))
}

func newChallenge() (c common.Hash) {
	_, _ = rand.Read(c[:]) // never fails
	return c
}

// prove proves our account, and shows the other side what proved its account before.
func (h *Host) prove(stream io.Writer, challenge common.Hash, rival *antev1.Rival) error {
	binding := protocol.PeerBinding{
		PeerID:    []byte(h.host.ID()),
		Challenge: challenge,
		Expiry:    uint64(h.cfg.Now().Add(proofLife).Unix()),
	}
	digest := binding.Digest(h.cfg.Domain)
	h.mu.Lock()
	h.signed.add(digest, signedAt(binding.Expiry))
	h.mu.Unlock()
	signature, err := h.cfg.Signer.Sign(digest)
	if err != nil {
		return fmt.Errorf("signing the proof of account %s: %w", h.account(), err)
	}
	account := h.account()
	return send(stream, &antev1.HandshakeProof{Account: account[:], Expiry: binding.Expiry, Signature: signature[:], Deputy: encoding.Deputy(h.deputy()), Rival: rival})
}

// deputy returns the appointment of the key that proves for the account, nil if it is the account's
// own.
func (h *Host) deputy() *protocol.SignedDeputy {
	if e, ok := h.cfg.Handler.(transport.Envoy); ok {
		return e.Deputy()
	}
	return nil
}

// account returns the account that the host proves to its peers.
func (h *Host) account() common.Address {
	if d := h.deputy(); d != nil {
		return d.Player
	}
	return h.cfg.Signer.Address()
}

func (h *Host) verify(proof *antev1.HandshakeProof, remote peer.ID, group string, challenge common.Hash) (common.Address, error) {
	a := protocol.Authority{Domain: h.cfg.Domain, Now: uint64(h.cfg.Now().Unix())}
	if e, ok := h.cfg.Handler.(transport.Envoy); ok {
		a.Wallets = func(account common.Address, digest common.Hash, signature []byte) error {
			return e.Wallet(group, account, digest, signature)
		}
	}
	return verify(proof, remote, challenge, a)
}

// verify returns the account that a proof proves for a peer that was sent the challenge.
func verify(proof *antev1.HandshakeProof, remote peer.ID, challenge common.Hash, a protocol.Authority) (common.Address, error) {
	if len(proof.Account) != common.AddressLength {
		return common.Address{}, fmt.Errorf("%w: an account of %d bytes", transport.ErrHandshake, len(proof.Account))
	}
	account := common.Address(proof.Account)
	if proof.Expiry <= a.Now || proof.Expiry > a.Now+uint64(2*proofLife/time.Second) {
		return common.Address{}, errExpired
	}
	signature, err := protocol.ParseSignature(proof.Signature)
	if err != nil {
		return common.Address{}, fmt.Errorf("%w: %w", transport.ErrHandshake, err)
	}
	deputy, err := encoding.DecodeDeputy(account, proof.Deputy)
	if err != nil {
		return common.Address{}, fmt.Errorf("%w: %w", transport.ErrHandshake, err)
	}
	binding := protocol.PeerBinding{PeerID: []byte(remote), Challenge: challenge, Expiry: proof.Expiry}
	if err := a.Spoken(account, binding.Digest(a.Domain), signature, deputy); err != nil {
		if !errors.Is(err, protocol.ErrSignature) {
			return common.Address{}, fmt.Errorf("%w of account %s: %w", errUnchecked, account, err)
		}
		return common.Address{}, fmt.Errorf("%w: the proof is not by account %s for this peer, chain and Arena: %w", transport.ErrHandshake, account, err)
	}
	return account, nil
}

func send(stream io.Writer, m proto.Message) error {
	frame, err := wire.Frame(m, wire.MaxHandshake)
	if err != nil {
		return err
	}
	_, err = stream.Write(frame)
	return err
}

func receive(in *wire.Reader, m proto.Message) error {
	b, err := in.Next(wire.MaxHandshake)
	if err != nil {
		return err
	}
	return wire.Unmarshal(b, m)
}
