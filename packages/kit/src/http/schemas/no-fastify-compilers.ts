// Keeps Fastify from loading its own compilers of schemas: a service sets others, and a front needs none.

/** The option `schemaController` of an app that has no schemas, or whose compilers are set. */
export const NO_FASTIFY_COMPILERS = {
  compilersFactory: { buildValidator: buildNone, buildSerializer: buildNone },
};

function buildNone(): never {
  throw new Error('Fastify compiles no schemas in this app');
}
