// The part of a group's settings about escalation: after how many minutes a critical notification is sent on, and
// to which recipients.
import { html, type Html } from '@lothub/kit/html';
import type { Escalation } from '../../escalation/rules.ts';
import { AFTER_MINUTES } from '../../escalation/limits.ts';
import type { Group } from '../../groups/groups.ts';
import type { Member } from '../../groups/members.ts';
import { actionButton, choice, field, flag, message, renderProblem, said } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import { groupPath } from './frame.ts';

export interface EscalationView {
  /** undefined: nothing is escalated. */
  readonly rule: Escalation | undefined;
  readonly form: FormState;
  /** Those that are shown among the members of the page. */
  readonly members: readonly Pick<Member, 'account_id' | 'name'>[];
  /** Other groups that the person owns. */
  readonly groups: readonly Pick<Group, 'id' | 'name'>[];
}

/** Name of the field of one person, which a browser sends when it is checked. */
export const PERSON_FIELD = 'person_';

export function escalationPanel(group: Group, view: EscalationView): Html {
  const path = `${groupPath(group.id, 'settings')}/escalation`;
  const { rule, form } = view;
  return html`<section class="card" id="escalation" aria-labelledby="escalation-title">
    <h2 id="escalation-title">Escalation</h2>
    <p class="hint">
      A critical notification that nobody acknowledges in time goes on, once: to people on all of
      their devices and by mail, whatever they have muted, as a post into another group, or both.
    </p>
    ${rule === undefined ? '' : warnings(rule)} ${renderProblem(form)}
    <form method="post" action="${path}#escalation">
      <div class="fields">
        ${field({
          name: 'after_minutes',
          label: 'Minutes without acknowledgement',
          type: 'number',
          form,
          value: String(rule?.after_minutes ?? AFTER_MINUTES.default),
          min: AFTER_MINUTES.min,
          max: AFTER_MINUTES.max,
          required: true,
          scope: 'escalation',
        })}
        ${choice({
          name: 'to_group_id',
          label: 'Post into another group that you own',
          form,
          value: rule?.to_group?.id ?? '',
          scope: 'escalation',
          choices: groupChoices(view),
        })}
      </div>
      <fieldset class="ticks">
        <legend>People of this group</legend>
        ${problemAt(form, 'people')} ${listPeople(view).map((person) => personCheck(person, view))}
      </fieldset>
      <p><button type="submit">Save the escalation</button></p>
    </form>
    ${
      rule === undefined
        ? ''
        : actionButton({
            action: `${path}/remove`,
            label: 'Escalate nothing any more',
            kind: 'danger',
          })
    }
  </section>`;
}

function warnings({ people, to_group: toGroup }: Escalation): Html {
  const missed = people.filter(({ reachable }) => !reachable);
  return html`${
    people.length === 0 && toGroup === null
      ? message('bad', 'It goes to nobody: everybody who was named has left the group.')
      : ''
  }
  ${missed.map(({ name }) =>
    message(
      'note',
      html`${said(name)} has no active device and no mail: nothing that is escalated reaches this
      person.`,
    ),
  )}
  ${
    toGroup === null || toGroup.takes_posts
      ? ''
      : message(
          'bad',
          html`${said(toGroup.name)} takes nothing from here any more: its key for that was revoked.
          Save the escalation again to make another one.`,
        )
  }`;
}

/** The other group stays among the choices also when somebody else owns it. */
function groupChoices({ rule, groups }: EscalationView) {
  const current = rule?.to_group ?? undefined;
  const isMissing = current !== undefined && groups.every(({ id }) => id !== current.id);
  const all = isMissing ? [...groups, current] : groups;
  return [
    { value: '', label: 'None' },
    ...all.map(({ id: value, name: label }) => ({ value, label })),
  ];
}

interface Person {
  readonly account_id: string;
  readonly name: string;
}

/** The members of the page, and the people who are named already. */
function listPeople({ rule, members }: EscalationView): readonly Person[] {
  const named = rule?.people ?? [];
  const others = named.filter((one) => members.every((m) => m.account_id !== one.account_id));
  return [...members, ...others];
}

function personCheck({ account_id: id, name }: Person, { rule, form }: EscalationView): Html {
  const field = `${PERSON_FIELD}${id}`;
  const isNamed = rule?.people.some((one) => one.account_id === id) ?? false;
  const isChecked =
    form.problem === undefined && Object.keys(form.errors).length === 0
      ? isNamed
      : form.values[field] === 'true';
  return html`<p>
    <label class="check" for="escalation-${id}">
      <input
        id="escalation-${id}"
        type="checkbox"
        name="${field}"
        value="true"
        ${flag('checked', isChecked)}
      />
      ${said(name)}
    </label>
  </p>`;
}

function problemAt({ errors }: FormState, name: string): Html {
  const words = errors[name];
  return words === undefined ? html`` : message('bad', words, 'alert');
}
