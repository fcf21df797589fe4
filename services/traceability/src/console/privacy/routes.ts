// Erasing a customer and disclosing an event. A customer's reference is only sent in bodies, never in an
// address.
import { EMPTY_FORM, TICKED, type FormState } from '@lothub/design/desk-parts';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import type { FastifyReply } from 'fastify';
import { FieldsRefusal } from '../../errors.ts';
import { isEventBlock } from '../../ledger/effective-reader.ts';
import type { App } from '../../http.ts';
import { customerExtent } from '../../privacy/customer-extent.ts';
import { discloseEvent } from '../../privacy/disclose-event.ts';
import { disclose } from '../../privacy/disclosure.ts';
import { eraseCustomer } from '../../privacy/erase.ts';
import { EraseRequestSchema } from '../../privacy/schema.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm, checkInput, type SayFault } from '../forms.ts';
import { brandPath } from '../paths.ts';
import { roomTabLinks } from '../profile/room.ts';
import { changeBy, isAllowed, roomView } from '../profile/room-view.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { SURE_FIELD, privacyPage, type EventToDisclose, type PrivacyView } from './privacy-page.ts';

const ROUTE = `${BRAND_ROUTE}/privacy`;
const params = Type.Object(BRAND_PARAM);
const checkCustomer = compileValueSchema<{ readonly customer_ref: string }>(EraseRequestSchema);
const WHOLE_NUMBER = /^\d{1,15}$/;

type Changes = Partial<
  Pick<PrivacyView, 'eraseForm' | 'toErase' | 'erased' | 'discloseForm' | 'toDisclose'>
>;

export function privacyPageRoutes(app: App, deps: ConsoleDeps): void {
  const show = (to: To, changes: Changes, status = 200) => sendPrivacy(deps, to, changes, status);

  app.get(ROUTE, { schema: { hide: true, params }, config: { right: 'erase' } }, (request, reply) =>
    show({ request, reply }, {}),
  );

  addForm(app, {
    path: `${ROUTE}/erase`,
    right: 'erase',
    params,
    show: (to, eraseForm, status) => show(to, { eraseForm }, status),
    run: async (to, values) => await show(to, { toErase: await foundCustomer(to, values) }),
  });

  addForm(app, {
    path: `${ROUTE}/erase/now`,
    right: 'erase',
    params,
    show: (to, eraseForm, status) => show(to, { eraseForm }, status),
    run: async (to, values) => {
      const { customer_ref: customerRef } = checkInput(checkCustomer, customerIn(values));
      if (values[SURE_FIELD] !== TICKED) {
        const { required } = prepareConsoleReader(to.request, to.reply).words.console.fields;
        const eraseForm = { ...EMPTY_FORM, errors: { [SURE_FIELD]: required } };
        return await show(to, { eraseForm, toErase: await foundCustomer(to, values) }, 422);
      }
      const erased = await eraseCustomer({ ...deps, newSalt }, { ...changeBy(to), customerRef });
      return await show(to, { erased });
    },
  });

  addForm(app, {
    path: `${ROUTE}/disclose`,
    right: 'disclose',
    params,
    sayFault: sayEventFault,
    show: (to, discloseForm, status) => show(to, { discloseForm }, status),
    run: async (to, values) =>
      await show(to, { toDisclose: await eventToDisclose(deps, to, values) }),
  });

  addForm(app, {
    path: `${ROUTE}/disclose/file`,
    right: 'disclose',
    params,
    sayFault: sayEventFault,
    show: (to, discloseForm, status) => show(to, { discloseForm }, status),
    run: async (to, values) => {
      const { eventId, line } = await eventToDisclose(deps, to, values);
      const request = { ...changeBy(to), eventId, line: toIndex(line) };
      const disclosure = await discloseEvent(deps, request);
      return to.reply
        .header('Content-Disposition', `attachment; filename="disclosure-${eventId}.json"`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(disclosure, undefined, 2));
    },
  });

  async function foundCustomer(to: To, values: FormValues) {
    const { customer_ref: customerRef } = checkInput(checkCustomer, customerIn(values));
    const extent = await customerExtent(deps.reader, { tenantId: getBrand(to), customerRef });
    return { customerRef, extent };
  }
}

/** Returns it exactly as it was sent: spaces around it are part of it. */
function customerIn(values: FormValues) {
  return { customer_ref: values['customer_ref'] ?? '' };
}

const sayEventFault: SayFault = ({ type }, { words }) => {
  const { privacy } = words.console.profile;
  if (type === 'unknown_event') return { name: 'event_id', words: privacy.unknownEvent };
  if (type === 'unknown_line') return { name: 'line', words: privacy.unknownLine };
  return undefined;
};

/** @throws FieldsRefusal */
function eventIn(values: FormValues): {
  readonly eventId: number;
  readonly line: number | undefined;
} {
  const event = (values['event_id'] ?? '').trim();
  const line = textOrNothing(values['line'])?.trim();
  if (!WHOLE_NUMBER.test(event)) {
    throw FieldsRefusal.of(['body', 'event_id'], 'Input should be a whole number', 'int_type');
  }
  if (line !== undefined && (!WHOLE_NUMBER.test(line) || Number(line) < 1)) {
    throw FieldsRefusal.of(['body', 'line'], 'Lines are counted from 1', 'unknown_line');
  }
  return { eventId: Number(event), line: line === undefined ? undefined : Number(line) };
}

/** People count lines from 1, the interface from 0. */
function toIndex(line: number | undefined): number | undefined {
  return line === undefined ? undefined : line - 1;
}

/** @throws FieldsRefusal for an event that the brand does not have, and a line that the event does not */
async function eventToDisclose(
  { reader: ledger }: ConsoleDeps,
  to: To,
  values: FormValues,
): Promise<EventToDisclose> {
  const { eventId, line } = eventIn(values);
  const block = await ledger.findBlock(eventId);
  if (block === undefined || !isEventBlock(block) || block.payload.brand !== getBrand(to)) {
    throw FieldsRefusal.of(['body', 'event_id'], 'No event of this id is known', 'unknown_event');
  }
  const { event } = block.payload;
  if (line !== undefined && line > event.lines.length) {
    throw FieldsRefusal.of(['body', 'line'], 'The event has fewer lines', 'unknown_line');
  }
  const { openings } = await disclose(ledger, {
    tenantId: getBrand(to),
    eventId,
    line: toIndex(line),
  });
  const { words } = prepareConsoleReader(to.request, to.reply);
  return {
    eventId,
    line,
    type: words.labels.eventTypes[event.event_type],
    occurredAt: event.occurred_at,
    openings: openings.length,
    erased: openings.filter((opening) => opening.erased).length,
  };
}

async function sendPrivacy(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const reader = prepareConsoleReader(to.request, to.reply);
  const room = await roomView(deps, to);
  const { brand, name } = room;
  const path = brandPath(brand, 'privacy');
  const body = privacyPage(
    {
      ...{ brand, path, name },
      tabs: roomTabLinks(room, 'privacy', reader),
      mayErase: isAllowed(to, 'erase'),
      mayDisclose: isAllowed(to, 'disclose'),
      eraseForm: EMPTY_FORM satisfies FormState,
      toErase: undefined,
      erased: undefined,
      discloseForm: EMPTY_FORM,
      toDisclose: undefined,
      ...changes,
    },
    reader,
  );
  const title = reader.words.console.profile.tabs.privacy;
  return await sendFramed(deps, to, { title, path, brand, body }, status);
}
