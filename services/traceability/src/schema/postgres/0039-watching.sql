-- Who is told when a lot or a product is recalled: addresses of people who asked for it on a public page. Beside the
-- chain, and derived from nothing. A row that has ended is deleted. Times are milliseconds since the Unix epoch.
create table watches (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  -- lot, sku or gtin; target is its code.
  kind text collate "C" not null,
  target text collate "C" not null,
  -- mail or push.
  channel text collate "C" not null,
  -- Of mail as it is folded, of push the endpoint of a browser.
  address text collate "C" not null,
  -- What is sent takes this way: mail:, or the host of the endpoint.
  route text collate "C" not null,
  -- Of push as the browser gave them (base64url): what encrypts cannot be kept as a hash.
  p256dh text collate "C",
  auth text collate "C",
  language text collate "C" not null,
  -- pending (until somebody confirms) or active.
  status text collate "C" not null,
  created_at bigint not null,
  -- It is deleted then, unless it is confirmed or renewed before.
  expires_at bigint not null,
  -- Mails that were sent to confirm it.
  asked bigint not null default 0,
  asked_at bigint,
  -- When it was last asked for what is kept of the address.
  listed_at bigint,
  -- When it was asked whether it should go on.
  renewal_asked_at bigint,
  -- Messages in a row that were refused for good.
  refusals bigint not null default 0
);
create unique index watches_by_address on watches (address, tenant_id, kind, target);
create index watches_by_target on watches (tenant_id, kind, target, status);
create index watches_by_tenant on watches (tenant_id, status, id);
create index watches_by_expiry on watches (expires_at);
create index watches_to_renew on watches (expires_at) where status = 'active' and renewal_asked_at is null;
create index watches_pending on watches (created_at) where status = 'pending';

-- What is to be told of a step of a recall, written in the transaction of that step. Deleted once each watch that it
-- concerns has its delivery.
create table watch_messages (
  case_no text collate "C" not null,
  step_no bigint not null,
  tenant_id text collate "C" not null,
  -- opened, moved, edited or widened.
  change text collate "C" not null,
  -- 1: whoever watches what the case covers is told; 0: only of lots that entered or left by this step.
  tells_all bigint not null,
  -- Of the case behind the step.
  case_status text collate "C" not null,
  -- Of the step, as recall_lots has it.
  at text collate "C" not null,
  -- The id of the last watch that was looked at.
  looked_through text collate "C" not null,
  primary key (case_no, step_no)
);

-- What one watch is still to be told. Deleted once it was sent, or is not tried any more.
create table watch_deliveries (
  watch_id text collate "C" not null references watches (id) on delete cascade,
  -- confirm, welcome, list, renew, or number and step of a case: each is sent once.
  topic text collate "C" not null,
  -- confirm, welcome, list, renew, opened, moved, edited, widened or left.
  kind text collate "C" not null,
  case_no text collate "C",
  step_no bigint,
  case_status text collate "C",
  route text collate "C" not null,
  attempts bigint not null default 0,
  -- When it is due; while it is being tried, when another may take it for abandoned.
  due_at bigint not null,
  created_at bigint not null,
  primary key (watch_id, topic)
);
create index watch_deliveries_due on watch_deliveries (route, due_at);

-- Keys of the hub for its watches, made when they are first needed: vapid, and links, which signs those of mails.
create table watch_keys (
  name text collate "C" primary key,
  value text collate "C" not null,
  created_at bigint not null
);
