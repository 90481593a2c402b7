// Command demolog makes the access log of the demo: half an hour of a small
// shop, with people at home, an office of thirty behind one address, a crawler
// and somebody who guesses passwords. It is seeded, so that it always writes
// the same bytes. The addresses are those reserved for documentation.
package main

import (
	"bytes"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: demolog FILE.gz")
	}
	if err := os.WriteFile(os.Args[1], compress(newSite(1).log()), 0o644); err != nil {
		log.Fatal(err)
	}
}

func compress(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

const (
	start    = 1_780_304_400_000 // ms since the epoch: 2026-06-01 09:00 UTC
	duration = 30 * 60_000       // ms
)

// line is one request; end orders the log as nginx writes it.
type line struct {
	at, took int64 // ms
	text     string
}

func (l line) end() int64 { return l.at + l.took }

// site collects the requests of everybody.
type site struct {
	rnd   *rand.Rand
	lines []line
}

func newSite(seed uint64) *site {
	s := &site{rnd: rand.New(rand.NewPCG(seed, seed))}
	s.homes()
	s.office()
	s.crawler()
	s.guesser()
	return s
}

func (s *site) log() []byte {
	slices.SortStableFunc(s.lines, func(a, b line) int { return int(a.end() - b.end()) })
	var b bytes.Buffer
	for _, l := range s.lines {
		b.WriteString(l.text)
	}
	return b.Bytes()
}

func (s *site) between(low, high int64) int64 { return low + s.rnd.Int64N(high-low+1) }

// client is one person or program.
type client struct {
	address, agent string
}

func (s *site) request(c client, at, took int64, method, uri string, status int, referer string) {
	end := at + took
	s.lines = append(s.lines, line{at: at, took: took, text: fmt.Sprintf(
		`{"msec":"%d.%03d","request_time":"%d.%03d","remote_addr":"%s","host":"shop.example","request_method":"%s","request_uri":"%s","status":"%d","http_user_agent":"%s","http_referer":"%s"}`+"\n",
		end/1000, end%1000, took/1000, took%1000, c.address, method, uri, status, c.agent, referer)})
}

// page is one page view: the page, and its assets within a second.
func (s *site) page(c client, at int64, uri string, assets int) {
	s.request(c, at, s.between(40, 180), "GET", uri, 200, "https://shop.example/")
	for i := range assets {
		s.request(c, at+s.between(150, 900), s.between(1, 9), "GET", fmt.Sprintf("/static/a%02d.css", i), 200, "https://shop.example"+uri)
	}
}

// visit is one person looking around for some minutes. Assets are cached
// after the first page.
func (s *site) visit(c client, at int64, pages int) {
	for i := range pages {
		assets := int(s.between(0, 2))
		if i == 0 {
			assets = int(s.between(6, 11))
		}
		s.page(c, at, fmt.Sprintf("/product/%d", s.between(1, 400)), assets)
		at += s.between(4_000, 45_000)
	}
}

func (s *site) homes() {
	for i := range 160 {
		c := client{fmt.Sprintf("198.51.100.%d", i+10), agent(int(s.between(0, 39)))}
		s.visit(c, start+s.between(0, duration-120_000), int(s.between(2, 8)))
	}
}

// office is thirty people behind one address, who all look at the day's offer
// when the mail about it arrives at ten past, and go on from there.
func (s *site) office() {
	for i := range 30 {
		c := client{"203.0.113.77", agent(i)}
		s.visit(c, start+s.between(0, duration-300_000), int(s.between(3, 7)))
		s.page(c, start+600_000+s.between(0, 9_000), "/offer", int(s.between(7, 11)))
		if i%3 == 0 {
			s.request(c, start+606_000+s.between(0, 14_000), s.between(60, 140), "POST", "/login", 302, "https://shop.example/offer")
		}
	}
}

func (s *site) crawler() {
	c := client{"192.0.2.50", "ExampleBot/2.1 (+https://bot.example/)"}
	for at := int64(start); at < start+duration; at += s.between(1_900, 2_100) {
		s.request(c, at, s.between(30, 90), "GET", fmt.Sprintf("/product/%d", s.between(1, 400)), 200, "")
	}
}

// guesser tries two passwords a second for ten minutes.
func (s *site) guesser() {
	c := client{"192.0.2.66", "python-requests/2.32"}
	for at := int64(start + 900_000); at < start+1_500_000; at += s.between(450, 550) {
		s.request(c, at, s.between(50, 90), "POST", "/login", 401, "")
	}
}

// agent is one of forty browsers.
func agent(i int) string {
	systems := []string{"Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "X11; Linux x86_64", "iPhone; CPU iPhone OS 18_5 like Mac OS X"}
	return fmt.Sprintf("Mozilla/5.0 (%s) AppleWebKit/537.36 Chrome/%d.0.0.0 Safari/537.36", systems[i%len(systems)], 130+i/len(systems))
}
