// The compilers of schemas of a Fastify app, which compile each schema when a request first needs it.
import type { FastifySchema, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { compileAnswerSchema } from './answer-serializers.ts';
import { atFirstCall } from './at-first-call.ts';
import { compileRequestSchema } from './request-validation.ts';

export const validatorAtFirstRequest: FastifySchemaCompiler<FastifySchema> = (route) =>
  atFirstCall(() => compileRequestSchema(route));

/** For routes that check their bodies themselves. */
export const compileAllButBody: FastifySchemaCompiler<FastifySchema> = (route) =>
  route.httpPart === 'body' ? () => true : validatorAtFirstRequest(route);

export const serializerAtFirstRequest: FastifySerializerCompiler<FastifySchema> = (route) =>
  atFirstCall(() => compileAnswerSchema(route));
