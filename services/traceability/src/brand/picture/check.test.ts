// What counts as a picture, and each thing that keeps bytes from being one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  extended,
  jpeg,
  jpegSegment,
  lossless,
  lossy,
  makeWebp,
  png,
  pngChunk,
  webpChunk,
} from '../../../test/brand/pictures.ts';
import { PICTURE_SIDE_MAX, checkPicture, findPictureType } from './check.ts';
import { PictureFault } from './fault.ts';

const NOTHING = Buffer.alloc(0);
const BEYOND = PICTURE_SIDE_MAX + 1;

const GOOD = [
  ['PNG', png()],
  ['PNG with what a program says', png({ beside: [pngChunk('tEXt', Buffer.from('Title\0Rye'))] })],
  ['PNG as large as allowed', png({ width: PICTURE_SIDE_MAX, height: 1 })],
  ['JPEG', jpeg()],
  ['progressive JPEG', jpeg({ frame: 0xc2 })],
  ['JPEG with what a camera says', jpeg({ beside: [jpegSegment(0xe1, Buffer.from('Exif\0\0'))] })],
  [
    'JPEG with filled markers',
    jpeg({ beside: [Buffer.from([0xff, 0xff]), jpegSegment(0xfe, NOTHING)] }),
  ],
  ['lossy WebP', makeWebp(lossy())],
  ['lossless WebP', makeWebp(lossless({ width: 300, height: 4_000 }))],
  ['extended WebP', makeWebp(extended(), webpChunk('ALPH', Buffer.from([0])), lossy())],
  [
    'WebP with what a camera says',
    makeWebp(extended(), lossy(), webpChunk('EXIF', Buffer.from('II'))),
  ],
] as const;

for (const [what, bytes] of GOOD) {
  test(`a ${what} is a picture`, () => {
    const type = findPictureType(bytes);

    assert.ok(type !== undefined);
    assert.doesNotThrow(() => checkPicture(bytes, type));
  });

  test(`a ${what} that is cut anywhere is none`, () => {
    for (let end = 0; end < bytes.length; end += 1)
      assert.ok(!isPicture(bytes.subarray(0, end)), `${end}`);
  });

  test(`a ${what} with a byte behind it is none`, () => {
    assert.throws(() => check(Buffer.concat([bytes, Buffer.from('\n')])), {
      message: 'There should be no bytes behind the picture',
    });
  });
}

const SCRIPT = Buffer.from('Comment\0<ScRipt>alert(1)</script>');
const MALFORMED = /are not well-formed$/;
const MARKUP = 'What the picture says of itself should not contain markup';
const ANIMATED = 'The picture should not be animated';
const SIDES = `Each side should have 1 to ${PICTURE_SIDE_MAX} pixels`;

/** The second chunk of a PNG without its last byte, the checksum of which is right. */
const BAD: readonly (readonly [string, Buffer, string | RegExp])[] = [
  ['PNG with markup in its texts', png({ beside: [pngChunk('tEXt', SCRIPT)] }), MARKUP],
  ['JPEG with markup in a comment', jpeg({ beside: [jpegSegment(0xfe, SCRIPT)] }), MARKUP],
  ['WebP with markup in its XMP', makeWebp(extended(), lossy(), webpChunk('XMP ', SCRIPT)), MARKUP],
  ['animated PNG', png({ beside: [pngChunk('acTL', Buffer.alloc(8))] }), ANIMATED],
  ['animated WebP', makeWebp(extended({ flags: 2 }), lossy()), ANIMATED],
  [
    'WebP with frames',
    makeWebp(extended(), webpChunk('ANMF', Buffer.alloc(24)), lossy()),
    ANIMATED,
  ],
  ['PNG that is too wide', png({ width: BEYOND, height: 1 }), SIDES],
  ['PNG of no height', png({ height: 0 }), SIDES],
  ['JPEG that is too high', jpeg({ height: BEYOND }), SIDES],
  ['lossy WebP that is too wide', makeWebp(lossy({ width: BEYOND })), SIDES],
  ['lossless WebP that is too high', makeWebp(lossless({ height: BEYOND })), SIDES],
  [
    'PNG with an unknown chunk that must be known',
    png({ beside: [pngChunk('ABCD', NOTHING)] }),
    MALFORMED,
  ],
  ['PNG with a second header', png({ beside: [pngChunk('IHDR', Buffer.alloc(13))] }), MALFORMED],
  [
    'PNG in two pieces',
    png({ beside: [pngChunk('IDAT', NOTHING), pngChunk('tIME', NOTHING)] }),
    MALFORMED,
  ],
  ['lossless JPEG', jpeg({ frame: 0xc3 }), 'Browsers do not draw this kind of JPEG'],
  ['JPEG with two frames', jpeg({ beside: [jpegSegment(0xc0, Buffer.alloc(9))] }), MALFORMED],
  ['WebP whose canvas is another size', makeWebp(extended({ width: 9 }), lossy()), MALFORMED],
  ['WebP with two pictures', makeWebp(extended(), lossy(), lossy()), MALFORMED],
  [
    'WebP with an unknown chunk',
    makeWebp(extended(), webpChunk('evil', SCRIPT), lossy()),
    MALFORMED,
  ],
  ['WebP without a picture', makeWebp(extended()), MALFORMED],
  [
    'simple WebP with more than its picture',
    makeWebp(lossy(), webpChunk('EXIF', SCRIPT)),
    MALFORMED,
  ],
];

for (const [what, bytes, message] of BAD) {
  test(`a ${what} is refused`, () => {
    assert.throws(() => check(bytes), { name: 'PictureFault', message });
  });
}

test('a flipped byte of a PNG is noticed, wherever it is', () => {
  const good = png();
  for (let at = 8; at < good.length; at += 1) {
    const bytes = Buffer.from(good);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);

    assert.ok(!isPicture(bytes), `${at}`);
  }
});

test('other files are no pictures', () => {
  for (const text of [
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF89a',
    '%PDF-1.7',
    '{}',
  ]) {
    assert.equal(findPictureType(Buffer.from(text)), undefined);
  }
});

test('bytes that begin like a picture are judged, whatever follows', () => {
  const starts = [
    png().subarray(0, 33),
    jpeg().subarray(0, 20),
    makeWebp(extended()).subarray(0, 30),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const bytes = Buffer.concat([start, rest]);
      try {
        check(bytes);
      } catch (error) {
        assert.ok(error instanceof PictureFault);
      }
    }),
  );
});

function check(bytes: Buffer): void {
  const type = findPictureType(bytes);
  if (type !== undefined) checkPicture(bytes, type);
}

function isPicture(bytes: Buffer): boolean {
  const type = findPictureType(bytes);
  if (type === undefined) return false;
  try {
    checkPicture(bytes, type);
    return true;
  } catch (error) {
    assert.ok(error instanceof PictureFault, String(error));
    return false;
  }
}
