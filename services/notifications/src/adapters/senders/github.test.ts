// What becomes of the payloads that GitHub documents, each of them: which are posted, with which title, severity
// and link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { readGitHubExamples, type GitHubExample } from '../../../test/adapters/github-examples.ts';
import { IngestSchema, type IngestBody } from '../../ingest/ingest-schema.ts';
import { membersAt, textAt } from '../members.ts';
import { GITHUB } from './github.ts';

/** A broken package would make every test below true. */
const EXAMPLES_MIN = 300;
const EXAMPLES = readGitHubExamples();

function readExample({ event, payload }: GitHubExample): IngestBody | undefined {
  const posts = GITHUB.readPosts({
    headers: { 'x-github-event': event },
    mediaType: 'application/json',
    bytes: Buffer.alloc(0),
    json: payload,
  });
  assert.ok(posts.length <= 1);
  return posts[0]?.content;
}

function nameOfExample({ event, payload }: GitHubExample): string {
  return [event, textAt(payload, 'action')].filter((part) => part !== undefined).join(' ');
}

test('every documented example is read, and what is posted of it fits the interface', () => {
  const check = compileValueSchema<IngestBody>(IngestSchema);

  const contents = EXAMPLES.map(readExample).filter((content) => content !== undefined);

  assert.ok(EXAMPLES.length >= EXAMPLES_MIN, `${EXAMPLES.length}`);
  assert.ok(contents.every((content) => check(content).kind === 'valid'));
});

test('a ping, and a run that has not ended, are all that is not posted', () => {
  const unposted = EXAMPLES.filter((one) => readExample(one) === undefined).map(nameOfExample);

  assert.deepEqual([...new Set(unposted)].sort(), [
    'check_run created',
    'check_run requested_action',
    'check_run rerequested',
    'check_suite requested',
    'check_suite rerequested',
    'ping',
    'workflow_job in_progress',
    'workflow_job queued',
    'workflow_job waiting',
    'workflow_run requested',
  ]);
});

test('each title begins with its repository or organisation, and says more than the event', () => {
  const poor = EXAMPLES.flatMap((example) => {
    const content = readExample(example);
    const place =
      textAt(example.payload, 'repository', 'full_name') ??
      textAt(example.payload, 'organization', 'login') ??
      'GitHub';
    const isRich = content === undefined || /^\S+: \S+ \S/.test(content.title);
    return content === undefined || (content.title.startsWith(place) && isRich)
      ? []
      : [nameOfExample(example)];
  });

  // GitHub says nothing of these but that they happened.
  assert.deepEqual([...new Set(poor)].sort(), ['public']);
});

test('the link is a page of what it is about, wherever GitHub gives one', () => {
  const links = EXAMPLES.flatMap((example) => {
    const content = readExample(example);
    const given = membersAt(example.payload, example.event)['html_url'];
    return content === undefined || typeof given !== 'string' ? [] : [[content.url, given]];
  });

  assert.ok(links.length > 100, `${links.length}`);
  for (const [link, given] of links) assert.equal(link, given);
});

/** Of the first example of each event and action. */
const READ_AS: readonly (readonly [string, string, IngestBody['severity'], string | undefined])[] =
  [
    [
      'check_run completed',
      'Codertocat/Hello-World: Octocoders-linter failure on changes',
      'warning',
      'https://github.com/Codertocat/Hello-World/runs/128620228',
    ],
    [
      'check_suite completed',
      'Codertocat/Hello-World: octocoders-linter success on changes',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'code_scanning_alert reopened',
      'Codertocat/Hello-World: code scanning alert reopened: Add the frozen_string_literal comment to the top of files to help…',
      'info',
      'https://github.com/Codertocat/Hello-World/security/code-scanning/10',
    ],
    [
      'code_scanning_alert closed_by_user',
      'Codertocat/Hello-World: code scanning alert closed by user: CVE-2020-27218 Severity=Medium Package=http2-hpack Version=…',
      'info',
      'https://github.com/Codertocat/Hello-World/security/code-scanning/10',
    ],
    [
      'code_scanning_alert created',
      'Codertocat/Hello-World: code scanning alert created: Query built from user-controlled sources',
      'critical',
      'https://github.com/Codertocat/Hello-World/security/code-scanning/10',
    ],
    [
      'commit_comment created',
      'Codertocat/Hello-World: commit comment created',
      'info',
      'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246#commitcomment-33548674',
    ],
    [
      'create',
      'Codertocat/Hello-World: created tag simple-tag',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'delete',
      'Codertocat/Hello-World: deleted tag simple-tag',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'dependabot_alert fixed',
      'octocat/hello-world: dependabot alert fixed: Insertion of Sensitive Information into Log File in ansible',
      'info',
      'https://github.com/octocat/hello-world/security/dependabot/1',
    ],
    [
      'dependabot_alert created',
      'wolfy1339/pika-pack: dependabot alert created: semver vulnerable to Regular Expression Denial of Service',
      'warning',
      'https://github.com/wolfy1339/pika-pack/security/dependabot/20',
    ],
    [
      'deployment created',
      'Codertocat/Hello-World: deployment created: production',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'deployment_status created',
      'Codertocat/Hello-World: deployment status success: production',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'discussion created',
      'octo-org/octo-repo: discussion created: Welcome to discussions!',
      'info',
      'https://github.com/octo-org/octo-repo/discussions/90',
    ],
    [
      'discussion_comment created',
      'octo-org/octo-repo: discussion comment created: Welcome to discussions!',
      'info',
      'https://github.com/octo-org/octo-repo/discussions/90#discussioncomment-544078',
    ],
    [
      'fork',
      'Codertocat/Hello-World: fork: Hello-World',
      'info',
      'https://github.com/Octocoders/Hello-World',
    ],
    [
      'gollum',
      'Codertocat/Hello-World: wiki page edited: Home',
      'info',
      'https://github.com/Codertocat/Hello-World/wiki/Home',
    ],
    [
      'installation deleted',
      'GitHub: installation deleted',
      'info',
      'https://github.com/settings/installations/2',
    ],
    [
      'issue_comment created',
      'Codertocat/Hello-World#1: issue comment created: Spelling error in the README file',
      'info',
      'https://github.com/Codertocat/Hello-World/issues/1#issuecomment-492700400',
    ],
    [
      'issues edited',
      'Codertocat/Hello-World#1: issues edited: Spelling error in the README file',
      'info',
      'https://github.com/Codertocat/Hello-World/issues/1',
    ],
    [
      'milestone created',
      'Codertocat/Hello-World: milestone created: v1.0',
      'info',
      'https://github.com/Codertocat/Hello-World/milestone/1',
    ],
    ['organization member_added', 'Octocoders: organization member added', 'info', undefined],
    [
      'package published',
      'Codertocat/hello-world-npm: package published: hello-world-npm',
      'info',
      'https://github.com/Codertocat/hello-world-npm/packages/10696',
    ],
    [
      'page_build',
      'Codertocat/Hello-World: page build built',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'project_card created',
      'Codertocat/Hello-World: project card created',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'public',
      'Codertocat/Hello-World: public',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'pull_request opened',
      'Codertocat/Hello-World#2: pull request opened: Update the README with new information.',
      'info',
      'https://github.com/Codertocat/Hello-World/pull/2',
    ],
    [
      'pull_request closed',
      'Codertocat/Hello-World#2: pull request closed: Update the README with new information.',
      'info',
      'https://github.com/Codertocat/Hello-World/pull/2',
    ],
    [
      'pull_request_review submitted',
      'Codertocat/Hello-World#2: pull request review commented: Update the README with new information.',
      'info',
      'https://github.com/Codertocat/Hello-World/pull/2#pullrequestreview-237895671',
    ],
    [
      'pull_request_review_comment created',
      'Codertocat/Hello-World#2: pull request review comment created: Update the README with new information.',
      'info',
      'https://github.com/Codertocat/Hello-World/pull/2#discussion_r284312630',
    ],
    [
      'pull_request_review_thread resolved',
      'octo-org/octo-repo#118: pull request review thread resolved: Create issue-comment',
      'info',
      'https://github.com/octo-org/octo-repo/pull/118',
    ],
    [
      'push',
      'Codertocat/Hello-World: created simple-tag',
      'info',
      'https://github.com/Codertocat/Hello-World/compare/simple-tag',
    ],
    [
      'release published',
      'Codertocat/Hello-World: release published: 0.0.1',
      'info',
      'https://github.com/Codertocat/Hello-World/releases/tag/0.0.1',
    ],
    [
      'repository publicized',
      'Codertocat/Hello-World: repository publicized: Hello-World',
      'info',
      'https://github.com/Codertocat/Hello-World',
    ],
    [
      'repository_vulnerability_alert create',
      'Codertocat/Hello-World: repository vulnerability alert create: rack',
      'warning',
      'https://nvd.nist.gov/vuln/detail/CVE-2018-16470',
    ],
    [
      'repository_vulnerability_alert dismiss',
      'Codertocat/Hello-World: repository vulnerability alert dismiss: many_versioned_gem',
      'info',
      'https://nvd.nist.gov/vuln/detail/CVE-2018-3728',
    ],
    [
      'security_advisory published',
      'GitHub: security advisory published: Moderate severity vulnerability that affects django',
      'warning',
      'https://nvd.nist.gov/vuln/detail/CVE-2018-6188',
    ],
    [
      'security_advisory withdrawn',
      'GitHub: security advisory withdrawn: Withdrawn: Arbitrary Code Execution in static-eval',
      'info',
      'https://nvd.nist.gov/vuln/detail/CVE-2021-23334',
    ],
    [
      'status',
      'Codertocat/Hello-World: default success on master',
      'info',
      'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
    ],
    [
      'workflow_job completed',
      'Codertocat/Hello-World: linters failure on main',
      'warning',
      'https://github.com/octo-org/octo-repo/runs/1291536064',
    ],
    [
      'workflow_run completed',
      'Codertocat/Hello-World: Manually triggered workflow completed on main',
      'info',
      'https://github.com/octo-org/octo-repo/actions/runs/1589141559',
    ],
  ];

for (const [name, title, severity, url] of READ_AS) {
  test(`${name} is read as a person would say it`, () => {
    const example = EXAMPLES.find((one) => nameOfExample(one) === name);

    const content = example && readExample(example);

    assert.deepEqual([content?.title, content?.severity, content?.url], [title, severity, url]);
  });
}
