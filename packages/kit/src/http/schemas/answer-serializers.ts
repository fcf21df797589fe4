// The serializers of a Fastify app: one for each schema of an answer, however many routes answer so.
// Most answers of a service are refusals, whose schemas all routes share.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchema, FastifySerializerCompiler } from 'fastify';
import { oncePerText } from './once-per-text.ts';
import { withPlainUnions } from './plain-unions.ts';

type Serialize = (answer: unknown) => string;

const compile = SerializerSelector()();
/** Who answers so does not matter to the compiler. */
const ANY_ROUTE = { method: 'GET', url: '/', httpStatus: 'default' } as const;

export const compileAnswerSchema: FastifySerializerCompiler<FastifySchema> = (route) =>
  compileOnce(route.schema);

const compileOnce = oncePerText((schema: FastifySchema): Serialize =>
  compile({ ...ANY_ROUTE, schema: withPlainUnions({ ...schema }) }),
);
