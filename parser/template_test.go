package parser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATemplateIsOneFault(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"Go and Helm", "events {}\nhttp {\n {{- if .Values.limits }}\n limit_req_zone $uri zone=a:{{ .Size }} rate={{ .Rate | default \"1;{\" }}r/s;\n {{- end }}\n {{ include \"x\" . | nindent 4 }}\n}\n", "nginx.conf:3:2: 5 placeholders of a template, the first here: what they stand for cannot be read"},
		{"Jinja", "events {}\nhttp {\n{% for s in servers %}\n server { listen {{ s.port }}; server_name {{ s.name }}; }\n{% endfor %}\n}\n", "nginx.conf:3:1: 4 placeholders of a template, the first here: what they stand for cannot be read"},
		{"ERB", "events {}\nhttp {\n<% @zones.each do |z| %>\n limit_req_zone <%= z.key %> zone=<%= z.name %>:1m rate=1r/s;\n<% end %>\n}\n", "nginx.conf:3:1: 4 placeholders of a template, the first here: what they stand for cannot be read"},
		{"one placeholder", "events {}\nhttp {\n {{ extra }}\n}\n", "nginx.conf:3:2: placeholder of a template: what it stands for cannot be read"},
		{"branches that open a block each", "events {}\nhttp {\n{{ if a }} server { {{ else }} server { {{ end }}\n }\n}\n", "nginx.conf:3:1: 3 placeholders of a template, the first here: what they stand for cannot be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := ParseBytes("nginx.conf", []byte(tt.src), Options{FS: newTextFiles(nil)})
			require.Len(t, tree.Errors, 1)
			assert.Equal(t, tt.want, tree.Errors[0].Error())
			assert.Equal(t, Template, tree.Errors[0].Kind)
			assert.Empty(t, tree.Notes)
		})
	}
}

func TestAroundPlaceholdersATemplateIsRead(t *testing.T) {
	src := "events {}\nhttp {\n {{ if .X }}\n limit_req_zone $uri zone=a:{{ .Size }} rate=5r/s;\n {{ end }}\n}\n"
	tree := ParseBytes("nginx.conf", []byte(src), Options{FS: newTextFiles(nil)})
	http := tree.Root.Directives[1]
	require.Len(t, http.Children, 1)
	zone := http.Children[0]
	assert.Equal(t, "zone=a:{{ .Size }}", zone.Args[1].Value)
	assert.True(t, zone.Args[1].Template)
	assert.False(t, zone.Args[2].Template)
	assert.Equal(t, "nginx.conf:4:22", zone.ArgSpan(1).String())
}

func TestWhatOnlyLooksLikeAPlaceholderIsText(t *testing.T) {
	src := "events {}\nhttp {\n server { location / { sub_filter '{{ name }}' '<% x %>'; return 200 \"{% raw %}\"; } }\n}\n"
	tree := ParseBytes("nginx.conf", []byte(src), Options{FS: newTextFiles(nil)})
	assert.Empty(t, tree.Errors)
	args := tree.Root.Directives[1].Children[0].Children[0].Children[0].Args
	assert.False(t, args[0].Template)
}

func TestPlaceholdersOfTheEnvironment(t *testing.T) {
	tests := []struct {
		name, file, src string
		want            []string
	}{
		{
			"where nginx knows no variables", "nginx.conf", "events {}\nhttp {\n limit_req_zone $uri zone=a:1m rate=${RATE}r/s;\n server { listen ${PORT}; include ${EXTRA}; }\n}\n",
			[]string{"nginx.conf:3:32: 3 words with placeholders of environment variables, the first here: what they stand for cannot be read"},
		},
		{"where they may be variables", "nginx.conf", "events {}\nhttp {\n limit_req_zone ${REMOTE_ADDR} zone=a:1m rate=1r/s;\n log_format f ${HOST};\n}\n", nil},
		{
			"in a file that is a template by name", "default.conf.template", "server { location / { proxy_pass http://${UPSTREAM}; } }\n",
			[]string{"default.conf.template:1:34: placeholder of an environment variable: what it stands for cannot be read"},
		},
		{"variables in small letters", "nginx.conf.template", "events {}\nhttp { log_format f ${host}x; }\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := ParseBytes(tt.file, []byte(tt.src), Options{FS: newTextFiles(nil)})
			var got []string
			for _, e := range tree.Errors {
				assert.Equal(t, Template, e.Kind)
				got = append(got, e.Error())
			}
			assert.Equal(t, tt.want, got)
		})
	}
}
