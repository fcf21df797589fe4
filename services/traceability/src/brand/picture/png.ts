// The chunks of a PNG file (PNG, third edition, W3C, chapters 5 and 11).
import { crc32 } from 'node:zlib';
import { CUT_SHORT, NOT_ONE_FRAME, PictureFault, TRAILING, type Picture } from './fault.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before the contents of a chunk, and the checksum behind them. */
const BEFORE_BYTES = 8;
const CRC_BYTES = 4;
const HEADER_BYTES = 13;
/** Chunks that the picture is made of. */
const CRITICAL: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);
const ANIMATED: ReadonlySet<string> = new Set(['acTL', 'fcTL', 'fdAT']);
/** Bit depths of each colour type (table 12). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

interface Chunk {
  readonly type: string;
  readonly contents: Buffer;
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/** @throws PictureFault */
export function readPng(bytes: Buffer): Picture {
  const chunks = readChunks(bytes);
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.contents.length !== HEADER_BYTES) throw malformed();
  const types = chunks.map(({ type }) => type);
  if (types.some((type) => ANIMATED.has(type))) throw new PictureFault(NOT_ONE_FRAME);
  const isKnown = types.every((type) => CRITICAL.has(type) || isAncillary(type));
  const image = types.lastIndexOf('IDAT') - types.indexOf('IDAT') + 1;
  const isWhole =
    isKnown &&
    types.lastIndexOf('IHDR') === 0 &&
    types.includes('IDAT') &&
    image === types.filter((type) => type === 'IDAT').length;
  if (!isWhole) throw malformed();
  return {
    ...readSides(header.contents),
    texts: chunks.filter(({ type }) => !CRITICAL.has(type)).map(({ contents }) => contents),
  };
}

/** Through IEND, which nothing follows. */
function readChunks(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; ;) {
    if (at + BEFORE_BYTES + CRC_BYTES > bytes.length) throw new PictureFault(CUT_SHORT);
    const end = at + BEFORE_BYTES + bytes.readUInt32BE(at);
    if (end + CRC_BYTES > bytes.length) throw new PictureFault(CUT_SHORT);
    const type = bytes.toString('latin1', at + CRC_BYTES, at + BEFORE_BYTES);
    if (!/^[A-Za-z]{4}$/.test(type)) throw malformed();
    if (crc32(bytes.subarray(at + CRC_BYTES, end)) !== bytes.readUInt32BE(end)) throw malformed();
    chunks.push({ type, contents: bytes.subarray(at + BEFORE_BYTES, end) });
    at = end + CRC_BYTES;
    if (type !== 'IEND') continue;
    if (at !== bytes.length) throw new PictureFault(TRAILING);
    return chunks;
  }
}

function readSides(header: Buffer): { readonly width: number; readonly height: number } {
  const [depth, colours, compression, filter, interlace] = header.subarray(8);
  const isKnown =
    DEPTHS[Number(colours)]?.includes(Number(depth)) === true &&
    compression === 0 &&
    filter === 0 &&
    (interlace === 0 || interlace === 1);
  if (!isKnown) throw malformed();
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

/** The fifth bit of the first byte: who does not know the chunk may pass over it. */
function isAncillary(type: string): boolean {
  return /^[a-z]/.test(type);
}

function malformed(): PictureFault {
  return new PictureFault('The bytes begin as PNG and are not well-formed');
}
