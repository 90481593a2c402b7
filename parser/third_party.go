package parser

import (
	"sort"
	"strings"
)

// thirdParty names the module outside of stock nginx that a directive belongs
// to; empty if it is not known.
func thirdParty(name string) string {
	if strings.Contains(name, "_by_lua") {
		return "the Lua module"
	}
	i := sort.Search(len(foreign), func(i int) bool { return foreign[i].name > name })
	if i > 0 && foreign[i-1].name == name {
		return foreign[i-1].module
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.name) {
			return f.module
		}
	}
	return ""
}

// foreignName is a directive, or the beginning of several.
type foreignName struct{ name, module string }

// families are the prefixes that a module has to itself.
var families = [...]foreignName{
	{"acme_", "the ACME module"},
	{"auth_jwt", "NGINX Plus"},
	{"auth_ldap", "the LDAP module"},
	{"auth_pam", "the PAM module"},
	{"auth_oidc", "NGINX Plus"},
	{"auth_spnego", "the SPNEGO module"},
	{"aws_", "an AWS module"},
	{"brotli", "the Brotli module"},
	{"cookie_flag", "the cookie flag module"},
	{"dav_ext", "the DAV ext module"},
	{"drizzle_", "the Drizzle module"},
	{"echo", "the echo module"},
	{"encrypted_session_", "the encrypted session module"},
	{"fancyindex", "the fancyindex module"},
	{"geoip2", "the GeoIP2 module"},
	{"headers_more", "the headers-more module"},
	{"health_check", "NGINX Plus"},
	{"iconv_", "the iconv module"},
	{"js_", "njs"},
	{"keyval", "NGINX Plus"},
	{"lua_", "the Lua module"},
	{"memc_", "the memc module"},
	{"modsecurity", "ModSecurity"},
	{"more_", "the headers-more module"},
	{"mqtt", "NGINX Plus"},
	{"naxsi", "NAXSI"},
	{"nchan", "nchan"},
	{"opentelemetry", "the OpenTelemetry module"},
	{"opentracing", "the OpenTracing module"},
	{"otel_", "the OpenTelemetry module"},
	{"pagespeed", "PageSpeed"},
	{"passenger", "Passenger"},
	{"perl_", "the Perl module"},
	{"postgres_", "the PostgreSQL module"},
	{"push_stream_", "the push stream module"},
	{"rds_", "the RDS module"},
	{"redis", "a Redis module"},
	{"security_headers", "the security headers module"},
	{"set_by_", "the Lua module"},
	{"srcache_", "the srcache module"},
	{"stream_server_traffic_status", "the STS module"},
	{"subs_", "the substitutions module"},
	{"testcookie", "the testcookie module"},
	{"upload_", "the upload module"},
	{"vhost_traffic_status", "the VTS module"},
	{"vod_", "the VOD module"},
	{"zone_sync", "NGINX Plus"},
	{"zstd", "the zstd module"},
}

// foreign are single names, sorted.
var foreign = [...]foreignName{
	{"api", "NGINX Plus"},
	{"array_join", "the array-var module"},
	{"array_map", "the array-var module"},
	{"array_split", "the array-var module"},
	{"auth_require", "NGINX Plus"},
	{"check", "the upstream check module"},
	{"check_http_expect_alive", "the upstream check module"},
	{"check_http_send", "the upstream check module"},
	{"check_shm_size", "the upstream check module"},
	{"check_status", "the upstream check module"},
	{"concat", "the concat module"},
	{"dyups_upstream_conf", "the dyups module"},
	{"eval", "the eval module"},
	{"f4f", "NGINX Plus"},
	{"f4f_buffer_size", "NGINX Plus"},
	{"fair", "the fair module"},
	{"fastcgi_cache_purge", "a cache purge module"},
	{"hls", "NGINX Plus or the RTMP module"},
	{"internal_redirect", "NGINX Plus"},
	{"limit_traffic_rate", "the limit traffic module"},
	{"limit_traffic_rate_zone", "the limit traffic module"},
	{"limit_upstream_conn", "the limit upstream module"},
	{"limit_upstream_zone", "the limit upstream module"},
	{"match", "NGINX Plus"},
	{"mgmt", "NGINX Plus"},
	{"ntlm", "NGINX Plus"},
	{"num_map", "NGINX Plus"},
	{"oidc_provider", "NGINX Plus"},
	{"proxy_cache_purge", "a cache purge module"},
	{"queue", "NGINX Plus"},
	{"report_uploads", "the upload progress module"},
	{"rtmp", "the RTMP module"},
	{"rtmp_auto_push", "the RTMP module"},
	{"rtmp_auto_push_reconnect", "the RTMP module"},
	{"rtmp_control", "the RTMP module"},
	{"rtmp_socket_dir", "the RTMP module"},
	{"rtmp_stat", "the RTMP module"},
	{"rtmp_stat_stylesheet", "the RTMP module"},
	{"scgi_cache_purge", "a cache purge module"},
	{"session_log", "NGINX Plus"},
	{"session_log_format", "NGINX Plus"},
	{"session_log_zone", "NGINX Plus"},
	{"set_base32_alphabet", "the set-misc module"},
	{"set_base32_padding", "the set-misc module"},
	{"set_decode_base32", "the set-misc module"},
	{"set_decode_base64", "the set-misc module"},
	{"set_decode_base64url", "the set-misc module"},
	{"set_decode_hex", "the set-misc module"},
	{"set_encode_base32", "the set-misc module"},
	{"set_encode_base64", "the set-misc module"},
	{"set_encode_base64url", "the set-misc module"},
	{"set_encode_hex", "the set-misc module"},
	{"set_escape_uri", "the set-misc module"},
	{"set_formatted_gmt_time", "the set-misc module"},
	{"set_formatted_local_time", "the set-misc module"},
	{"set_hashed_upstream", "the set-misc module"},
	{"set_hmac_sha1", "the set-misc module"},
	{"set_hmac_sha256", "the set-misc module"},
	{"set_if_empty", "the set-misc module"},
	{"set_local_today", "the set-misc module"},
	{"set_md5", "the set-misc module"},
	{"set_misc_base32_padding", "the set-misc module"},
	{"set_quote_json_str", "the set-misc module"},
	{"set_quote_pgsql_str", "the set-misc module"},
	{"set_quote_sql_str", "the set-misc module"},
	{"set_random", "the set-misc module"},
	{"set_rotate", "the set-misc module"},
	{"set_secure_random_alphanum", "the set-misc module"},
	{"set_secure_random_lcalpha", "the set-misc module"},
	{"set_sha1", "the set-misc module"},
	{"set_unescape_uri", "the set-misc module"},
	{"state", "NGINX Plus"},
	{"status", "NGINX Plus before R19"},
	{"status_format", "NGINX Plus before R19"},
	{"status_zone", "NGINX Plus"},
	{"track_uploads", "the upload progress module"},
	{"upstream_conf", "NGINX Plus before R19"},
	{"upstream_fair_shm_size", "the fair module"},
	{"upstream_list", "the NDK"},
	{"usage_report", "NGINX Plus"},
	{"uwsgi_cache_purge", "a cache purge module"},
}
