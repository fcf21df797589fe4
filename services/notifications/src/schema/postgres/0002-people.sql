-- People have a namespace of their own beside this one: what was kept of them here moves there, in this
-- transaction, and nothing refers to it any more. Processes of the version before wait until it is over.

lock table accounts, sessions, setup_links, invitations in access exclusive mode;

insert into people.accounts (id, email, name, password_hash, created_at)
select id, email, name, password_hash, created_at
from accounts
on conflict (id) do nothing;

insert into people.sessions (token_hash, account_id, agent, created_at, last_seen_at, expires_at)
select token_hash, account_id, agent, created_at, last_seen_at, expires_at
from sessions
on conflict (token_hash) do nothing;

insert into people.setup_links (token_hash, created_at, expires_at, used_at)
select token_hash, created_at, expires_at, used_at
from setup_links
on conflict (token_hash) do nothing;

insert into people.invitations (
  id, token_hash, place, role, email, invited_by, created_at, expires_at, accepted_at, accepted_by,
  entered_at, revoked_at
)
select
  id, token_hash, 'group:' || group_id, role, email, invited_by, created_at, expires_at, accepted_at,
  accepted_by, accepted_at, revoked_at
from invitations
on conflict (id) do nothing;

alter table members drop constraint members_account_id_fkey;
alter table group_keys drop constraint group_keys_created_by_fkey;
alter table read_tokens drop constraint read_tokens_account_id_fkey;
alter table webhooks drop constraint webhooks_created_by_fkey;

drop table sessions;
drop table setup_links;
drop table invitations;
drop table accounts;

-- Whether an invitation was used in its group: asked again when a crash hid the answer.
create index audit_by_invitation on audit (subject) where action = 'invitation_accepted';
