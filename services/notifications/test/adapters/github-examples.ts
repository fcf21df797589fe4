// The payloads that GitHub documents, word for word, as the package @octokit/webhooks-examples has them (MIT).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listAt, textAt } from '../../src/adapters/members.ts';

export interface GitHubExample {
  /** As `X-GitHub-Event` has it. */
  readonly event: string;
  readonly payload: unknown;
}

/** Without the package's types, which describe each payload and take seconds to check. */
export function readGitHubExamples(): readonly GitHubExample[] {
  const path = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'));
  const events: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return listAt({ events }, 'events').flatMap((one) =>
    listAt(one, 'examples').map((payload) => ({ event: textAt(one, 'name') ?? '', payload })),
  );
}
