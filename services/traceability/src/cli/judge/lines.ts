// The lines of blocks, out of a file or an answer: canonical texts, one a line.

/** No block is as long: an event comes in a body of 1 MiB, in a batch of 10 MiB at most. */
const LINE_BYTES_MAX = 64 * 1_048_576;
const LINE_FEED = 0x0a;

/**
 * Lines without the line feeds that divide them, several at a time.
 *
 * Not node:readline, which also divides at U+2028 and U+2029: both may be in canonical text.
 *
 * @throws Error when a line is longer than any block; what reading a chunk throws
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Buffer[]> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(Buffer.concat([...begun, chunk.subarray(start, end)]));
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > LINE_BYTES_MAX) {
      throw new Error(`a line is longer than ${LINE_BYTES_MAX} bytes, which no block is`);
    }
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [Buffer.concat(begun)];
}
