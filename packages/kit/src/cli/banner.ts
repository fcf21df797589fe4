// What a service says once when it is ready: its version and address, what each part of it has to say,
// and how it ends.

/** @param facts.lines what there is to see and to try, line by line */
export function bannerText(facts: {
  readonly version: string;
  readonly address: string;
  readonly lines: readonly string[];
}): string {
  return [
    `Lothub ${facts.version} is listening on ${facts.address}`,
    ...facts.lines,
    '',
    'Ctrl-C stops the service. Its log follows.',
    '',
  ].join('\n');
}
