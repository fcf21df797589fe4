// Who may use each route of the service, and a request that works for them: the table that route-walk.test.ts holds
// against the routes that there are. A route that is missing here fails there.
import { PERSON_FIELD } from '../../src/web/group/escalation-panel.ts';
import { PASSWORD, type Ids } from './walked-ground.ts';

/**
 * `open`: everybody, also without a session; `posting`: a posting key alone; `adapter`: a token of an adapter alone;
 * `session`: everybody who is logged in; `own`: the person whose thing it is; `member` and `owner`: of the group in
 * the path.
 */
export type Who = 'open' | 'posting' | 'adapter' | 'session' | 'own' | 'member' | 'owner';

type Values<Value> = (ids: Ids) => Readonly<Record<string, Value>>;

export interface WalkedRoute {
  readonly who: Who;
  /** What whoever may use it is answered. */
  readonly status: number;
  /** Whether a read token may use it, too. */
  readonly isForTokens?: true;
  /** Of a route that changes something. */
  readonly json?: Values<unknown>;
  readonly form?: Values<string>;
  /** Whether there is no second time: what the path names is gone then, or the session. */
  readonly isOnce?: true;
  /** Whether a program may send it that says nothing of where it comes from: JSON without a session. */
  readonly isForPrograms?: true;
  /** Why a write of another site is let in. */
  readonly isForAnySite?: string;
}

const get = (who: Who, status = 200): WalkedRoute => ({ who, status });
const read = (who: Who): WalkedRoute => ({ who, status: 200, isForTokens: true });
const send = (
  who: Who,
  status: number,
  values: Values<unknown> | Readonly<Record<string, unknown>> = {},
): WalkedRoute => ({ who, status, json: typeof values === 'function' ? values : () => values });
/** A form that leads to another page. */
const form = (
  who: Who,
  values: Values<string> | Readonly<Record<string, string>> = {},
): WalkedRoute => ({
  who,
  status: 303,
  form: typeof values === 'function' ? values : () => values,
});
const shows = (route: WalkedRoute, status = 200): WalkedRoute => ({ ...route, status });
const once = (route: WalkedRoute): WalkedRoute => ({ ...route, isOnce: true });

const forPrograms = (route: WalkedRoute): WalkedRoute => ({ ...route, isForPrograms: true });

const NAME = { name: 'Grace' };
const newcomer: Values<string> = ({ newcomer: email }) => ({
  ...{ name: 'Ina', email, password: PASSWORD },
});
const PASSWORDS = { old_password: PASSWORD, new_password: 'staple horse battery' };
const QUIET = { from: '22:00', until: '06:30', time_zone: 'UTC' };
const MAIL = { min_severity: 'warning', rhythm: 'daily' };
const HOOK: Values<string> = ({ hook }) => ({ name: 'Pager', url: hook });
const GROUP: Readonly<Record<string, string>> = {
  ...NAME,
  ...{ retention_days: '90', retention_rows: '5000' },
};
/** Of a set-up link that is none, and of an account that is none: the answer to the request itself. */
const [NO_LINK, WRONG] = [404, 401];

const API = '/api/v1';
const ME = `${API}/me`;
const ONE = `${API}/groups/:group_id`;
const NOTE = `${ONE}/notifications/:seq`;
const HOOKS = `${ONE}/webhooks`;
const OWN_PAGE = '/inbox/me';
const PAGE = '/inbox/groups/:group_id';
const SETTINGS = `${PAGE}/settings`;
const WEBHOOK_PAGE = `${PAGE}/webhooks/:webhook_id`;

const ADAPTERS = ['alertmanager', 'grafana', 'github', 'cloudevents', 'slack'];

const OPEN_FILES = [
  'manifest.webmanifest',
  'sw.js',
  'icon-192.png',
  'icon-512.png',
  'badge-96.png',
];
OPEN_FILES.push('maskable-192.png', 'maskable-512.png', 'assets/:asset');

/** By method and path; what answers GET answers HEAD alike. */
export const ROUTE_TABLE: Readonly<Record<string, WalkedRoute>> = {
  'GET /': get('open', 302),
  'GET /robots.txt': get('open'),
  [`GET ${API}/openapi.json`]: get('open'),
  [`GET ${API}/health`]: get('open'),
  [`GET ${API}/ready`]: get('open'),
  [`GET ${API}/docs`]: get('open'),
  [`GET ${API}/docs/:operation`]: get('open'),
  ...Object.fromEntries(OPEN_FILES.map((name) => [`GET /inbox/${name}`, get('open')])),

  // What lets people in.
  [`POST ${API}/setup`]: forPrograms(
    send('open', NO_LINK, (ids) => ({ token: 'x'.repeat(43), ...newcomer(ids) })),
  ),
  [`POST ${API}/session`]: forPrograms(
    send('open', WRONG, { email: 'a@example.com', password: 'x'.repeat(9) }),
  ),
  [`DELETE ${API}/session`]: once({ who: 'open', status: 204, json: () => ({}) }),
  [`POST ${API}/invitations/accept`]: once(
    forPrograms(send('open', 201, (ids) => ({ token: ids.invitation, person: newcomer(ids) }))),
  ),
  'GET /inbox/login': get('open'),
  'POST /inbox/login': shows(form('open', { email: 'a@example.com', password: 'x' }), WRONG),
  'POST /inbox/logout': once(form('open')),
  'GET /inbox/sign-on': get('open', 503),
  'GET /inbox/sign-on/back': get('open', 400),
  'GET /inbox/sign-on/out': get('open', 503),
  'GET /inbox/setup/:token': get('open', NO_LINK),
  'POST /inbox/setup/:token': shows(form('open', newcomer), NO_LINK),
  'GET /inbox/invitation/:token': get('open'),
  'POST /inbox/invitation/:token': once(form('open', newcomer)),
  'GET /inbox/unsubscribe/:token': get('open'),
  'POST /inbox/unsubscribe/:token': {
    ...form('open', { from: 'page' }),
    isForAnySite: 'mail programs post it by themselves (RFC 8058); the token alone counts',
  },

  // What posts.
  [`POST ${API}/ingest`]: send('posting', 201, { command: 'notify', title: 'Oven 3' }),
  ...Object.fromEntries(
    ADAPTERS.flatMap((name) => [
      [`POST ${API}/ingest/${name}`, send('adapter', 200)],
      [`POST ${API}/ingest/${name}/:token`, send('adapter', 200)],
    ]),
  ),

  // Oneself, for programs.
  [`GET ${ME}`]: read('session'),
  [`PATCH ${ME}`]: send('session', 200, NAME),
  [`PUT ${ME}/password`]: once(send('session', 204, PASSWORDS)),
  [`GET ${ME}/push-key`]: get('session'),
  [`GET ${ME}/sessions`]: get('session'),
  [`DELETE ${ME}/sessions`]: once(send('session', 204)),
  [`DELETE ${ME}/sessions/:session_id`]: once(send('own', 204)),
  [`GET ${ME}/tokens`]: get('session'),
  [`POST ${ME}/tokens`]: send('session', 201, { name: 'Wall' }),
  [`DELETE ${ME}/tokens/:token_id`]: once(send('own', 204)),
  [`GET ${ME}/devices`]: get('session'),
  [`POST ${ME}/devices`]: send('session', 201, ({ subscription }) => ({
    subscription,
  })),
  [`PATCH ${ME}/devices/:device_id`]: send('own', 200, NAME),
  [`DELETE ${ME}/devices/:device_id`]: once(send('own', 204)),
  [`POST ${ME}/devices/:device_id/test`]: send('own', 200),
  [`GET ${ME}/quiet-hours`]: get('session'),
  [`PUT ${ME}/quiet-hours`]: send('session', 200, { ...QUIET, lets_critical: true }),
  [`DELETE ${ME}/quiet-hours`]: send('session', 204),
  [`GET ${ME}/mail`]: get('session'),
  [`PUT ${ME}/mail`]: send('session', 200, MAIL),
  [`DELETE ${ME}/mail`]: once(send('session', 204)),
  [`POST ${ME}/mail/test`]: send('session', 200),
  [`GET ${API}/stream`]: read('session'),
  [`GET ${API}/unread`]: read('session'),
  [`GET ${API}/notifications`]: read('session'),
  [`PUT ${API}/read-state`]: send('session', 200, { up_to: 1 }),
  [`GET ${API}/groups`]: read('session'),
  [`POST ${API}/groups`]: send('session', 201, NAME),

  // A group, for programs.
  [`GET ${ONE}`]: read('member'),
  [`PATCH ${ONE}`]: send('owner', 200, NAME),
  [`GET ${ONE}/notifications`]: read('member'),
  [`GET ${NOTE}`]: read('member'),
  [`GET ${NOTE}/occurrences`]: get('member'),
  [`PUT ${NOTE}/read`]: send('member', 200),
  [`DELETE ${NOTE}/read`]: send('member', 200),
  [`POST ${NOTE}/redact`]: once(send('owner', 200)),
  [`PUT ${NOTE}/ack`]: send('member', 200, { comment: 'On my way' }),
  [`PUT ${ONE}/read-state`]: send('member', 200, { up_to: 1 }),
  [`GET ${ONE}/stream`]: read('member'),
  [`POST ${ONE}/test`]: send('owner', 201, { severity: 'info' }),
  [`GET ${ONE}/members`]: get('member'),
  [`PATCH ${ONE}/members/:account_id`]: once(send('owner', 200, { role: 'owner' })),
  [`DELETE ${ONE}/members/:account_id`]: once(send('owner', 204)),
  [`GET ${ONE}/mute`]: get('member'),
  [`PUT ${ONE}/mute`]: send('member', 200, { until: null }),
  [`DELETE ${ONE}/mute`]: send('member', 204),
  [`GET ${ONE}/invitations`]: get('owner'),
  [`POST ${ONE}/invitations`]: send('owner', 201, { email: null }),
  [`DELETE ${ONE}/invitations/:invitation_id`]: once(send('owner', 204)),
  [`GET ${ONE}/keys`]: get('owner'),
  [`POST ${ONE}/keys`]: send('owner', 201, NAME),
  [`PATCH ${ONE}/keys/:key_id`]: send('owner', 200, NAME),
  [`DELETE ${ONE}/keys/:key_id`]: once(send('owner', 204)),
  [`POST ${ONE}/keys/:key_id/rotate`]: once(send('owner', 201, { overlap_hours: 1 })),
  [`GET ${HOOKS}`]: get('owner'),
  [`POST ${HOOKS}`]: send('owner', 201, HOOK),
  [`GET ${HOOKS}/:webhook_id`]: get('owner'),
  [`PATCH ${HOOKS}/:webhook_id`]: send('owner', 200, NAME),
  [`DELETE ${HOOKS}/:webhook_id`]: once(send('owner', 204)),
  [`POST ${HOOKS}/:webhook_id/rotate-secret`]: send('owner', 200),
  [`POST ${HOOKS}/:webhook_id/test`]: send('owner', 200),
  [`GET ${HOOKS}/:webhook_id/deliveries`]: get('owner'),
  [`GET ${HOOKS}/:webhook_id/deliveries/:delivery_id`]: get('owner'),
  [`POST ${HOOKS}/:webhook_id/deliveries/:delivery_id/replay`]: once(send('owner', 200)),
  [`GET ${ONE}/export`]: get('owner'),
  [`GET ${ONE}/escalation`]: get('owner'),
  [`PUT ${ONE}/escalation`]: send('owner', 200, ({ account_id }) => ({
    ...{ after_minutes: 5, people: [account_id] },
  })),
  [`DELETE ${ONE}/escalation`]: once(send('owner', 204)),
  [`POST ${ONE}/delete`]: once(send('owner', 204, { name: 'Bakery', without_export: true })),
  [`GET ${ONE}/audit`]: get('owner'),

  // Pages of oneself.
  'GET /inbox': get('session'),
  'POST /inbox/read': form('session', { up_to: '1' }),
  'GET /inbox/new-group': get('session'),
  'POST /inbox/new-group': form('session', NAME),
  'GET /inbox/*': get('session', 404),
  [`GET ${OWN_PAGE}`]: get('session'),
  [`POST ${OWN_PAGE}`]: form('session', NAME),
  [`POST ${OWN_PAGE}/password`]: once(form('session', PASSWORDS)),
  [`POST ${OWN_PAGE}/sessions/end`]: once(form('session')),
  [`POST ${OWN_PAGE}/sessions/:session_id/end`]: once(form('own')),
  [`POST ${OWN_PAGE}/tokens`]: shows(form('session', { name: 'Wall' })),
  [`POST ${OWN_PAGE}/tokens/:token_id/revoke`]: once(form('own')),
  [`POST ${OWN_PAGE}/export`]: shows(form('session')),
  [`POST ${OWN_PAGE}/erase`]: once(form('session', ({ email }) => ({ email }))),
  [`POST ${OWN_PAGE}/devices/:device_id`]: form('own', NAME),
  [`POST ${OWN_PAGE}/devices/:device_id/pause`]: form('own'),
  [`POST ${OWN_PAGE}/devices/:device_id/resume`]: form('own'),
  [`POST ${OWN_PAGE}/devices/:device_id/remove`]: once(form('own')),
  [`POST ${OWN_PAGE}/devices/:device_id/test`]: form('own'),
  [`POST ${OWN_PAGE}/quiet-hours`]: form('session', QUIET),
  [`POST ${OWN_PAGE}/quiet-hours/end`]: form('session'),
  [`POST ${OWN_PAGE}/mail`]: form('session', MAIL),
  [`POST ${OWN_PAGE}/mail/off`]: once(form('session')),
  [`POST ${OWN_PAGE}/mail/test`]: shows(form('session')),

  // Pages of a group.
  [`GET ${PAGE}`]: get('member'),
  [`POST ${PAGE}/read`]: form('member', { up_to: '1' }),
  [`GET ${PAGE}/n/:seq`]: get('member'),
  [`POST ${PAGE}/n/:seq/read`]: form('member'),
  [`POST ${PAGE}/n/:seq/unread`]: form('member'),
  [`POST ${PAGE}/n/:seq/redact`]: once(form('owner')),
  [`POST ${PAGE}/n/:seq/ack`]: form('member', { comment: 'On my way' }),
  [`GET ${SETTINGS}`]: get('member'),
  [`POST ${SETTINGS}`]: form('owner', GROUP),
  [`POST ${SETTINGS}/test`]: form('owner'),
  [`POST ${SETTINGS}/leave`]: once(form('member')),
  [`POST ${SETTINGS}/members/:account_id`]: once(form('owner', { role: 'owner' })),
  [`GET ${SETTINGS}/members/:account_id/remove`]: get('owner'),
  [`POST ${SETTINGS}/members/:account_id/remove`]: once(form('owner')),
  [`POST ${SETTINGS}/mute`]: form('member', { for: '1h' }),
  [`POST ${SETTINGS}/unmute`]: form('member'),
  [`POST ${SETTINGS}/invitations`]: shows(form('owner', { role: 'member' })),
  [`POST ${SETTINGS}/invitations/:invitation_id/withdraw`]: once(form('owner')),
  [`POST ${SETTINGS}/keys`]: shows(form('owner', NAME)),
  [`POST ${SETTINGS}/keys/:key_id`]: form('owner', NAME),
  [`POST ${SETTINGS}/keys/:key_id/rotate`]: once(shows(form('owner', { overlap_hours: '1' }))),
  [`POST ${SETTINGS}/keys/:key_id/revoke`]: once(form('owner')),
  [`POST ${SETTINGS}/escalation`]: form('owner', ({ account_id }) => ({
    ...{ after_minutes: '5', [`${PERSON_FIELD}${account_id}`]: 'true' },
  })),
  [`POST ${SETTINGS}/escalation/remove`]: once(form('owner')),
  [`POST ${SETTINGS}/delete`]: once(form('owner', { name: 'Bakery', without_export: 'true' })),
  [`GET ${PAGE}/webhooks`]: get('owner'),
  [`POST ${PAGE}/webhooks`]: shows(form('owner', HOOK)),
  [`GET ${WEBHOOK_PAGE}`]: get('owner'),
  [`POST ${WEBHOOK_PAGE}`]: form('owner', (ids) => ({
    ...HOOK(ids),
    ...{ min_severity: 'info', status: 'active' },
  })),
  [`POST ${WEBHOOK_PAGE}/rotate-secret`]: shows(form('owner')),
  [`POST ${WEBHOOK_PAGE}/test`]: shows(form('owner')),
  [`POST ${WEBHOOK_PAGE}/delete`]: once(form('owner')),
  [`GET ${WEBHOOK_PAGE}/deliveries/:delivery_id`]: get('owner'),
  [`POST ${WEBHOOK_PAGE}/deliveries/:delivery_id/replay`]: once(form('owner')),
  [`GET ${PAGE}/audit`]: get('owner'),
};
