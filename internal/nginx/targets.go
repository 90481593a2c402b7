package nginx

// mayBeTarget tells whether an internal redirect may lead to the location.
func (c *Config) mayBeTarget(l *Location) bool {
	return l.Modifier == Named || l.Internal
}
