// What a reader sees when a page cannot be shown: what happened, and what to do.
import { buildPersonCheck } from '@lothub/kit/http/answer-form';
import { html } from '@lothub/kit/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type Problem, type ProblemCode } from '../errors.ts';
import { layOutAlone, readyPage, type Page } from './layout.ts';

interface Words {
  readonly title: string;
  readonly advice: string;
}

const LOST: Words = {
  title: 'There is nothing here',
  advice: 'It was deleted, or it belongs to a group that you are not in.',
};

/** Where the words of the problem itself are made for programs. */
const WORDS: Partial<Record<ProblemCode, Words>> = {
  not_found: LOST,
  address_malformed: LOST,
  fields_invalid: {
    title: 'This address cannot be understood',
    advice: 'Start again from your inbox.',
  },
  owner_only: {
    title: 'For owners of the group',
    advice: 'Only an owner of the group may see or do this. Ask one of them.',
  },
  link_used_up: {
    title: 'This link is no longer good',
    advice: 'It was used, has expired or was withdrawn. Ask for a new one.',
  },
  cross_site_refused: {
    title: 'This did not come from a page of this service',
    advice: 'For your safety it was not done. Go to your inbox and do it there.',
  },
  rate_limited: {
    title: 'Too many requests',
    advice: 'Wait a minute, then go on.',
  },
  unavailable: {
    title: 'Nothing was stored',
    advice: 'The service cannot write at the moment. Go back and try again in a minute.',
  },
  outcome_unknown: {
    title: 'It may be stored or not',
    advice:
      'The database did not say whether it was done. Look whether it was, before trying again.',
  },
  internal: {
    title: 'This page cannot be shown now',
    advice: 'The service could not answer. Try again in a minute.',
  },
};

/** Below `/api` no answer is for a person. */
const FOR_PROGRAMS = /^\/(?:api|health|ready|metrics)(?=[/?#]|$)/;

/** Whether the answer to a failed request is for a person. */
export const isForPerson = buildPersonCheck(FOR_PROGRAMS);

/** Headers and text of the page of a problem, for an answer to a request that wants a page. */
export function answerWithErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): string {
  void reply.code(PROBLEMS[problem.code].status).headers(problem.headers);
  return readyPage(reply, layOutAlone(errorPage(problem, request.id)));
}

function errorPage(problem: Problem, requestId: string): Page {
  const words = WORDS[problem.code] ?? {
    title: PROBLEMS[problem.code].title,
    advice: problem.message,
  };
  return {
    title: words.title,
    body: html`<div class="card">
      <h1>${words.title}</h1>
      <p>${words.advice}</p>
      <p><a class="button" href="/inbox">To the inbox</a></p>
      <p class="hint">Request ${requestId}</p>
    </div>`,
  };
}
