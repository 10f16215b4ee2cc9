//go:build !windows

package cli

import "os"

// understands reports whether a terminal follows escape sequences.
func understands(*os.File) bool { return true }
