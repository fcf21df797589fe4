// The bytes of a picture out of what was sent, or why they are none.
import { FieldsRefusal, Refusal } from '../../errors.ts';
import { checkPicture, findPictureType } from './check.ts';
import { PictureFault } from './fault.ts';

/** @throws Refusal `media_type_unsupported`; FieldsRefusal */
export function readPicture(body: unknown): Buffer {
  const type = Buffer.isBuffer(body) ? findPictureType(body) : undefined;
  if (!Buffer.isBuffer(body) || type === undefined) {
    const message =
      'The body is no picture that is served: send the bytes of a PNG, JPEG or WebP file';
    throw new Refusal('media_type_unsupported', message);
  }
  try {
    checkPicture(body, type);
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    throw FieldsRefusal.of(['body'], error.message, 'picture_invalid');
  }
  return body;
}
