package oracle

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMessagesHaveLevelTextAndPlace(t *testing.T) {
	conflict := Message{Level: "warn", Text: `conflicting server name "a" on 0.0.0.0:80, ignored`}
	tests := []struct {
		name, two string
		ok        bool
		want      []Message
	}{
		{"a warning alone", "", true, []Message{conflict}},
		{"an error that has no place", "server { limit_req zone=none; }", false, []Message{
			conflict, {Level: "emerg", Text: `zero size shared memory zone "none"`},
		}},
		{"an error in an included file", "\nlimit_reqs zone=none;", false, []Message{
			{Level: "emerg", Text: `unknown directive "limit_reqs"`, File: "sites/two.conf", Line: 2},
		}},
	}
	each(t, func(t *testing.T, bin Nginx) {
		c := bin.Checker(t)
		for _, tt := range tests {
			r := c.Test(Files{
				"nginx.conf":     "events {}\nhttp {\n  include sites/*.conf;\n}\n",
				"sites/one.conf": "server {\n  listen 80;\n  server_name a;\n}\nserver {\n  listen 80;\n  server_name a;\n}\n",
				"sites/two.conf": tt.two,
			})
			assert.Equal(t, tt.ok, r.OK, tt.name)
			assert.Equal(t, tt.want, r.Messages, tt.name)
		}
	})
}

func TestAMessageMayHaveLines(t *testing.T) {
	out := "nginx: [emerg] unknown directive \"a\n in b:3\" in /p/nginx.conf:2\nnginx: [warn] x\nnginx: configuration file /p/nginx.conf test failed\n"
	assert.Equal(t, []Message{
		{Level: "emerg", Text: "unknown directive \"a\n in b:3\"", File: "nginx.conf", Line: 2},
		{Level: "warn", Text: "x"},
	}, parseMessages(out, "/p"))
	assert.Empty(t, parseMessages("", "/p"))
}

func TestTheMachineDoesNotMatter(t *testing.T) {
	for name, directive := range map[string]string{
		"a user that does not exist":    "user nobody_of_that_name nogroup_of_that_name;",
		"more connections than files":   "worker_rlimit_nofile 10;",
		"a log in a folder that is not": "error_log /nowhere/error.log;",
		"a pid in a folder that is not": "pid /nowhere/pid;",
		"an address of another machine": "http { server { listen 192.0.2.1:80; listen [2001:db8::1]:443; } }",
		"a socket where there is none":  "http { server { listen unix:/nowhere/socket; } }",
		"a host of another network":     "http { server { location / { proxy_pass http://app.internal; } } }",
		"temporary files elsewhere":     "http { client_body_temp_path /nowhere/body 1 2; access_log /nowhere/a.log; server {} }",
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, bin Nginx) {
				r := bin.Test(t, Conf("events { worker_connections 1000000; }\n"+directive))
				assert.True(t, r.OK, r.Output)
				assert.Empty(t, r.Messages)
			})
		})
	}
	each(t, func(t *testing.T, bin Nginx) {
		r := bin.Test(t, Conf("events {}\nhttp { upstream u { server app.invalid; } }"))
		assert.False(t, r.OK, "names of .invalid do not resolve")
		assert.Equal(t, []Message{{Level: "emerg", Text: `host not found in upstream "app.invalid"`, File: "nginx.conf", Line: 2}}, r.Messages)
	})
}

// The preloaded library may not change a verdict that the machine has no part
// in: nginx without it says the same, to the letter.
func TestTheCheckerSaysWhatNginxSays(t *testing.T) {
	bodies := []string{
		"", "x", "limit_req", "limit_req zone=a;", "limit_req_zone $a zone=a:1m rate=1r/s;", "limit_req_zone $a zone=a:1k rate=1r/s;",
		"limit_req_zone $a zone=a:1m rate=0r/s;", "limit_req_zone $a zone=a rate=1r/s;", "limit_req_status 200;", "limit_req_status 429;",
		"limit_conn_zone $a zone=a:1m; limit_conn a 0;", "limit_conn_zone $a zone=a:1m; limit_conn a 1; limit_conn a 2;", "map $a $b { default \"\n\"; }}",
		"geo $a { default 1; 10.0.0.0/33 2; }", "geo $a { default 1; 10.0.0.0/8 2; 10.0.0.0/8 3; }", "include none.conf;", "include none*.conf;",
		"server { location /a { } location /a { } }", "server { location ~ ( { } }", "server { rewrite ^ /a b c d; }", "set_real_ip_from 10.0.0.1/8;",
		"\"", "'a", "{", "}", ";", "server { if ($a) { limit_req zone=a; } }", "log_format a $nonesuch; access_log logs/a a;", "\xff\x00;",
	}
	each(t, func(t *testing.T, bin Nginx) {
		c := bin.Checker(t)
		for _, body := range bodies {
			files := Conf(Preamble + "http {\n" + Defaults + body + "\n}\n")
			r := c.Test(files)
			cmd := exec.Command(bin.Path, "-t", "-q", "-p", c.dir, "-c", filepath.Join(c.dir, "nginx.conf"), "-e", "logs/boot.log")
			out, err := cmd.CombinedOutput()
			assert.Equal(t, err == nil, r.OK, "%q: %s", body, out)
			assert.Equal(t, string(out), r.Output, "%q", body)
		}
	})
}

func TestFilesOfTheLastCheckAreGone(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		c := bin.Checker(t)
		require.True(t, c.Test(Files{"nginx.conf": "include a/b.conf;", "a/b.conf": "events {}"}).OK)
		r := c.Test(Conf("include a/b.conf;"))
		require.Len(t, r.Messages, 1, r.Output)
		assert.Equal(t, 1, r.Messages[0].Line)
		assert.Contains(t, r.Messages[0].Text, "No such file")
	})
}

func BenchmarkChecks(b *testing.B) {
	c := Need(b).Checker(b)
	files := Conf(HTTP("limit_req_zone $uri zone=a:1m rate=1r/s; server { location / { limit_req zone=a; } }"))
	for b.Loop() {
		if r := c.Test(files); !r.OK {
			b.Fatal(r.Output)
		}
	}
}
