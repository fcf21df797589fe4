// The body of an answer from somebody else's server, which may have no end.

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  constructor(bytesMax: number) {
    super(`an answer of more than ${bytesMax} bytes`);
  }
}

/** @throws AnswerTooLarge, and the connection is closed; and whatever reading throws */
export async function readAnswer(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new AnswerTooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
