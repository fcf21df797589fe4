-- All keys of the hub, as its operators list them.
create index api_keys_by_age on api_keys (created_at, key_id);
