// Jobs and answers that cross a thread together stay apart from each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossUnchanged, receiveAnswers, receiveJobs, sendAnswers, sendJobs } from './crossing.ts';
import type { Crossing } from './crossing.ts';
import type { AnswerMessage, JobMessage } from './messages.ts';

/** Jobs are texts and cross as numbers, answers the other way round. */
const CROSSING: Crossing<string, number> = {
  sendJob: (job) => Number(job),
  receiveJob: (sent) => String(sent),
  sendAnswer: (answer) => String(answer),
  receiveAnswer: (sent) => Number(sent),
};
const FAILURE = { code: 'database_busy', message: 'the server is away' } as const;

test('jobs come out with their own numbers, in the form of their service', () => {
  const messages: readonly JobMessage<string>[] = [
    { id: 1, weight: 3, dueMs: 0.25, job: '10' },
    { id: 2, weight: 1, dueMs: 9_000.5, job: '20' },
  ];

  const sent = sendJobs(messages, CROSSING);

  assert.deepEqual(sent.jobs, [10, 20]);
  assert.deepEqual(receiveJobs(structuredClone(sent), CROSSING), messages);
});

test('answers come out beside the refusals of their neighbours', () => {
  const answers: readonly AnswerMessage<number>[] = [
    { id: 1, answer: 10 },
    { id: 2, failure: FAILURE },
    { id: 3, answer: 30 },
  ];

  const sent = sendAnswers(answers, CROSSING);

  assert.deepEqual(sent.answers, ['10', undefined, '30']);
  assert.deepEqual(receiveAnswers(structuredClone(sent), CROSSING), answers);
});

test('without a form of their own jobs and answers cross as they are', () => {
  const crossing = crossUnchanged<object, object | undefined>();
  const jobs = [{ id: 1, weight: 1, dueMs: 2, job: { kind: 'write' } }];
  const answers = [
    { id: 1, answer: undefined },
    { id: 2, answer: { kind: 'write' } },
  ];

  assert.deepEqual(receiveJobs(structuredClone(sendJobs(jobs, crossing)), crossing), jobs);
  assert.deepEqual(
    receiveAnswers(structuredClone(sendAnswers(answers, crossing)), crossing),
    answers,
  );
});
