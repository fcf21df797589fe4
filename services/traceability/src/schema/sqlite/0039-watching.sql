-- Who is told when a lot or a product is recalled: addresses of people who asked for it on a public page. Beside the
-- chain, and derived from nothing. A row that has ended is deleted. Times are milliseconds since the Unix epoch.
create table watches (
  id text primary key,
  tenant_id text not null,
  -- lot, sku or gtin; target is its code.
  kind text not null,
  target text not null,
  -- mail or push.
  channel text not null,
  -- Of mail as it is folded, of push the endpoint of a browser.
  address text not null,
  -- What is sent takes this way: mail:, or the host of the endpoint.
  route text not null,
  -- Of push as the browser gave them (base64url): what encrypts cannot be kept as a hash.
  p256dh text,
  auth text,
  language text not null,
  -- pending (until somebody confirms) or active.
  status text not null,
  created_at integer not null,
  -- It is deleted then, unless it is confirmed or renewed before.
  expires_at integer not null,
  -- Mails that were sent to confirm it.
  asked integer not null default 0,
  asked_at integer,
  -- When it was last asked for what is kept of the address.
  listed_at integer,
  -- When it was asked whether it should go on.
  renewal_asked_at integer,
  -- Messages in a row that were refused for good.
  refusals integer not null default 0
) strict;
create unique index watches_by_address on watches (address, tenant_id, kind, target);
create index watches_by_target on watches (tenant_id, kind, target, status);
create index watches_by_tenant on watches (tenant_id, status, id);
create index watches_by_expiry on watches (expires_at);
create index watches_to_renew on watches (expires_at) where status = 'active' and renewal_asked_at is null;
create index watches_pending on watches (created_at) where status = 'pending';

-- What is to be told of a step of a recall, written in the transaction of that step. Deleted once each watch that it
-- concerns has its delivery.
create table watch_messages (
  case_no text not null,
  step_no integer not null,
  tenant_id text not null,
  -- opened, moved, edited or widened.
  change text not null,
  -- 1: whoever watches what the case covers is told; 0: only of lots that entered or left by this step.
  tells_all integer not null,
  -- Of the case behind the step.
  case_status text not null,
  -- Of the step, as recall_lots has it.
  at text not null,
  -- The id of the last watch that was looked at.
  looked_through text not null,
  primary key (case_no, step_no)
) strict, without rowid;

-- What one watch is still to be told. Deleted once it was sent, or is not tried any more.
create table watch_deliveries (
  watch_id text not null references watches (id) on delete cascade,
  -- confirm, welcome, list, renew, or number and step of a case: each is sent once.
  topic text not null,
  -- confirm, welcome, list, renew, opened, moved, edited, widened or left.
  kind text not null,
  case_no text,
  step_no integer,
  case_status text,
  route text not null,
  attempts integer not null default 0,
  -- When it is due; while it is being tried, when another may take it for abandoned.
  due_at integer not null,
  created_at integer not null,
  primary key (watch_id, topic)
) strict, without rowid;
create index watch_deliveries_due on watch_deliveries (route, due_at);

-- Keys of the hub for its watches, made when they are first needed: vapid, and links, which signs those of mails.
create table watch_keys (
  name text primary key,
  value text not null,
  created_at integer not null
) strict;
