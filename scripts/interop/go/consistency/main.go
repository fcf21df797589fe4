// Shows with tessera's client that a log grew from a checkpoint that was kept, and that its newest
// entry is in it: all out of tiles read over HTTP. Usage: consistency PREFIX VKEY CHECKPOINT-FILE
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/client"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	ctx := context.Background()
	prefix := must(url.Parse(os.Args[1]))
	key := must(note.NewVerifier(os.Args[2]))
	kept := must(os.ReadFile(os.Args[3]))
	log := must(client.NewHTTPFetcher(prefix, http.DefaultClient))
	consensus := client.UnilateralConsensus(log.ReadCheckpoint)
	state := must(client.NewLogStateTracker(ctx, log.ReadTile, kept, key, key.Name(), consensus))
	from := state.Latest().Size
	_, consistency, _, err := state.Update(ctx)
	check(err)
	head := state.Latest()
	builder := must(client.NewProofBuilder(ctx, head.Size, log.ReadTile))
	inclusion := must(builder.InclusionProof(ctx, head.Size-1))
	bundle := must(client.GetEntryBundle(ctx, log.ReadEntryBundle, (head.Size-1)/256, head.Size))
	leaf := rfc6962.DefaultHasher.HashLeaf(bundle.Entries[(head.Size-1)%256])
	check(proof.VerifyInclusion(rfc6962.DefaultHasher, head.Size-1, head.Size, leaf, inclusion, head.Hash))
	fmt.Printf("consistent from %d to %d (%d hashes); entry %d is in the tree (%d hashes)\n",
		from, head.Size, len(consistency), head.Size-1, len(inclusion))
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
