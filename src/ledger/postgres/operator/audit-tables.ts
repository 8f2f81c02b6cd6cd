import { AUDIT_KEPT, AUDIT_REMOVED_AT_ONCE } from '../../audit-limits.ts'
import { TEXT } from '../basic-tables.ts'
import { forbids, keeps, losesOnly } from '../guards.ts'

/**
 * `is_act`: written before something was done. `part`: the rows that share a bound, see `AUDIT_KEPT`. `nth`: number of a
 * row in its part, which tells which are too many. Both are made here, whatever was given.
 */
const TABLE = `
  CREATE TABLE operator_audit (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms bigint NOT NULL,
    key_id ${TEXT},
    client ${TEXT} NOT NULL,
    method ${TEXT} NOT NULL,
    endpoint ${TEXT} NOT NULL,
    params ${TEXT},
    status integer,
    request_id ${TEXT} NOT NULL,
    is_act boolean NOT NULL,
    part ${TEXT} NOT NULL,
    nth bigint NOT NULL,
    UNIQUE (part, nth)
  );
  CREATE INDEX operator_audit_keys ON operator_audit (seq) WHERE key_id IS NOT NULL;
  CREATE INDEX operator_audit_strangers ON operator_audit (seq) WHERE key_id IS NULL;
  CREATE INDEX operator_audit_key ON operator_audit (key_id, seq);
  CREATE FUNCTION number_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.part := coalesce(NEW.key_id || CASE WHEN NEW.is_act THEN ' acts' ELSE ' reads' END, '');
    NEW.nth := coalesce((SELECT max(nth) FROM operator_audit WHERE part = NEW.part), 0) + 1;
    RETURN NEW;
  END $$;
  CREATE TRIGGER operator_audit_number BEFORE INSERT ON operator_audit
  FOR EACH ROW EXECUTE FUNCTION number_audit();
  ${keeps('operator_audit', ['seq', 'at_ms', 'key_id', 'client', 'method', 'endpoint', 'params', 'request_id', 'is_act', 'part', 'nth'])}
  ${forbids('operator_audit', 'end_once', 'OLD.status IS NOT NULL')}
  ${losesOnly(
    'operator_audit',
    `OLD.nth = (SELECT min(nth) FROM operator_audit WHERE part = OLD.part) AND (
      OLD.nth < (SELECT max(nth) FROM operator_audit WHERE part = OLD.part)
      OR OLD.at_ms < (SELECT at_ms FROM operator_audit ORDER BY seq DESC LIMIT 1) - ${AUDIT_KEPT.ms})`,
  )}
`

/** Adds a row, one process at a time, and removes what is too much of its part, and what is too old of all. */
const ADD = `
  CREATE FUNCTION add_audit(at_ms bigint, key_id text, client text, method text, endpoint text, params text,
    status integer, request_id text, is_act boolean) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    added operator_audit;
    oldest record;
    kept bigint := CASE WHEN key_id IS NULL THEN ${AUDIT_KEPT.rowsOfStrangers}
      WHEN is_act THEN ${AUDIT_KEPT.actsOfKey} ELSE ${AUDIT_KEPT.readsOfKey} END;
  BEGIN
    LOCK TABLE operator_audit IN EXCLUSIVE MODE;
    INSERT INTO operator_audit (at_ms, key_id, client, method, endpoint, params, status, request_id, is_act)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING * INTO added;
    FOR oldest IN SELECT a.seq FROM operator_audit a WHERE a.part = added.part AND a.nth <= added.nth - kept
      ORDER BY a.nth LIMIT ${AUDIT_REMOVED_AT_ONCE}
    LOOP
      DELETE FROM operator_audit a WHERE a.seq = oldest.seq;
    END LOOP;
    -- In order: what is younger than a row that stays, stays too.
    FOR oldest IN SELECT a.seq, a.at_ms FROM operator_audit a ORDER BY a.seq LIMIT ${AUDIT_REMOVED_AT_ONCE} LOOP
      EXIT WHEN oldest.at_ms >= added.at_ms - ${AUDIT_KEPT.ms};
      DELETE FROM operator_audit a WHERE a.seq = oldest.seq;
    END LOOP;
    RETURN added.seq;
  END $$;
`

export const AUDIT = TABLE + ADD
