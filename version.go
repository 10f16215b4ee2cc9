package ante

// Version is the semantic version of this module, of its API and of its client for TypeScript,
// which are released together. docs/operate.md says what a version promises, CHANGELOG.md what
// changed.
//
// A release: raise it here, in clients/typescript/package.json with package-lock.json, and in
// CHANGELOG.md (a test compares them); .ci/run and make release-check; leave a directory of its
// data for the next ones to open (go test ./cmd/channeld -run TestUpgrade -upgrade.leave); commit,
// tag v and the version, make release.
const Version = "0.1.0-dev"
