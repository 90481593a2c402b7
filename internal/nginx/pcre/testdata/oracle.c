/* Answers questions about PCRE2 over a pipe, calling it as nginx does
 * (src/core/ngx_regex.c): no options but CASELESS, start offset 0, interpreter.
 *
 * request:  u8 caseless, u32 length, pattern, u32 count, count * (u32 length, subject)
 * response: i32 error (0 = compiled), u32 offset, u32 length, message,
 *           and if compiled: u32 groups, count * (i32 rc, and if rc > 0: (groups + 1) * 2 * i32)
 * all in the byte order of the machine. */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int get(void *p, size_t n) { return n == 0 || fread(p, n, 1, stdin) == 1; }
static void put(const void *p, size_t n) { if (n) fwrite(p, n, 1, stdout); }
static void put32(int32_t v) { put(&v, 4); }

static unsigned char *text(uint32_t *len)
{
    unsigned char *p;
    if (!get(len, 4)) exit(1);
    p = malloc(*len + 1);
    if (!get(p, *len)) exit(1);
    return p;
}

static void answer(pcre2_code *re, pcre2_match_data *md, uint32_t groups)
{
    uint32_t len, i;
    unsigned char *s = text(&len);
    PCRE2_SIZE *ov = pcre2_get_ovector_pointer(md);
    int rc = re ? pcre2_match(re, s, len, 0, 0, md, NULL) : 0;

    if (re) {
        put32(rc);
        for (i = 0; rc > 0 && i < 2 * (groups + 1); i++)
            put32(i < 2 * (uint32_t) rc ? (int32_t) ov[i] : -1);
    }
    free(s);
}

int main(void)
{
    uint8_t caseless;

    while (get(&caseless, 1)) {
        uint32_t len, count, groups = 0;
        unsigned char *pattern = text(&len), message[256];
        int error = 0, n = 0;
        PCRE2_SIZE offset = 0;
        pcre2_match_data *md = NULL;
        pcre2_code *re = pcre2_compile(pattern, len, caseless ? PCRE2_CASELESS : 0,
                                       &error, &offset, NULL);
        if (re == NULL) {
            n = pcre2_get_error_message(error, message, sizeof message);
            put32(error);
        } else {
            offset = 0;
            put32(0);
            md = pcre2_match_data_create_from_pattern(re, NULL);
            pcre2_pattern_info(re, PCRE2_INFO_CAPTURECOUNT, &groups);
        }
        put32((int32_t) offset);
        put32(n);
        put(message, n);
        if (re) put32(groups);
        if (!get(&count, 4)) return 1;
        while (count--) answer(re, md, groups);
        fflush(stdout);
        pcre2_match_data_free(md);
        pcre2_code_free(re);
        free(pattern);
    }
    return 0;
}
