// The segments of a JPEG file (ITU-T T.81, annex B): baseline, extended and progressive, Huffman coded.
import { CUT_SHORT, PictureFault, TRAILING, type Picture } from './fault.ts';

const MARK = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Frames that browsers draw. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Frames that they do not: lossless, hierarchical, arithmetic. */
const OTHER_FRAMES: ReadonlySet<number> = new Set([
  0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);
/** Tables: Huffman, quantisation, restart interval. */
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd]);
/** Bytes of a length, which counts itself. */
const LENGTH_BYTES = 2;
/** Bytes of a frame header: precision, both sides, and the number of components. */
const FRAME_BYTES = 6;

export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === MARK && bytes[1] === START && bytes[2] === MARK;
}

/** @throws PictureFault */
export function readJpeg(bytes: Buffer): Picture {
  const texts: Buffer[] = [];
  let sides: Pick<Picture, 'width' | 'height'> | undefined;
  let hasScan = false;
  for (let at = 2; ;) {
    const { marker, behind } = markerAt(bytes, at);
    if (marker === END) {
      if (sides === undefined || !hasScan) throw malformed();
      if (behind !== bytes.length) throw new PictureFault(TRAILING);
      return { ...sides, texts };
    }
    const contents = segmentAt(bytes, behind);
    at = behind + LENGTH_BYTES + contents.length;
    if (FRAMES.has(marker)) {
      if (sides !== undefined || contents.length < FRAME_BYTES) throw malformed();
      sides = { height: contents.readUInt16BE(1), width: contents.readUInt16BE(3) };
    } else if (OTHER_FRAMES.has(marker)) {
      throw new PictureFault('Browsers do not draw this kind of JPEG');
    } else if (marker === SCAN) {
      if (sides === undefined) throw malformed();
      hasScan = true;
      at = endOfScan(bytes, at);
    } else if (isText(marker)) {
      texts.push(contents);
    } else if (!TABLES.has(marker)) {
      throw malformed();
    }
  }
}

/** Bytes of value 0xff may fill the place before a marker. */
function markerAt(
  bytes: Buffer,
  start: number,
): { readonly marker: number; readonly behind: number } {
  if (start >= bytes.length) throw new PictureFault(CUT_SHORT);
  if (bytes[start] !== MARK) throw malformed();
  let at = start;
  while (bytes[at] === MARK) at += 1;
  const marker = bytes[at];
  if (marker === undefined) throw new PictureFault(CUT_SHORT);
  return { marker, behind: at + 1 };
}

function segmentAt(bytes: Buffer, at: number): Buffer {
  if (at + LENGTH_BYTES > bytes.length) throw new PictureFault(CUT_SHORT);
  const length = bytes.readUInt16BE(at);
  if (length < LENGTH_BYTES) throw malformed();
  if (at + length > bytes.length) throw new PictureFault(CUT_SHORT);
  return bytes.subarray(at + LENGTH_BYTES, at + length);
}

/** Finds the next marker that is neither a byte 0xff of the scan nor one of its restarts. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(MARK, start); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    const isOfScan = next === 0 || (next >= 0xd0 && next <= 0xd7) || next === MARK;
    if (!isOfScan) return at;
  }
  throw new PictureFault(CUT_SHORT);
}

/** What applications say, and comments. */
function isText(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
}

function malformed(): PictureFault {
  return new PictureFault('The bytes begin as JPEG and are not well-formed');
}
