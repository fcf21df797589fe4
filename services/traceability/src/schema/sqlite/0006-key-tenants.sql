-- Who writes with a key that is bound to no tenant: the first tenant, and the first other one with when it
-- did. Null of keys that are bound. Nothing is known of what was written before this file.
alter table api_keys add column first_tenant_id text;
alter table api_keys add column second_tenant_id text;
alter table api_keys add column second_tenant_at text;
-- When an operator accepted that several tenants write with it.
alter table api_keys add column tenants_accepted_at text;
