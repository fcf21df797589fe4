// What a caller gets when the database cannot write, or something else goes wrong inside: never more
// than is known, and nothing of the inside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError, type DatabaseErrorCode } from '@lothub/kit/database';
import fastify from 'fastify';
import { PROBLEMS, PROBLEM_OF_DATABASE_ERROR, Problem, type ProblemCode } from './errors.ts';
import { installErrorAnswers } from './http-errors.ts';

const DATABASE_CODES = Object.keys(PROBLEM_OF_DATABASE_ERROR) as readonly DatabaseErrorCode[];
const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];
const INSIDE = 'the disk at /var/lib is away';

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function answerTo(error: Error): Promise<Answered> {
  await using app = fastify();
  installErrorAnswers(app);
  app.post('/', () => Promise.reject(error));
  const { statusCode, body, headers } = await app.inject({ method: 'POST', url: '/' });
  const json = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return { status: statusCode, body, json, headers };
}

for (const code of DATABASE_CODES) {
  const problem = PROBLEM_OF_DATABASE_ERROR[code];

  test(`${code} is answered as ${problem}, without a word of the inside`, async () => {
    const { status, body, json, headers } = await answerTo(new DatabaseError(code, INSIDE));

    assert.deepEqual([status, json['code']], [PROBLEMS[problem].status, problem]);
    assert.equal(headers['retry-after'], status === 503 ? '1' : undefined);
    assert.equal(body.includes('disk'), false, body);
    assert.equal(/nothing was stored/i.test(body), problem === 'unavailable', body);
    assert.equal(/may be stored or not/i.test(body), problem === 'outcome_unknown', body);
  });
}

test('anything unforeseen is a 500 that reveals nothing of itself', async () => {
  const { status, body, json } = await answerTo(new TypeError(INSIDE));

  assert.deepEqual([status, json['code']], [500, 'internal']);
  assert.equal(body.includes('disk'), false, body);
});

for (const code of PROBLEM_CODES) {
  test(`${code} is answered with its own status and title, as problem+json`, async () => {
    const { status, json, headers } = await answerTo(new Problem(code, 'A sentence'));

    assert.equal(status, PROBLEMS[code].status);
    assert.deepEqual(json, {
      type: `urn:problem-type:lothub:${code}`,
      title: PROBLEMS[code].title,
      status,
      code,
      detail: 'A sentence',
      request_id: headers['x-request-id'],
      errors: [],
    });
    assert.equal(headers['content-type'], 'application/problem+json');
  });
}

test('headers of a problem are sent with it', async () => {
  const problem = new Problem('rate_limited', 'Later', { headers: { 'Retry-After': '7' } });

  const { headers } = await answerTo(problem);

  assert.equal(headers['retry-after'], '7');
});
