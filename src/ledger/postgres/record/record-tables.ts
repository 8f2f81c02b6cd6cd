import { TEXT } from '../basic-tables.ts'
import { neverChanged, onlyAdded } from '../guards.ts'

/** A head is inserted after the leaves it covers, in the same transaction. */
export const RECORD = `
  CREATE TABLE record_leaves (seq bigint PRIMARY KEY, id ${TEXT} NOT NULL, text ${TEXT} NOT NULL);
  CREATE INDEX record_leaves_id ON record_leaves (id);
  CREATE TABLE record_heads (
    tree_size bigint PRIMARY KEY,
    root_hash ${TEXT} NOT NULL CHECK (length(root_hash) = 64),
    at_ms bigint NOT NULL,
    key_id ${TEXT} NOT NULL,
    mode ${TEXT},
    signature ${TEXT} NOT NULL
  );
  CREATE TABLE record_secrets (id ${TEXT} PRIMARY KEY, text ${TEXT} NOT NULL);
  CREATE TABLE record_anchors (
    tree_size bigint NOT NULL,
    root_hash ${TEXT} NOT NULL CHECK (length(root_hash) = 64),
    network ${TEXT} NOT NULL,
    tx ${TEXT} NOT NULL,
    at_ms bigint NOT NULL
  );
  CREATE INDEX record_anchors_size ON record_anchors (tree_size, at_ms);
  CREATE FUNCTION check_leaf() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.seq <> (SELECT coalesce(max(seq) + 1, 0) FROM record_leaves) THEN
      RAISE EXCEPTION 'a leaf goes to the end of the record' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER record_leaves_at_the_end BEFORE INSERT ON record_leaves FOR EACH ROW EXECUTE FUNCTION check_leaf();
  CREATE FUNCTION check_head() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE newest record_heads;
  BEGIN
    SELECT * INTO newest FROM record_heads ORDER BY tree_size DESC LIMIT 1;
    IF NEW.tree_size IS DISTINCT FROM (SELECT max(seq) + 1 FROM record_leaves)
      OR NEW.tree_size <= coalesce(newest.tree_size, 0) THEN
      RAISE EXCEPTION 'a head covers all leaves, once' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF newest.mode IS NOT NULL AND NEW.mode IS DISTINCT FROM newest.mode THEN
      RAISE EXCEPTION 'a record is of one mode' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER record_heads_cover_all BEFORE INSERT ON record_heads FOR EACH ROW EXECUTE FUNCTION check_head();
  ${['record_leaves', 'record_heads', 'record_anchors'].map(onlyAdded).join('')}
  ${neverChanged('record_secrets')}
`
