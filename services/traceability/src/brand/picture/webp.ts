// The chunks of a WebP file (RFC 9649, section 2).
import { CUT_SHORT, NOT_ONE_FRAME, PictureFault, TRAILING, type Picture } from './fault.ts';

/** `RIFF`, the size of the rest, `WEBP`. */
const HEADER_BYTES = 12;
/** Name and size before the contents of a chunk. */
const BEFORE_BYTES = 8;
/** Chunks besides the picture itself. */
const OTHER_CHUNKS: ReadonlySet<string> = new Set(['VP8X', 'ICCP', 'ALPH', 'EXIF', 'XMP ']);
const TEXTS: ReadonlySet<string> = new Set(['ICCP', 'EXIF', 'XMP ']);
const ANIMATED: ReadonlySet<string> = new Set(['ANIM', 'ANMF']);
/** Bytes of the chunk that says what the file has. */
const EXTENDED_BYTES = 10;
/** Its flag of an animation. */
const ANIMATION_FLAG = 0x02;
/** Sides of the formats lossy and lossless have 14 bits. */
const SIDE_BITS = 14;
const SIDE_MASK = 2 ** SIDE_BITS - 1;

interface Chunk {
  readonly name: string;
  readonly contents: Buffer;
}

type Sides = Pick<Picture, 'width' | 'height'>;

export function isWebp(bytes: Buffer): boolean {
  return (
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, HEADER_BYTES) === 'WEBP'
  );
}

/** @throws PictureFault */
export function readWebp(bytes: Buffer): Picture {
  const end = BEFORE_BYTES + bytes.readUInt32LE(4);
  if (end > bytes.length) throw new PictureFault(CUT_SHORT);
  if (end < bytes.length) throw new PictureFault(TRAILING);
  const chunks = readChunks(bytes);
  if (chunks.some(({ name }) => ANIMATED.has(name))) throw new PictureFault(NOT_ONE_FRAME);
  const pictures = chunks.filter(({ name }) => !OTHER_CHUNKS.has(name));
  const [first] = chunks;
  const [picture] = pictures;
  if (first === undefined || picture === undefined || pictures.length > 1) throw malformed();
  const sides = readSides(picture);
  const isExtended = first.name === 'VP8X';
  // The simple formats have nothing but the picture.
  if (!isExtended && chunks.length > 1) throw malformed();
  if (isExtended && !isSameSize(readCanvas(first), sides)) throw malformed();
  const texts = chunks.filter(({ name }) => TEXTS.has(name)).map(({ contents }) => contents);
  return { ...sides, texts };
}

function readChunks(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = HEADER_BYTES; at < bytes.length;) {
    if (at + BEFORE_BYTES > bytes.length) throw new PictureFault(CUT_SHORT);
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const from = at + BEFORE_BYTES;
    // An odd size is followed by one padding byte.
    at = from + size + (size % 2);
    if (at > bytes.length) throw new PictureFault(CUT_SHORT);
    chunks.push({ name, contents: bytes.subarray(from, from + size) });
  }
  return chunks;
}

function readSides({ name, contents }: Chunk): Sides {
  switch (name) {
    case 'VP8 ':
      return lossySides(contents);
    case 'VP8L':
      return losslessSides(contents);
    default:
      throw malformed();
  }
}

/** RFC 6386, section 9.1: a key frame, its start code, and both sides with a scale each. */
function lossySides(contents: Buffer): Sides {
  const isKeyFrame =
    contents.length >= 10 &&
    contents.readUInt8(0) % 2 === 0 &&
    contents.readUIntBE(3, 3) === 0x9d012a;
  if (!isKeyFrame) throw malformed();
  return {
    width: contents.readUInt16LE(6) & SIDE_MASK,
    height: contents.readUInt16LE(8) & SIDE_MASK,
  };
}

/** RFC 9649, section 3.4: the signature, then each side less one. */
function losslessSides(contents: Buffer): Sides {
  if (contents.length < 5 || contents.readUInt8(0) !== 0x2f) throw malformed();
  const bits = contents.readUInt32LE(1);
  return { width: (bits & SIDE_MASK) + 1, height: ((bits >>> SIDE_BITS) & SIDE_MASK) + 1 };
}

/** Each side less one in three bytes. */
function readCanvas({ contents }: Chunk): Sides {
  if (contents.length !== EXTENDED_BYTES) throw malformed();
  if ((contents.readUInt8(0) & ANIMATION_FLAG) !== 0) throw new PictureFault(NOT_ONE_FRAME);
  return { width: contents.readUIntLE(4, 3) + 1, height: contents.readUIntLE(7, 3) + 1 };
}

function isSameSize(one: Sides, other: Sides): boolean {
  return one.width === other.width && one.height === other.height;
}

function malformed(): PictureFault {
  return new PictureFault('The bytes begin as WebP and are not well-formed');
}
