// Devices and quiet hours on the page of one's own settings.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../../access/gate.ts';
import { DeviceChangeSchema, DeviceParams, QuietHoursSchema } from '../../devices/device-schema.ts';
import { changeDevice, removeDevice, testDevice } from '../../devices/devices.ts';
import { readReach, setQuietHours, type QuietHoursText } from '../../devices/preferences.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import type { Severity } from '../../store/post.ts';
import { withDone, type Done } from '../done.ts';
import { checked, readFormValues, refusedForm } from '../forms.ts';
import { sendMe } from './me-page-routes.ts';
import type { WebDeps } from '../web-deps.ts';
import { listDevices } from '../../devices/devices.ts';

const ME = `${PAGES_PREFIX}/me`;
const ONE = `${ME}/devices/:device_id`;

const checkDevice = compileValueSchema<{ name?: string; min_severity?: Severity }>(
  DeviceChangeSchema,
);
const checkQuietHours = compileValueSchema<QuietHoursText>(QuietHoursSchema);

type OfDevice = FastifyRequest<{ Params: { device_id: string } }>;

export function devicePageRoutes(app: App, deps: WebDeps): void {
  const schema = { hide: true, params: DeviceParams };
  const readKey = (request: OfDevice) => ({
    accountId: getPerson(request).accountId,
    deviceId: request.params.device_id,
  });
  /** Does something and leads back, or shows above the page why not. */
  const done = async (
    request: OfDevice,
    reply: FastifyReply,
    what: { readonly run: () => Promise<unknown>; readonly done: Done },
  ): Promise<FastifyReply> => {
    try {
      await what.run();
    } catch (error) {
      const refused = refusedForm(error, {});
      if (refused === undefined) throw error;
      const words = refused.form.problem ?? Object.values(refused.form.errors)[0];
      return await sendMe(deps, { request, reply }, { problem: words }, refused.status);
    }
    return await reply.redirect(`${withDone(ME, what.done)}#devices`, 303);
  };

  app.post(ONE, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    return await done(request, reply, {
      run: async () => {
        const asked = checked(checkDevice, {
          ...(values['name'] === undefined ? {} : { name: values['name'] }),
          ...(values['min_severity'] === undefined ? {} : { min_severity: values['min_severity'] }),
        });
        const { name, min_severity: minSeverity } = asked;
        await changeDevice(deps, readKey(request), { name, minSeverity });
      },
      done: 'device-saved',
    });
  });

  for (const [path, status] of [
    ['pause', 'paused'],
    ['resume', 'active'],
  ] as const) {
    app.post(`${ONE}/${path}`, { schema }, async (request, reply) =>
      done(request, reply, {
        run: () => changeDevice(deps, readKey(request), { status }),
        done: 'device-saved',
      }),
    );
  }

  app.post(`${ONE}/remove`, { schema }, async (request, reply) =>
    done(request, reply, {
      run: () => removeDevice(deps, getPerson(request), request.params.device_id),
      done: 'device-removed',
    }),
  );

  app.post(`${ONE}/test`, { schema }, async (request, reply) => {
    const { accepted, http_status: status, error } = await testDevice(deps, readKey(request));
    if (accepted) return await reply.redirect(`${withDone(ME, 'test-pushed')}#devices`, 303);
    const why = error ?? `it answered ${status ?? 'nothing'}`;
    const problem = `The push service of this device did not take the test: ${why}`;
    return await sendMe(deps, { request, reply }, { problem });
  });
  quietHoursRoutes(app, deps);
}

function quietHoursRoutes(app: App, deps: WebDeps): void {
  app.post(`${ME}/quiet-hours`, { schema: { hide: true } }, async (request, reply) => {
    const values = readFormValues(request.body);
    const { accountId } = getPerson(request);
    try {
      const hours = checked(checkQuietHours, {
        from: values['from'] ?? '',
        until: values['until'] ?? '',
        time_zone: values['time_zone'] ?? '',
        lets_critical: values['lets_critical'] === 'true',
      });
      await setQuietHours(deps, accountId, hours);
      return await reply.redirect(`${withDone(ME, 'quiet-saved')}#devices`, 303);
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      const { items: devices } = await listDevices(deps, { accountId });
      const reach = await readReach(deps.store.reader, accountId);
      const { form, status } = refused;
      const view = { ...reach, devices, pushKey: deps.pushKey, form };
      return await sendMe(deps, { request, reply }, { reach: view }, status);
    }
  });

  app.post(
    `${ME}/quiet-hours/end`,
    { schema: { hide: true, querystring: Type.Object({}) } },
    async (request, reply) => {
      await setQuietHours(deps, getPerson(request).accountId, null);
      return await reply.redirect(`${withDone(ME, 'quiet-saved')}#devices`, 303);
    },
  );
}
