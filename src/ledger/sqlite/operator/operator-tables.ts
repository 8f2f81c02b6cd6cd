import { AUDIT_KEPT } from '../../audit-limits.ts'
import { SIGNALS_KEPT_S, TASKS_MAX } from '../../ports/operator-book.ts'
import { forbids, keeps, losesOnly, neverChanged, neverRemoved, onlyOnce } from '../guards.ts'

/**
 * `is_act`: written before something was done. `part`: the rows that share a bound, see `AUDIT_KEPT`. `nth`: number of a
 * row in its part, which tells which are too many.
 */
export const OPERATOR = `
  CREATE TABLE operator_keys (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
    scopes TEXT NOT NULL CHECK (scopes IN ('', 'admin', 'trade', 'admin trade', 'trade admin')),
    created_ms INTEGER NOT NULL,
    last_used_ms INTEGER,
    revoked_ms INTEGER
  ) STRICT;
  ${neverRemoved('operator_keys', 'seq', 'id', 'digest')}
  ${keeps('operator_keys', ['seq', 'id', 'label', 'digest', 'scopes', 'created_ms'])}
  ${forbids('operator_keys', 'stay_revoked', 'OLD.revoked_ms IS NOT NULL AND (NEW.revoked_ms IS NULL OR NEW.revoked_ms > OLD.revoked_ms)')}
  CREATE TABLE operator_audit (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    key_id TEXT,
    client TEXT NOT NULL,
    method TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    params TEXT,
    status INTEGER,
    request_id TEXT NOT NULL,
    is_act INTEGER NOT NULL CHECK (is_act IN (0, 1)),
    of_key INTEGER NOT NULL GENERATED ALWAYS AS (key_id IS NOT NULL) STORED,
    part TEXT NOT NULL GENERATED ALWAYS AS (coalesce(key_id || iif(is_act, ' acts', ' reads'), '')) STORED,
    nth INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX operator_audit_part ON operator_audit (part, nth);
  CREATE INDEX operator_audit_kind ON operator_audit (of_key);
  CREATE INDEX operator_audit_key ON operator_audit (key_id);
  ${keeps('operator_audit', ['seq', 'at_ms', 'key_id', 'client', 'method', 'endpoint', 'params', 'request_id', 'is_act', 'nth'])}
  ${forbids('operator_audit', 'end_once', 'OLD.status IS NOT NULL')}
  CREATE TRIGGER operator_audit_once BEFORE INSERT ON operator_audit
  WHEN EXISTS (SELECT 1 FROM operator_audit WHERE seq = NEW.seq)
    OR NEW.nth IS NOT (SELECT coalesce(max(nth), 0) + 1 FROM operator_audit WHERE part = NEW.part)
  BEGIN SELECT RAISE(ABORT, 'operator_audit is only added to'); END;
  ${losesOnly(
    'operator_audit',
    `OLD.nth = (SELECT min(nth) FROM operator_audit WHERE part = OLD.part) AND (
      OLD.nth < (SELECT max(nth) FROM operator_audit WHERE part = OLD.part)
      OR OLD.at_ms < (SELECT at_ms FROM operator_audit ORDER BY seq DESC LIMIT 1) - ${AUDIT_KEPT.ms})`,
  )}
  CREATE TABLE operator_tasks (
    id INTEGER PRIMARY KEY,
    created_ms INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    title TEXT NOT NULL,
    detail TEXT,
    priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high')),
    assignee TEXT
  ) STRICT;
  ${neverChanged('operator_tasks')}
  ${onlyOnce('operator_tasks', 'id')}
  ${losesOnly(
    'operator_tasks',
    `OLD.id = (SELECT min(id) FROM operator_tasks) AND (SELECT count(*) FROM operator_tasks) > ${TASKS_MAX}`,
  )}
  CREATE TABLE operator_signals (
    window_start_s INTEGER NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('UP', 'DOWN')),
    coin TEXT NOT NULL,
    confidence REAL NOT NULL,
    price REAL NOT NULL,
    indicators TEXT,
    source TEXT,
    made_by TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (window_start_s, side)
  ) STRICT, WITHOUT ROWID;
  ${neverChanged('operator_signals')}
  ${onlyOnce('operator_signals', 'window_start_s, side')}
  ${losesOnly(
    'operator_signals',
    `OLD.window_start_s < (SELECT max(window_start_s) FROM operator_signals) - ${SIGNALS_KEPT_S}`,
  )}
`
