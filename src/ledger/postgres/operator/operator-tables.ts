import { SIGNALS_KEPT_S, TASKS_MAX } from '../../ports/operator-book.ts'
import { TEXT } from '../basic-tables.ts'
import { forbids, keeps, losesOnly, neverChanged, neverRemoved } from '../guards.ts'
import { AUDIT } from './audit-tables.ts'

const KEYS = `
  CREATE TABLE operator_keys (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${TEXT} NOT NULL UNIQUE,
    label ${TEXT} NOT NULL,
    digest ${TEXT} NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
    scopes ${TEXT} NOT NULL CHECK (scopes IN ('', 'admin', 'trade', 'admin trade', 'trade admin')),
    created_ms bigint NOT NULL,
    last_used_ms bigint,
    revoked_ms bigint
  );
  ${neverRemoved('operator_keys')}
  ${keeps('operator_keys', ['seq', 'id', 'label', 'digest', 'scopes', 'created_ms'])}
  ${forbids('operator_keys', 'stay_revoked', 'OLD.revoked_ms IS NOT NULL AND (NEW.revoked_ms IS NULL OR NEW.revoked_ms > OLD.revoked_ms)')}
`

const BOARD = `
  CREATE TABLE operator_tasks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_ms bigint NOT NULL,
    made_by ${TEXT} NOT NULL,
    title ${TEXT} NOT NULL,
    detail ${TEXT},
    priority ${TEXT} NOT NULL CHECK (priority IN ('low', 'normal', 'high')),
    assignee ${TEXT}
  );
  ${neverChanged('operator_tasks')}
  ${losesOnly(
    'operator_tasks',
    `OLD.id = (SELECT min(id) FROM operator_tasks) AND (SELECT count(*) FROM operator_tasks) > ${TASKS_MAX}`,
  )}
  CREATE TABLE operator_signals (
    window_start_s bigint NOT NULL,
    side ${TEXT} NOT NULL CHECK (side IN ('UP', 'DOWN')),
    coin ${TEXT} NOT NULL,
    confidence double precision NOT NULL,
    price double precision NOT NULL,
    indicators ${TEXT},
    source ${TEXT},
    made_by ${TEXT} NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (window_start_s, side)
  );
  ${neverChanged('operator_signals')}
  ${losesOnly(
    'operator_signals',
    `OLD.window_start_s < (SELECT max(window_start_s) FROM operator_signals) - ${SIGNALS_KEPT_S}`,
  )}
`

export const OPERATOR = KEYS + AUDIT + BOARD
