-- An older version cannot run beside this one on the same file, so nothing refuses it here. Rows count as older
-- than this version from now on, as on PostgreSQL.
update head set derived_version = 4;
