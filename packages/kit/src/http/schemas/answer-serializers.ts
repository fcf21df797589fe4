// The serializers of a Fastify app: one for each schema of an answer, however many routes answer so.
// Most answers of a service are refusals, whose schemas all routes share.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchema, FastifySerializerCompiler } from 'fastify';

type Serialize = (answer: unknown) => string;

const compile = SerializerSelector()();
/** By the schema itself: it lives as long as the routes that name it. */
const compiled = new WeakMap<object, Serialize>();

export const compileAnswerSchema: FastifySerializerCompiler<FastifySchema> = (route) => {
  const known = compiled.get(route.schema);
  if (known !== undefined) return known;
  const serialize: Serialize = compile({ ...route, httpStatus: route.httpStatus ?? 'default' });
  compiled.set(route.schema, serialize);
  return serialize;
};
