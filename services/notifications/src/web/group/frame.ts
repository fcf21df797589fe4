// What the pages of one group share beside its inbox: the heading and the way between them.
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Group } from '../../groups/groups.ts';
import { icon } from '@lothub/design/icons';
import { message, said } from '../fragments.ts';
import type { Page } from '../layout.ts';

export type GroupTab = 'settings' | 'webhooks' | 'audit';

const TABS: readonly (readonly [tab: GroupTab, label: string])[] = [
  ['settings', 'Settings'],
  ['webhooks', 'Webhooks'],
  ['audit', 'Audit'],
];

export interface GroupPage {
  readonly group: Group;
  readonly tab: GroupTab;
  readonly title: string;
  readonly done?: string | undefined;
  /** Why what was asked for was not done. */
  readonly problem?: string | undefined;
  readonly body: HtmlValue;
}

export function groupPath(groupId: string, tab?: GroupTab): string {
  const path = `/inbox/groups/${groupId}`;
  return tab === undefined ? path : `${path}/${tab}`;
}

export function groupPage(page: GroupPage): Page {
  const { group, title, done, problem } = page;
  return {
    title: `${title} · ${group.name}`,
    current: group.id,
    body: html`
      <div class="heading">
        <div>
          <h1>${said(group.name)}</h1>
          <p class="summary">${title}</p>
        </div>
        <a class="button quiet" href="${groupPath(group.id)}">${icon('inbox')}To the inbox</a>
      </div>
      ${tabs(page)} ${done === undefined ? '' : message('good', done)}
      ${problem === undefined ? '' : message('bad', problem, 'alert')} ${page.body}
    `,
  };
}

/** A member sees the settings alone, without what only owners do. */
function tabs({ group, tab }: GroupPage): Html {
  if (group.role !== 'owner') return html``;
  return html`<nav class="tabs" aria-label="Of this group">
    ${TABS.map(
      ([name, label]) =>
        html`<a href="${groupPath(group.id, name)}" ${name === tab ? html`aria-current="page"` : ''}
          >${label}</a
        > `,
    )}
  </nav>`;
}
