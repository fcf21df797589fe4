// The picture of a product: a form with a file, and its removal. A scope of its own, because no other form of these
// pages takes files.
import multipart from '@fastify/multipart';
import { EMPTY_FORM, type FormState } from '@lothub/design/desk-parts';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { PICTURE_BYTES_MAX, PICTURE_SIDE_MAX } from '../../../brand/picture/check.ts';
import { readPicture } from '../../../brand/picture/read-picture.ts';
import { setPicture } from '../../../brand/products.ts';
import { FieldsRefusal, Refusal } from '../../../errors.ts';
import type { App } from '../../../http.ts';
import type { Words } from '../../../web/words/reader.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { addForm } from '../../forms.ts';
import { prepareConsoleReader, type To } from '../../send.ts';
import { PICTURE_FIELD } from './product-page.ts';
import { productPath, readProduct, type ProductChanges } from './product-subject.ts';
import { redirectDone } from '../room-view.ts';

const BYTES_PER_KB = 1_000;
/** Bytes of a form around its file. */
const FORM_BYTES_MAX = 16_384;

export function pictureRoutes(
  app: App,
  deps: ConsoleDeps,
  page: {
    readonly route: string;
    readonly params: TSchema;
    readonly show: (to: To, changes: ProductChanges, status: number) => Promise<FastifyReply>;
  },
): void {
  const { route, params, show } = page;
  app.register(async (files: App) => {
    await files.register(multipart, {
      limits: { fileSize: PICTURE_BYTES_MAX, files: 1, fields: 0, parts: 1 },
      throwFileSizeLimit: false,
    });
    addForm(files, {
      path: route,
      right: 'products',
      params,
      show: (to, { problem }, status) =>
        show(to, { pictureForm: { ...EMPTY_FORM, problem } }, status),
      run: async (to) => {
        const { faults } = prepareConsoleReader(to.request, to.reply).words.console.profile;
        const received = await receivePicture(to, faults);
        if (typeof received === 'string')
          return await show(to, { pictureForm: said(received) }, 422);
        const outcome = await setPicture(deps, readProduct(to), received);
        const done = outcome === 'unchanged' ? 'nothing-changed' : 'picture-saved';
        return await redirectDone(to, productPath(to), done);
      },
    });
  });

  addForm(app, {
    path: `${route}/remove`,
    right: 'products',
    params,
    show: (to, { problem }, status) => show(to, { problem }, status),
    run: async (to) => {
      await setPicture(deps, readProduct(to), undefined);
      return await redirectDone(to, productPath(to), 'picture-removed');
    },
  });
}

function said(words: string): FormState {
  return { ...EMPTY_FORM, errors: { [PICTURE_FIELD]: words } };
}

/** The bytes of the picture, or what is wrong with them in words. */
async function receivePicture(
  { request, reply }: To,
  faults: Words['console']['profile']['faults'],
): Promise<Buffer | string> {
  const { formats } = prepareConsoleReader(request, reply);
  const tooLarge = faults.pictureLarge(formats.number(PICTURE_BYTES_MAX / BYTES_PER_KB));
  if (!request.isMultipart()) return faults.pictureNeeded;
  // A body that is too large is refused before it is read.
  const bodyBytes = Number(request.headers['content-length'] ?? 0);
  if (bodyBytes > PICTURE_BYTES_MAX + FORM_BYTES_MAX) return tooLarge;
  const file = await request.file();
  if (file === undefined || file.fieldname !== PICTURE_FIELD) return faults.pictureNeeded;
  const bytes = await file.toBuffer();
  if (file.file.truncated) return tooLarge;
  if (bytes.length === 0) return faults.pictureNeeded;
  try {
    return readPicture(bytes);
  } catch (error) {
    if (error instanceof Refusal) return faults.pictureKind;
    if (error instanceof FieldsRefusal) {
      return faults.pictureWrong(formats.number(PICTURE_SIDE_MAX));
    }
    throw error;
  }
}
