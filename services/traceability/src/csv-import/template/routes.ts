// GET /v1/import/template: the file that people fill in and import.
import { Type } from '@lothub/kit/json-schema';
import { V1_ERRORS, V1_SECURITY, type App } from '../../http.ts';
import { TEMPLATE_FORMATS, TEMPLATE_FORMAT_DEFAULT, type TemplateFormat } from './template.ts';

const FORMAT_WORDS = Object.keys(TEMPLATE_FORMATS) as TemplateFormat[];

const FileSchema = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });
const CONTENT: Readonly<Record<string, { readonly schema: typeof FileSchema }>> =
  Object.fromEntries(
    FORMAT_WORDS.map((word) => [getMediaType(word), { schema: FileSchema }] as const),
  );

/** Returns the media type without its parameters. */
function getMediaType(word: TemplateFormat): string {
  return TEMPLATE_FORMATS[word].mediaType.replace(/;.*$/, '');
}

export function importTemplateRoutes(app: App): void {
  app.get(
    '/v1/import/template',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Events'],
        operationId: 'getImportTemplate',
        summary: 'A file to fill in and import',
        description:
          'The names of the columns, an example row, and the words of the columns that take one of ' +
          'a closed list: in CSV within the notes of the example, in a workbook as a sheet of ' +
          'its own, whose words the cells offer.',
        security: V1_SECURITY,
        querystring: Type.Object({
          format: Type.Optional(Type.Enum(FORMAT_WORDS, { default: TEMPLATE_FORMAT_DEFAULT })),
        }),
        response: {
          200: {
            description: 'The file',
            content: CONTENT,
          },
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const format = TEMPLATE_FORMATS[request.query.format ?? TEMPLATE_FORMAT_DEFAULT];
      void reply.type(format.mediaType);
      void reply.header('Content-Disposition', `attachment; filename="${format.fileName}"`);
      return await reply.send(format.make());
    },
  );
}
