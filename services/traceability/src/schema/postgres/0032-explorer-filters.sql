-- Blocks of a type as the explorer lists them: events of the whole hub, and decisions of one brand.
create index events_by_type on events (event_type, height);
create index decisions_by_tenant_type on decisions (tenant_id, type, height);
