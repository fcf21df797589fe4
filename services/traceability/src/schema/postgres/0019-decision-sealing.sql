-- One row once everything that was decided before decisions were sealed is sealed; a new hub has it from its
-- beginning. `migrated_through` is the height of the last block of such a decision, 0 without any.
create table decision_sealing (
  id bigint primary key check (id = 1),
  migrated_through bigint not null
);

-- Holds by hand of which no block tells: after that there are none.
create index lot_holds_unsealed on lot_holds (hold_no)
  where source = 'manual'
    and (held_height is null or (released_at is not null and released_height is null));

-- Decisions as the explorer lists and finds them.
create index decisions_by_tenant on decisions (tenant_id, height);
create index decisions_by_type on decisions (type, height);
create index decisions_by_subject_alone on decisions (subject, height)
  where subject <> '';

-- Which blocks tell of a lot.
create index lot_holds_held on lot_holds (lot_no, held_height)
  where held_height is not null;
create index lot_holds_released on lot_holds (lot_no, released_height)
  where released_height is not null;
