// What a caller is answered when the database cannot write: never more than is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError, type DatabaseErrorCode } from '@lothub/kit/database';
import fastify from 'fastify';
import { installErrorAnswers } from './http-errors.ts';
import { STATUS_OF_DATABASE_ERROR } from './errors.ts';

const codes = Object.keys(STATUS_OF_DATABASE_ERROR) as readonly DatabaseErrorCode[];

async function answerTo(code: DatabaseErrorCode): Promise<{ status: number; body: string }> {
  await using app = fastify();
  installErrorAnswers(app);
  app.post('/', () => Promise.reject(new DatabaseError(code, 'the disk is away')));
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/' });
  return { status: statusCode, body };
}

for (const code of codes.filter((one) => STATUS_OF_DATABASE_ERROR[one] === 503)) {
  const isKnown = code !== 'database_unsure';

  test(`${code} says that ${isKnown ? 'nothing was stored' : 'it may be stored or not'}`, async () => {
    const { status, body } = await answerTo(code);

    assert.equal(status, 503);
    assert.equal(body.includes('nothing was stored'), isKnown, body);
    assert.equal(body.includes('may be stored or not'), !isKnown, body);
  });
}

for (const code of codes.filter((one) => STATUS_OF_DATABASE_ERROR[one] !== 503)) {
  test(`${code} is a defect that reveals nothing of itself`, async () => {
    const { status, body } = await answerTo(code);

    assert.equal(status, 500);
    assert.equal(body.includes('disk'), false, body);
  });
}

for (const [name, cause, level] of [
  ['a full queue is logged as a warning without a stack', undefined, 40],
  ['a database that is away is logged as an error with its cause', new Error('refused'), 50],
] as const) {
  test(name, async () => {
    const lines: string[] = [];
    await using app = fastify({
      logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
    });
    installErrorAnswers(app);
    const options = cause === undefined ? {} : { cause };
    app.post('/', () => Promise.reject(new DatabaseError('database_busy', 'no room', options)));

    await app.inject({ method: 'POST', url: '/' });

    const [line = ''] = lines;
    assert.equal((JSON.parse(line) as { level: number }).level, level, line);
    assert.match(line, /no room/);
    assert.equal(line.includes('stack'), level === 50, line);
  });
}
