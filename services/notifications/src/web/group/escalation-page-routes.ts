// Setting and ending the escalation of a group on pages.
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { removeEscalation, setEscalation } from '../../escalation/rules.ts';
import { NewEscalationSchema } from '../../escalation/schema.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { checked, parseNumber, readFormValues, textOrNothing } from '../forms.ts';
import { PERSON_FIELD } from './escalation-panel.ts';
import { submit } from './settings-answers.ts';
import type { WebDeps } from '../web-deps.ts';

const GroupParams = Type.Object({ group_id: Type.String() });

const checkEscalation = compileValueSchema<{
  after_minutes: number;
  people: string[];
  to_group_id: string | null;
}>(NewEscalationSchema);

const ESCALATION = `${PAGES_PREFIX}/groups/:group_id/settings/escalation`;

export function escalationPageRoutes(app: App, deps: WebDeps): void {
  const schema = { hide: true, params: GroupParams };

  app.post(ESCALATION, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    const groupId = request.params.group_id;
    return await submit(deps, { request, reply }, values, {
      run: async () => {
        const asked = checked(checkEscalation, {
          after_minutes: parseNumber(values['after_minutes']) ?? '',
          people: Object.keys(values)
            .filter((name) => name.startsWith(PERSON_FIELD))
            .map((name) => name.slice(PERSON_FIELD.length)),
          to_group_id: textOrNothing(values['to_group_id']) ?? null,
        });
        await setEscalation(
          deps,
          { actor: toActor(getPerson(request)), groupId },
          {
            afterMinutes: asked.after_minutes,
            people: asked.people,
            toGroupId: asked.to_group_id,
          },
        );
      },
      done: 'escalation-saved',
      refused: (form) => ({ escalation: form }),
    });
  });

  app.post(`${ESCALATION}/remove`, { schema }, async (request, reply) => {
    const groupId = request.params.group_id;
    return await submit(
      deps,
      { request, reply },
      {},
      {
        run: () => removeEscalation(deps, { actor: toActor(getPerson(request)), groupId }),
        done: 'escalation-removed',
      },
    );
  });
}
