// How jobs and their answers cross between the thread that serves requests and its writer thread: the numbers of
// all jobs of a message side by side, and each job in the form that its service gives it. What copies messages
// between threads takes several times as long for an object as for the texts in it.
import type { AnswerMessage, JobMessage, SentAnswers, SentJobs } from './messages.ts';

/** The forms in which jobs and answers cross; plain values only. */
export interface Crossing<Job, Answer> {
  readonly sendJob: (job: Job) => unknown;
  /** The job of which `sendJob` made this. */
  readonly receiveJob: (sent: unknown) => Job;
  readonly sendAnswer: (answer: Answer) => unknown;
  /** The answer of which `sendAnswer` made this. */
  readonly receiveAnswer: (sent: unknown) => Answer;
}

/** Jobs and answers cross as they are. */
export function crossUnchanged<Job, Answer>(): Crossing<Job, Answer> {
  return {
    sendJob: (job) => job,
    receiveJob: (sent) => sent as Job,
    sendAnswer: (answer) => answer,
    receiveAnswer: (sent) => sent as Answer,
  };
}

/** Id, weight and `dueMs`. */
const NUMBERS_PER_JOB = 3;

export function sendJobs<Job>(
  messages: readonly JobMessage<Job>[],
  { sendJob }: Pick<Crossing<Job, never>, 'sendJob'>,
): SentJobs {
  const numbers: number[] = [];
  for (const { id, weight, dueMs } of messages) numbers.push(id, weight, dueMs);
  return { numbers, jobs: messages.map(({ job }) => sendJob(job)) };
}

export function receiveJobs<Job>(
  { numbers, jobs }: SentJobs,
  { receiveJob }: Pick<Crossing<Job, never>, 'receiveJob'>,
): readonly JobMessage<Job>[] {
  return jobs.map((sent, index) => {
    const [id = 0, weight = 0, dueMs = 0] = numbers.slice(
      index * NUMBERS_PER_JOB,
      (index + 1) * NUMBERS_PER_JOB,
    );
    return { id, weight, dueMs, job: receiveJob(sent) };
  });
}

export function sendAnswers<Answer>(
  messages: readonly AnswerMessage<Answer>[],
  { sendAnswer }: Pick<Crossing<never, Answer>, 'sendAnswer'>,
): SentAnswers {
  const ids = messages.map(({ id }) => id);
  const answers = messages.map((message) =>
    'answer' in message ? sendAnswer(message.answer) : undefined,
  );
  const failures = messages.map((message) => ('failure' in message ? message.failure : undefined));
  const hasFailed = failures.some((failure) => failure !== undefined);
  return hasFailed ? { ids, answers, failures } : { ids, answers };
}

export function receiveAnswers<Answer>(
  { ids, answers, failures }: SentAnswers,
  { receiveAnswer }: Pick<Crossing<never, Answer>, 'receiveAnswer'>,
): readonly AnswerMessage<Answer>[] {
  return ids.map((id, index) => {
    const failure = failures?.[index];
    return failure === undefined ? { id, answer: receiveAnswer(answers[index]) } : { id, failure };
  });
}
