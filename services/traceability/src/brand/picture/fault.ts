// What reading a picture answers and throws, of any format.

export interface Picture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Parts that no picture is made of: what a camera or a program says of it. */
  readonly texts: readonly Buffer[];
}

/** Bytes that begin like a picture and are none; `message` is a sentence without what was sent. */
export class PictureFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PictureFault';
  }
}

export const CUT_SHORT = 'The picture ends in the middle';
export const TRAILING = 'There should be no bytes behind the picture';
export const NOT_ONE_FRAME = 'The picture should not be animated';
