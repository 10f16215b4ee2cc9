package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// understands has a terminal follow escape sequences, which those of Windows do only when asked,
// and reports whether it does.
func understands(terminal *os.File) bool {
	const follow = windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	handle, mode := windows.Handle(terminal.Fd()), uint32(0)
	if windows.GetConsoleMode(handle, &mode) != nil {
		return false
	}
	return mode&follow != 0 || windows.SetConsoleMode(handle, mode|follow) == nil
}
