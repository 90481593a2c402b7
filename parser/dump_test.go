package parser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dumped is what nginx -T prints: messages, then each file with a line feed
// after it.
const dumped = `nginx: the configuration file /etc/nginx/nginx.conf syntax is ok
nginx: configuration file /etc/nginx/nginx.conf test is successful
# configuration file /etc/nginx/nginx.conf:
events {}
http {
    include mime.types;
    include /etc/nginx/sites/*;
    include /etc/nginx/none/*;
}

# configuration file /etc/nginx/mime.types:
types {
    text/html html;
}

# configuration file /etc/nginx/sites/a:
server {
    limit_req zone=a;
    gzip on
}
# configuration file /etc/nginx/sites/b:
# an empty site
`

func TestADumpIsReadAsTheFilesItHolds(t *testing.T) {
	tree := ParseBytes("dump.txt", []byte(dumped), Options{FS: OS{}})
	assert.Equal(t, []string{"/etc/nginx/nginx.conf", "/etc/nginx/mime.types", "/etc/nginx/sites/a", "/etc/nginx/sites/b"}, names(tree))
	require.Len(t, tree.Errors, 1)
	assert.Equal(t, `/etc/nginx/sites/a:4:1: unexpected "}"`, tree.Errors[0].Error())
	assert.Equal(t, "/etc/nginx/nginx.conf:4:5", tree.Errors[0].Chain[0].String())
	assert.Empty(t, tree.Notes)
	assert.Equal(t, "events {}\nhttp {\n    include mime.types;\n    include /etc/nginx/sites/*;\n    include /etc/nginx/none/*;\n}\n", string(tree.Root.Source))
	assert.Nil(t, tree.Context)
}

func TestADumpWithoutAFileSaysSo(t *testing.T) {
	text := strings.ReplaceAll(dumped, "include mime.types", "include gone.types")
	tree := ParseBytes("-", []byte(text), Options{FS: OS{}, PathMap: []PathMapping{{"/etc/nginx", "/tmp"}}})
	assert.Equal(t, `/etc/nginx/nginx.conf:3:13: open() "/etc/nginx/gone.types" failed (2: No such file or directory)`, tree.Errors[0].Error())
}

func TestAMarkInsideAFileIsNoDump(t *testing.T) {
	tree := ParseBytes("nginx.conf", []byte("events {}\n# configuration file /etc/x:\n"), Options{FS: OS{}})
	assert.Equal(t, []string{"nginx.conf"}, names(tree))
}

func TestADumpWithCarriageReturnsIsRead(t *testing.T) {
	tree := ParseBytes("-", []byte("# configuration file /a/nginx.conf:\r\nevents {}\r\n"), Options{FS: OS{}})
	assert.Equal(t, []string{"/a/nginx.conf"}, names(tree))
	assert.Empty(t, tree.Errors)
}
