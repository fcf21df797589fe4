// Posts events over keep-alive connections, each connection its next one when the last was answered, and prints one
// line of JSON. In Go and not in TypeScript, so that the load is never what the contestants wait for.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type headers []string

func (h *headers) String() string { return strings.Join(*h, ", ") }

func (h *headers) Set(text string) error {
	*h = append(*h, text)
	return nil
}

// The same events as bench/events.ts: two lines each, six lots in a row, each made from the one before.
func event(n int64, series string) []byte {
	const levels = 6
	family, level := n/levels, n%levels
	quantity := strconv.FormatFloat(float64(n%50)/4+100, 'f', -1, 64)
	made := strconv.FormatFloat(float64(n%50)/4+98, 'f', -1, 64)
	at := time.UnixMilli(1767225600000 + n*1000).UTC().Format("2006-01-02T15:04:05.000Z")
	return fmt.Appendf(nil,
		`{"external_id":"%s-%d","event_type":"PRODUCE","occurred_at":"%s","location":"PLANT-%d","reference":"WO-%s-%d",`+
			`"lines":[{"lot_code":"LOT-%s-%d-%d","product_sku":"SKU-%d","direction":"in","quantity":%s,"unit":"kg"},`+
			`{"lot_code":"LOT-%s-%d-%d","product_sku":"SKU-%d","direction":"out","quantity":%s,"unit":"kg"}]}`,
		series, n, at, family%40, series, family,
		series, family, level, level, quantity,
		series, family, level+1, level+1, made)
}

func main() {
	addresses := flag.String("urls", "", "where to post, separated by commas; connections go to them in turn")
	connections := flag.Int("connections", 64, "")
	seconds := flag.Float64("seconds", 4, "")
	series := flag.String("series", "load", "part of each external_id: new in each run")
	var extra headers
	flag.Var(&extra, "header", "`Name: value`, any number of times")
	flag.Parse()
	var sent, refused atomic.Int64
	latencies := make([][]float64, *connections)
	urls := strings.Split(*addresses, ",")
	var group sync.WaitGroup
	started := time.Now()
	end := started.Add(time.Duration(*seconds * float64(time.Second)))
	for c := range *connections {
		target, err := url.Parse(urls[c%len(urls)])
		if err != nil {
			fail(err)
		}
		group.Add(1)
		go func() {
			defer group.Done()
			connection, err := net.Dial("tcp", target.Host)
			if err != nil {
				fail(err)
			}
			defer connection.Close()
			reader := bufio.NewReaderSize(connection, 64<<10)
			var request bytes.Buffer
			for time.Now().Before(end) {
				body := event(sent.Add(1)-1, *series)
				request.Reset()
				fmt.Fprintf(&request, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", target.RequestURI(), target.Host, len(body))
				for _, header := range extra {
					request.WriteString(header + "\r\n")
				}
				request.WriteString("\r\n")
				request.Write(body)
				begun := time.Now()
				if _, err := connection.Write(request.Bytes()); err != nil {
					fail(err)
				}
				answer, err := http.ReadResponse(reader, nil)
				if err != nil {
					fail(err)
				}
				if _, err := io.Copy(io.Discard, answer.Body); err != nil {
					fail(err)
				}
				answer.Body.Close()
				latencies[c] = append(latencies[c], float64(time.Since(begun).Microseconds())/1000)
				if answer.StatusCode >= 300 {
					refused.Add(1)
				}
			}
		}()
	}
	group.Wait()
	elapsed := time.Since(started).Seconds()
	all := []float64{}
	for _, some := range latencies {
		all = append(all, some...)
	}
	sort.Float64s(all)
	quantile := func(share float64) float64 {
		if len(all) == 0 {
			return 0
		}
		return all[min(len(all)-1, int(float64(len(all))*share))]
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"perSecond": float64(len(all)) / elapsed,
		"requests":  len(all),
		"refused":   refused.Load(),
		"p50Ms":     quantile(0.5),
		"p99Ms":     quantile(0.99),
	})
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
