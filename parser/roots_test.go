package parser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheRootsOfAFolder(t *testing.T) {
	const main = "events {}\nhttp { include conf.d/*.conf; include sites-enabled/*; }\n"
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a main file and what it includes", map[string]string{
			"nginx.conf": main, "conf.d/a.conf": "gzip on;\n", "sites-enabled/b": "server { listen 80; }\n",
		}, []string{"nginx.conf"}},
		{"several main files", map[string]string{
			"east/nginx.conf": main, "west/edge.conf": main, "west/conf.d/a.conf": "gzip on;\n",
		}, []string{"east/nginx.conf", "west/edge.conf"}},
		{"fragments that nothing includes", map[string]string{
			"sites-enabled/a": "server { listen 80; }\n", "conf.d/zones.conf": "limit_req_zone $uri zone=a:1m rate=1r/s;\n",
		}, []string{"conf.d/zones.conf", "sites-enabled/a"}},
		{"a fragment beside a main file that names another machine's path", map[string]string{
			"nginx.conf": "events {}\nhttp { include /etc/nginx-far/conf.d/*.conf; }\n", "conf.d/a.conf": "server { listen 80; }\n",
		}, []string{"nginx.conf", "conf.d/a.conf"}},
		{"snippets that a fragment includes", map[string]string{
			"sites/a.conf": "server { include snippets/limits.conf; }\n", "snippets/limits.conf": "limit_req zone=a;\n",
		}, []string{"sites/a.conf"}},
		{"sites in store", map[string]string{
			"nginx.conf": main, "sites-available/a": "server { listen 80; }\n", "sites-enabled/a": "server { listen 80; }\n",
		}, []string{"nginx.conf"}},
		{"other programs' files", map[string]string{
			"supervisord.conf": "[program:a]\ncommand=/bin/a -c 'x'\n", "php.conf": "memory_limit = 1G;\n", "a.txt": main, ".git/x.conf": main,
			"logrotate.d/nginx": "/var/log/nginx/*.log {\n daily\n rotate 5\n}\n",
		}, nil},
		{"a dump", map[string]string{"host.conf": dumped}, []string{"host.conf"}},
		{"a damaged main file", map[string]string{"nginx.conf": "events {}\nhttp {\n server {\n listen 80\n }\n"}, []string{"nginx.conf"}},
		{"a template", map[string]string{"nginx.conf.j2": "events {}\nhttp {\n{% for a in b %}\n server { listen {{ a }}; }\n{% endfor %}\n}\n"}, []string{"nginx.conf.j2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			texts := map[string][]byte{}
			for name, text := range tt.files {
				texts["repo/"+name] = []byte(text)
			}
			got, err := Roots(newTextFiles(texts), "repo")
			require.NoError(t, err)
			var want []string
			for _, name := range tt.want {
				want = append(want, "repo/"+name)
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestMappedPathsAreIncluded(t *testing.T) {
	files := newTextFiles(map[string][]byte{
		"repo/nginx.conf":    []byte("events {}\nhttp { include /etc/nginx-far/conf.d/*.conf; }\n"),
		"repo/conf.d/a.conf": []byte("server { listen 80; }\n"),
	})
	got, err := FindRoots("repo", Options{FS: files, PathMap: []PathMapping{{"/etc/nginx-far", "repo"}}})
	require.NoError(t, err)
	assert.Equal(t, []string{"repo/nginx.conf"}, got)
}

func TestAFolderThatCannotBeReadIsAnError(t *testing.T) {
	_, err := Roots(newTextFiles(nil), "nowhere")
	assert.Error(t, err)
}

func TestAFileThatCannotBeReadIsNotPassedOver(t *testing.T) {
	files := newTextFiles(map[string][]byte{"repo/a.conf": nil, "repo/nginx.conf": []byte("events {}\n")})
	got, err := Roots(shut{files, "repo/a.conf"}, "repo")
	require.NoError(t, err)
	assert.Equal(t, []string{"repo/a.conf", "repo/nginx.conf"}, got)
}
