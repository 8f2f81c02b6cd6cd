import { CAUSE_MAX_CHARS } from '../../ports/uptime-book.ts'
import { TEXT } from '../basic-tables.ts'

export const UPTIME = `
  CREATE TABLE uptime_days (
    day bigint NOT NULL,
    part ${TEXT} NOT NULL,
    ok bigint NOT NULL CHECK (ok >= 0),
    degraded bigint NOT NULL CHECK (degraded >= 0),
    down bigint NOT NULL CHECK (down >= 0),
    timed bigint NOT NULL CHECK (timed >= 0),
    total_ms double precision NOT NULL,
    max_ms double precision NOT NULL,
    PRIMARY KEY (day, part)
  );
  CREATE TABLE uptime_incidents (
    began_ms bigint NOT NULL,
    part ${TEXT} NOT NULL,
    ended_ms bigint,
    worst ${TEXT} NOT NULL CHECK (worst IN ('degraded', 'down')),
    cause ${TEXT} NOT NULL CHECK (length(cause) <= ${CAUSE_MAX_CHARS}),
    is_planned boolean NOT NULL,
    PRIMARY KEY (began_ms, part)
  );
  CREATE TABLE uptime_life (
    id integer PRIMARY KEY CHECK (id = 1),
    at_ms bigint NOT NULL,
    is_stop boolean NOT NULL
  );
`
