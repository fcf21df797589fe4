/**
 * Requests to a witness, good and bad, in the order in which they are sent: one row for each sentence of
 * c2sp.org/tlog-witness. Other witnesses are given the same table.
 */
import { checkpointBody, logSignatureLine, toBase64, utf8 } from '@lothub/chain/log';
import { signedCheckpoint, testKey } from '@lothub/chain/test/log/test-keys';
import { newTestLog, requestBody, type TestLog } from './test-log.ts';

export interface RequestRow {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly status: number;
  /** Of an answer 409: the size that was cosigned last. */
  readonly size?: number;
  /** The size that is cosigned with an answer 200. */
  readonly cosigned?: number;
  /** What litewitness answers instead, where the text is silent or it does not follow the text. */
  readonly litewitness?: number;
  /**
   * The same of omniwitness. It follows version 1.0.0 of the text, in which a second root of one size is a
   * 409 without a size; to a log or a signature that it does not know it answers 500.
   */
  readonly omniwitness?: number;
}

export const TABLE_ORIGIN = 'table.example.com/log/1';
const UNKNOWN_ORIGIN = 'unknown.example.com/log/1';
const ANOTHER_SEED = 99;
const BODY_BYTES_MAX = 32_768;
const PROOF_HASHES_MAX = 63;

/** The log that the witness must know: its name and key. */
export const tableLog: TestLog = newTestLog(TABLE_ORIGIN);
const fork = newTestLog(TABLE_ORIGIN, { forkAt: 3 });

const ROOT = new Uint8Array(32).fill(7);
const another = testKey(ANOTHER_SEED);

/** A checkpoint of the log with lines that others signed, before or behind its own. */
function withLine(size: number, line: string): string {
  return tableLog.checkpoint(size) + line;
}

const strangersLine = logSignatureLine({
  origin: 'stranger.example.org',
  publicKey: another.publicKey,
  signature: another.sign(utf8('anything')),
});

/** The name and the id of the log's key over a signature of something else. */
function falselySigned(size: number): string {
  const body = checkpointBody({ origin: TABLE_ORIGIN, size, root: ROOT });
  const signature = tableLog.key.sign(utf8('something else'));
  const { publicKey } = tableLog.key;
  return `${body}\n${logSignatureLine({ origin: TABLE_ORIGIN, publicKey, signature })}`;
}

const forOthers = (size: number): string =>
  signedCheckpoint({ origin: TABLE_ORIGIN, size, root: ROOT }, { log: another });

const good = tableLog.checkpoint(5);
/** The first request with another first line. */
const withOld = (line: string): string => tableLog.request(0, 5).replace('old 0', line);

export const REQUEST_TABLE: readonly RequestRow[] = [
  // Origin and signatures.
  {
    name: 'a log that is not in the list',
    body: newTestLog(UNKNOWN_ORIGIN).request(0, 5),
    status: 404,
    omniwitness: 500,
  },
  {
    name: 'no signature of a known key',
    body: requestBody(0, [], forOthers(5)),
    status: 403,
    omniwitness: 500,
  },
  {
    name: 'a wrong signature of a known key',
    body: requestBody(0, [], falselySigned(5)),
    status: 403,
    omniwitness: 500,
  },
  // Sizes.
  // omniwitness takes it as the first tree, as it takes any old size before one.
  {
    name: 'an old size over the size of the tree',
    body: requestBody(6, [], good),
    status: 400,
    omniwitness: 200,
  },
  {
    name: 'an old size where nothing was cosigned',
    body: tableLog.request(3, 5),
    status: 409,
    size: 0,
  },
  {
    name: 'the empty tree with the root of another one',
    body: requestBody(
      0,
      [],
      signedCheckpoint({ origin: TABLE_ORIGIN, size: 0, root: ROOT }, { log: tableLog.key }),
    ),
    status: 422,
    litewitness: 200,
    omniwitness: 409,
  },
  {
    name: 'the empty tree',
    body: tableLog.request(0, 0),
    status: 200,
    omniwitness: 409,
    cosigned: 0,
  },
  {
    name: 'a proof from the empty tree',
    body: requestBody(0, [ROOT], good),
    status: 422,
    litewitness: 200,
    omniwitness: 409,
  },
  // Both others have taken it by now.
  {
    name: 'the first tree',
    body: tableLog.request(0, 5),
    status: 200,
    litewitness: 409,
    omniwitness: 409,
    cosigned: 5,
  },
  { name: 'the first tree again', body: tableLog.request(0, 5), status: 409, size: 5 },
  {
    name: 'the same tree, to refresh its time',
    body: tableLog.request(5, 5),
    status: 200,
    cosigned: 5,
  },
  {
    name: 'the same tree with a proof',
    body: requestBody(5, [ROOT], good),
    status: 422,
  },
  {
    name: 'the same size of a fork',
    body: requestBody(5, [], fork.checkpoint(5)),
    status: 422,
    omniwitness: 409,
  },
  // Growth.
  {
    name: 'lines of strangers beside the log’s own',
    body: requestBody(5, tableLog.proof(5, 8), withLine(8, strangersLine)),
    status: 200,
    cosigned: 8,
  },
  { name: 'a tree that is cut back', body: tableLog.request(5, 6), status: 409, size: 8 },
  {
    name: 'a tree that is cut back to one before',
    body: tableLog.request(3, 5),
    status: 409,
    size: 8,
  },
  {
    name: 'growth without a proof',
    body: requestBody(8, [], tableLog.checkpoint(13)),
    status: 422,
  },
  {
    name: 'growth with another proof',
    body: requestBody(8, tableLog.proof(7, 13), tableLog.checkpoint(13)),
    status: 422,
  },
  {
    name: 'growth with a hash too many',
    body: requestBody(8, [...tableLog.proof(8, 13), ROOT], tableLog.checkpoint(13)),
    status: 422,
  },
  { name: 'growth of a fork', body: fork.request(8, 13), status: 422 },
  { name: 'growth', body: tableLog.request(8, 13), status: 200, cosigned: 13 },
  // Shape.
  { name: 'nothing', body: '', status: 400 },
  {
    name: 'an old size with a leading zero',
    body: withOld('old 05'),
    status: 400,
    litewitness: 409,
    omniwitness: 409,
  },
  {
    name: 'an old size of two zeros',
    body: withOld('old 00'),
    status: 400,
    litewitness: 409,
    omniwitness: 409,
  },
  { name: 'no old size', body: withOld('old '), status: 400 },
  { name: 'a negative old size', body: withOld('old -1'), status: 400 },
  { name: 'an old size with a sign', body: withOld('old +5'), status: 400, litewitness: 409 },
  { name: 'an old size before a space', body: withOld('old 5 '), status: 400, omniwitness: 409 },
  { name: 'an old size after two spaces', body: withOld('old  5'), status: 400, omniwitness: 409 },
  { name: 'an old size in other words', body: withOld('size 5'), status: 400 },
  { name: 'an old size that no tree has', body: withOld('old 99999999999999999999'), status: 400 },
  { name: 'no empty line', body: `old 13\n${tableLog.checkpoint(20)}`, status: 400 },
  {
    name: 'a proof that is not base64',
    body: `old 13\n*\n\n${tableLog.checkpoint(20)}`,
    status: 400,
  },
  {
    name: 'a hash of 31 bytes',
    body: `old 13\n${toBase64(ROOT.subarray(1))}\n\n${tableLog.checkpoint(20)}`,
    status: 400,
    omniwitness: 422,
  },
  {
    name: 'a proof of 63 hashes',
    body: requestBody(
      13,
      new Array<Uint8Array>(PROOF_HASHES_MAX).fill(ROOT),
      tableLog.checkpoint(20),
    ),
    status: 422,
  },
  {
    name: 'a proof of 64 hashes',
    body: requestBody(
      13,
      new Array<Uint8Array>(PROOF_HASHES_MAX + 1).fill(ROOT),
      tableLog.checkpoint(20),
    ),
    status: 400,
    omniwitness: 422,
  },
  {
    name: 'lines that end in two characters',
    body: tableLog.request(13, 20).replaceAll('\n', '\r\n'),
    status: 400,
    omniwitness: 500,
  },
  {
    name: 'no line feed at the end',
    body: tableLog.request(13, 20).slice(0, -1),
    status: 400,
    litewitness: 500,
    omniwitness: 500,
  },
  {
    name: 'no signature',
    body: `old 13\n\n${TABLE_ORIGIN}\n20\n${toBase64(ROOT)}\n\n`,
    status: 400,
    litewitness: 500,
    omniwitness: 500,
  },
  {
    name: 'a tree size with a leading zero',
    body: tableLog.request(13, 20).replace('\n20\n', '\n020\n'),
    status: 400,
    litewitness: 403,
    omniwitness: 500,
  },
  {
    name: 'bytes that are no UTF-8',
    body: Buffer.concat([Buffer.from(tableLog.request(13, 20)), Buffer.of(0xff, 0x0a)]),
    status: 400,
    litewitness: 500,
    omniwitness: 500,
  },
  {
    name: 'a body that is too large',
    body: `old 13\n${'A'.repeat(BODY_BYTES_MAX)}\n\n${tableLog.checkpoint(20)}`,
    status: 413,
    litewitness: 500,
    omniwitness: 400,
  },
  { name: 'growth after all that', body: tableLog.request(13, 20), status: 200, cosigned: 20 },
  {
    name: 'a right and a wrong signature of a known key',
    body: requestBody(
      20,
      tableLog.proof(20, 21),
      withLine(21, falselySigned(21).split('\n').slice(-2).join('\n')),
    ),
    status: 403,
    litewitness: 200,
    omniwitness: 200,
  },
];
