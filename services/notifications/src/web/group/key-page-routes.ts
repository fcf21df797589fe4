// Keys of a group on pages: issuing, changing, rotating and revoking them.
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import type { Adapter } from '../../keys/key-prefix.ts';
import { OVERLAP_HOURS } from '../../keys/key-limits.ts';
import { KeyChangeSchema, KeyRotationSchema, NewKeySchema } from '../../keys/key-schema.ts';
import { changeKey, issueKey, revokeKey, rotateKey } from '../../keys/keys.ts';
import {
  checked,
  endOfDay,
  parseNumber,
  readFormValues,
  refusedForm,
  textOrNothing,
} from '../forms.ts';
import { sendRefused, sendSettings, submit } from './settings-answers.ts';
import type { WebDeps } from '../web-deps.ts';

const GroupParams = Type.Object({ group_id: Type.String() });
const KeyParams = Type.Object({ ...GroupParams.properties, key_id: Type.String() });

const checkNewKey = compileValueSchema<{
  name: string;
  expires_at: string | null;
  adapter?: Adapter;
}>(NewKeySchema);
const checkKeyChange = compileValueSchema<{ name: string; expires_at?: string | null }>(
  KeyChangeSchema,
);
const checkRotation = compileValueSchema<{ overlap_hours: number }>(KeyRotationSchema);

const KEYS = `${PAGES_PREFIX}/groups/:group_id/settings/keys`;

export function keyPageRoutes(app: App, deps: WebDeps): void {
  app.post(KEYS, { schema: { hide: true, params: GroupParams } }, async (request, reply) => {
    const values = readFormValues(request.body);
    const actor = toActor(getPerson(request));
    const groupId = request.params.group_id;
    try {
      const asked = checked(checkNewKey, {
        name: values['name'] ?? '',
        expires_at: endOfDay(values['expires_at']) ?? null,
        // The field is empty for a key that is for no adapter.
        adapter: textOrNothing(values['adapter']),
      });
      const issued = await issueKey(
        deps,
        { actor, groupId },
        {
          name: asked.name,
          expiresAt: asked.expires_at,
          adapter: asked.adapter,
        },
      );
      // No redirect: only this answer contains the key.
      return await sendSettings(deps, { request, reply }, { keys: { issued } });
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      const { form, status } = refused;
      return await sendSettings(deps, { request, reply }, { keys: { form }, status });
    }
  });

  const path = `${KEYS}/:key_id`;
  const schema = { hide: true, params: KeyParams };

  app.post(path, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    const actor = toActor(getPerson(request));
    const { group_id: groupId, key_id: keyId } = request.params;
    return await submit(deps, { request, reply }, values, {
      run: async () => {
        const asked = checked(checkKeyChange, {
          name: values['name'] ?? '',
          // A key that was rotated has no such field.
          ...('expires_at' in values ? { expires_at: endOfDay(values['expires_at']) ?? null } : {}),
        });
        await changeKey(
          deps,
          { actor, groupId, keyId },
          {
            name: asked.name,
            expiresAt: asked.expires_at,
          },
        );
      },
      done: 'key-saved',
    });
  });

  app.post(`${path}/rotate`, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    const actor = toActor(getPerson(request));
    const { group_id: groupId, key_id: keyId } = request.params;
    try {
      const { overlap_hours: overlapHours } = checked(checkRotation, {
        overlap_hours: parseNumber(values['overlap_hours']) ?? OVERLAP_HOURS.default,
      });
      const { issued } = await rotateKey(deps, { actor, groupId, keyId, overlapHours });
      return await sendSettings(deps, { request, reply }, { keys: { issued } });
    } catch (error) {
      return await sendRefused(deps, { request, reply }, error);
    }
  });

  app.post(`${path}/revoke`, { schema }, async (request, reply) => {
    const actor = toActor(getPerson(request));
    const { group_id: groupId, key_id: keyId } = request.params;
    return await submit(
      deps,
      { request, reply },
      {},
      {
        run: () => revokeKey(deps, { actor, groupId, keyId }),
        done: 'key-revoked',
      },
    );
  });
}
