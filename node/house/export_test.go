package house

// Warning is warning.
func (p *Policy) Warning(l *Loss) string { return p.warning(l) }
