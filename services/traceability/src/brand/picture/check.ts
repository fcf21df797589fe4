// Whether bytes are a picture that is served: PNG, JPEG or WebP by what they are and not by what they are called,
// whole, of one frame, of a size that browsers draw, with nothing behind it and no markup in what it says of
// itself. The bytes stay as they are.
import { PictureFault, type Picture } from './fault.ts';
import { isJpeg, readJpeg } from './jpeg.ts';
import { isPng, readPng } from './png.ts';
import { isWebp, readWebp } from './webp.ts';

/** Bytes of a picture. */
export const PICTURE_BYTES_MAX = 500_000;
/** Pixels of each side: what the weakest phones draw. */
export const PICTURE_SIDE_MAX = 4_096;

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

interface Format {
  readonly isFormat: (bytes: Buffer) => boolean;
  /** @throws PictureFault */
  readonly read: (bytes: Buffer) => Picture;
}

const FORMATS: Readonly<Record<PictureType, Format>> = {
  'image/png': { isFormat: isPng, read: readPng },
  'image/jpeg': { isFormat: isJpeg, read: readJpeg },
  'image/webp': { isFormat: isWebp, read: readWebp },
};

/** The beginning of a start tag that would turn the text into a page. */
const MARKUP = /<(?:!doctype|script|html|head|body|svg|iframe|object|embed|img|\?php)/i;

/** By the first bytes; undefined: none that is served. */
export function findPictureType(bytes: Buffer): PictureType | undefined {
  return PICTURE_TYPES.find((type) => FORMATS[type].isFormat(bytes));
}

/** @throws PictureFault with a sentence that says what is wrong */
export function checkPicture(bytes: Buffer, type: PictureType): void {
  const { width, height, texts } = FORMATS[type].read(bytes);
  if (![width, height].every((side) => side >= 1 && side <= PICTURE_SIDE_MAX)) {
    throw new PictureFault(`Each side should have 1 to ${PICTURE_SIDE_MAX} pixels`);
  }
  if (texts.some((text) => MARKUP.test(text.toString('latin1')))) {
    throw new PictureFault('What the picture says of itself should not contain markup');
  }
}
