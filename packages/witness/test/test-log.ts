/** A log of a test: its key, its trees and what it asks a witness for. */
import { formatVkey, toBase64, utf8 } from '@lothub/chain/log';
import { NaiveTree, sha256Bytes } from '@lothub/chain/test/log/naive-tree';
import { signedCheckpoint, testKey, type TestKey } from '@lothub/chain/test/log/test-keys';

const LEAVES = 64;

export interface TestLog {
  readonly origin: string;
  readonly key: TestKey;
  readonly vkey: string;
  /** As the entry of a list. */
  readonly entry: string;
  checkpoint(size: number): string;
  proof(from: number, to: number): readonly Uint8Array[];
  /** The body that asks for the cosignature under the tree of `to` leaves. */
  request(from: number, to: number): string;
}

/**
 * @param forkAt the first leaf that is another one than in the log without a fork
 */
export function newTestLog(
  origin: string,
  {
    seed = 1,
    forkAt = LEAVES,
    qpd = 86_400,
  }: { seed?: number; forkAt?: number; qpd?: number } = {},
): TestLog {
  const key = testKey(seed);
  const vkey = formatVkey(origin, key.publicKey);
  const leaves = Array.from({ length: LEAVES }, (_, index) =>
    sha256Bytes(utf8(`${origin} ${index < forkAt ? 'common' : 'fork'} ${index}`)),
  );
  const tree = new NaiveTree(leaves);
  const checkpoint = (size: number): string =>
    signedCheckpoint({ origin, size, root: tree.rootAt(size) }, { log: key });
  const proof = (from: number, to: number): readonly Uint8Array[] => tree.consistency(from, to);
  return {
    origin,
    key,
    vkey,
    entry: formatEntry({ vkey, qpd }),
    checkpoint,
    proof,
    request: (from, to) => requestBody(from, proof(from, to), checkpoint(to)),
  };
}

export function formatEntry({
  vkey,
  qpd,
}: {
  readonly vkey: string;
  readonly qpd: number;
}): string {
  return `vkey ${vkey}\nqpd ${qpd}\ncontact test@example.org\n`;
}

export function formatList(entries: readonly string[]): string {
  return `# logs of a test\nlogs/v0\n\n${entries.join('\n')}`;
}

export function requestBody(
  old: number | string,
  proof: readonly Uint8Array[],
  checkpoint: string,
): string {
  return `old ${old}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${checkpoint}`;
}
