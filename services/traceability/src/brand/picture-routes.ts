// Pictures of products: PUT and DELETE /v1/products/{sku}/picture, and the address where everybody reads them.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { compileAllButBody } from '@lothub/kit/http/schemas/compilers';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { Refusal } from '../errors.ts';
import {
  NOT_FOUND,
  PUBLIC_ERRORS,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { PICTURE_BYTES_MAX, PICTURE_TYPES, findPictureType } from './picture/check.ts';
import { readPicture } from './picture/read-picture.ts';
import { noSuchProduct, productAnswer, setPicture } from './products.ts';
import { findPicture, findProduct } from './queries.ts';
import { PictureBodySchema, PictureParams, ProductParams, ProductSchema } from './schema.ts';

/** A year: the bytes of an address never change. */
const KEPT = 'public, max-age=31536000, immutable';
/** Whatever a browser takes the bytes for, it runs and loads nothing. */
const POLICY = "default-src 'none'; sandbox";

interface PictureDeps {
  readonly store: LedgerStore;
  readonly clock: Clock;
  readonly publicUrl: string;
}

export function productPictureRoutes(app: App, deps: PictureDeps): void {
  const { reader } = deps.store;
  const readAnswer = async (subject: { readonly tenantId: string; readonly sku: string }) => {
    const found = await findProduct(reader, subject);
    if (found === undefined) throw noSuchProduct();
    return productAnswer(found, deps.publicUrl);
  };

  // A scope of its own: no other route shall take other bodies than JSON.
  app.register((files: App, _options: object, done: () => void) => {
    takeBytes(files);
    files.put(
      '/v1/products/:sku/picture',
      {
        config: { keyNeeds: 'all' },
        bodyLimit: PICTURE_BYTES_MAX,
        validatorCompiler: compileAllButBody,
        schema: {
          tags: ['Brand'],
          operationId: 'setProductPicture',
          summary: 'Set the picture that consumers are shown of a product',
          description:
            'The body is the file itself, which is kept as it is, with whatever it says of itself, and ' +
            'served to everybody. Its bytes must be a PNG, JPEG or WebP, anything else is a 415.',
          security: V1_SECURITY,
          params: ProductParams,
          consumes: [...PICTURE_TYPES],
          body: PictureBodySchema,
          response: { 200: ProductSchema, ...NOT_FOUND, ...TOO_LARGE, ...V1_ERRORS },
        },
      },
      async (request) => {
        const { tenantId, params } = request;
        const subject = { tenantId, sku: params.sku, caller: buildCaller(request) };
        await setPicture(deps, subject, readPicture(request.body));
        return await readAnswer(subject);
      },
    );
    done();
  });

  app.delete(
    '/v1/products/:sku/picture',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Brand'],
        operationId: 'removeProductPicture',
        summary: 'Show consumers no picture of a product',
        description: 'Its bytes are deleted when no other product has the same.',
        security: V1_SECURITY,
        params: ProductParams,
        response: { 200: ProductSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { tenantId, params } = request;
      const subject = { tenantId, sku: params.sku, caller: buildCaller(request) };
      await setPicture(deps, subject, undefined);
      return await readAnswer(subject);
    },
  );
}

export function publicPictureRoutes(
  app: App,
  { database }: { readonly database: DatabaseReader },
): void {
  app.get(
    '/public/pictures/:sha256',
    {
      schema: {
        tags: ['Public'],
        operationId: 'getPicture',
        summary: 'A picture of a product',
        description:
          'The bytes of an address never change; a picture that no product has is a 404.',
        params: PictureParams,
        response: {
          200: {
            description: 'The bytes of the file',
            content: Object.fromEntries(
              PICTURE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
            ),
          },
          ...NOT_FOUND,
          ...PUBLIC_ERRORS,
        },
      },
    },
    async ({ params: { sha256 } }, reply) => {
      const stored = await findPicture(database, sha256);
      if (stored === undefined) throw new Refusal('not_found', 'There is no picture of this hash');
      const bytes = Buffer.from(stored);
      const type = findPictureType(bytes);
      // The verifier reports it. Bytes that were not sealed are never shown.
      if (type === undefined || sha256Bytes(bytes).toHex() !== sha256) {
        throw new Error('reading a picture: the stored bytes are not those of its hash');
      }
      return await reply
        .headers({
          'Cache-Control': KEPT,
          'Content-Security-Policy': POLICY,
          'X-Content-Type-Options': 'nosniff',
          'Cross-Origin-Resource-Policy': 'cross-origin',
          ETag: `"${sha256}"`,
        })
        .type(type)
        .send(bytes);
    },
  );
}

/** Reads any body as bytes; the type of the picture is found in the bytes. */
function takeBytes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}
