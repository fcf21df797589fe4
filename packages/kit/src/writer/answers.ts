// The answers of a writer, by the kind of the job.

export type AnswerOf<Answers> = {
  readonly [Kind in keyof Answers]: { readonly kind: Kind; readonly answer: Answers[Kind] };
}[keyof Answers];

/**
 * What was answered to a job of this kind.
 * @throws Error when the answer is to another one
 */
export function answerTo<Answers, Kind extends keyof Answers & string>(
  kind: Kind,
  given: { readonly kind: keyof Answers & string; readonly answer: Answers[keyof Answers] },
): Answers[Kind] {
  if (given.kind !== kind) throw new Error(`the writer answered ${given.kind} to ${kind}`);
  return given.answer as Answers[Kind];
}
