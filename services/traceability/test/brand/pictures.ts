// Small pictures of each format, made here byte by byte, and what may be wrong with them.
import { crc32, deflateSync } from 'node:zlib';

export type Bytes = Buffer<ArrayBuffer>;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, contents: Uint8Array): Bytes {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), contents]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(contents.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, crc]);
}

/** Grey, of these sides. @param beside more chunks, before the picture */
export function png({
  width = 2,
  height = 2,
  beside = [],
}: {
  readonly width?: number;
  readonly height?: number;
  readonly beside?: readonly Uint8Array[];
} = {}): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    ...beside,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One that no other has. */
export function pngSaying(text: string): Bytes {
  return png({ beside: [pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))] });
}

export function jpegSegment(marker: number, contents: Uint8Array): Bytes {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(contents.length + 2, 2);
  return Buffer.concat([head, contents]);
}

/** @param frame marker of the frame */
export function jpeg({
  width = 8,
  height = 8,
  frame = 0xc0,
  beside = [],
}: {
  readonly width?: number;
  readonly height?: number;
  readonly frame?: number;
  readonly beside?: readonly Uint8Array[];
} = {}): Bytes {
  const sides = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  sides.writeUInt16BE(height, 1);
  sides.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...beside,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(frame, sides),
    jpegSegment(0xc4, Buffer.alloc(17 + 12)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    // In the scan: a byte 0xff is followed by zero, and a restart is in between.
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export function webpChunk(name: string, contents: Uint8Array): Bytes {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(contents.length, 4);
  return Buffer.concat([head, contents, Buffer.alloc(contents.length % 2)]);
}

export function makeWebp(...chunks: readonly Uint8Array[]): Bytes {
  const rest = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(rest.length, 4);
  return Buffer.concat([head, rest]);
}

export function lossy({ width = 1, height = 1 } = {}): Bytes {
  const contents = Buffer.from(
    '300100 9d012a 0000 0000 0300343525a40003'.replaceAll(' ', ''),
    'hex',
  );
  contents.writeUInt16LE(width, 6);
  contents.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', contents);
}

export function lossless({ width = 1, height = 1 } = {}): Bytes {
  const contents = Buffer.from('2f000000000710111188', 'hex');
  contents.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webpChunk('VP8L', contents);
}

export function extended({ width = 1, height = 1, flags = 0 } = {}): Bytes {
  const contents = Buffer.alloc(10);
  contents.writeUInt8(flags, 0);
  contents.writeUIntLE(width - 1, 4, 3);
  contents.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', contents);
}
