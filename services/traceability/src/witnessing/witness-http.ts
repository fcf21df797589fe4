// Requests to a witness, which may hang, redirect, or answer without an end: within a time, without
// following a redirect, and with a limit on the body.
import { textOfUtf8 } from '@lothub/chain/log';
import { AnswerTooLarge, readAnswer } from '@lothub/kit/http/answer-body';
import type { WitnessAnswer } from './witness-answers.ts';

/** For an exchange with all its repetitions. */
export const EXCHANGE_TIMEOUT_MS = 5_000;
/** A checkpoint with 16 lines has 4 kB. */
export const ANSWER_BYTES_MAX = 10_240;

export interface WitnessResponse {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

/** What went wrong before there was an answer to judge. */
export class WitnessFailure extends Error {
  readonly answer: Extract<WitnessAnswer, 'timed_out' | 'unreachable' | 'invalid'>;

  constructor(answer: WitnessFailure['answer'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WitnessFailure';
    this.answer = answer;
  }
}

/** @throws WitnessFailure */
export async function sendToWitness(request: {
  readonly url: string;
  /** Sent with POST; without it the request is a GET. */
  readonly body?: string;
  readonly signal: AbortSignal;
}): Promise<WitnessResponse> {
  const { url, body, signal } = request;
  try {
    const response = await fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      redirect: 'manual',
      signal,
    });
    return {
      status: response.status,
      mediaType: response.headers.get('content-type') ?? '',
      body: await readBody(response),
    };
  } catch (error) {
    if (error instanceof WitnessFailure) throw error;
    if (error instanceof AnswerTooLarge) {
      throw new WitnessFailure('invalid', error.message, { cause: error });
    }
    throw toFailure(error, signal);
  }
}

function toFailure(error: unknown, signal: AbortSignal): WitnessFailure {
  if (signal.aborted) return new WitnessFailure('timed_out', 'no answer in time', { cause: error });
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return new WitnessFailure('unreachable', readReason(error), { cause: error });
  }
  return new WitnessFailure('unreachable', 'the connection broke', { cause: error });
}

function readReason({ cause }: Error): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection';
}

async function readBody(response: Response): Promise<string> {
  const body = await readAnswer(response, ANSWER_BYTES_MAX);
  try {
    return textOfUtf8(body);
  } catch (error) {
    throw new WitnessFailure('invalid', 'an answer that is not UTF-8', { cause: error });
  }
}
