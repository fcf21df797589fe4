// Verifies with torchwood, by a policy, that a proof file shows a block in a log. The proof comes on
// standard input as the hub gave it. Usage: inclusion POLICY-FILE BLOCK-HASH
package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	policy := must(torchwood.ParsePolicy(must(os.ReadFile(os.Args[1]))))
	entry := must(hex.DecodeString(os.Args[2]))
	proof := must(io.ReadAll(os.Stdin))
	check(torchwood.VerifyProof(policy, tlog.RecordHash(entry), proof))
	fmt.Println("included")
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		os.Exit(1)
	}
}
