package oracle

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNewsIsWhatCameSince(t *testing.T) {
	s := Need(t).Start(t, Serve("log_format n $uri; access_log logs/n n;", "return 204;"), Options{Clock: true})
	get := func(target string) {
		s.Get(t, target)
		s.Clock.Sync()
	}
	assert.Empty(t, s.News("logs/n"))
	get("/a")
	get("/b")
	assert.Equal(t, "/a\n/b\n", s.News("logs/n"))
	assert.Empty(t, s.News("logs/n"))
	get("/c")
	assert.Equal(t, "/c\n", s.News("logs/n"))
	assert.Equal(t, "/a\n/b\n/c\n", s.Log("logs/n"))
	assert.Empty(t, s.News("logs/none"))
}
