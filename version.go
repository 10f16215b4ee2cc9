package ante

// Version is the semantic version of this module, of its API and of its client for TypeScript,
// which are released together. docs/operate.md says what a version promises, CHANGELOG.md what
// changed.
const Version = "0.1.0-dev"
