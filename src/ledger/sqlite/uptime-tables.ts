import { CAUSE_MAX_CHARS, INCIDENTS_KEPT } from '../ports/uptime-book.ts'

export const UPTIME = `
  CREATE TABLE uptime_days (
    day INTEGER NOT NULL,
    part TEXT NOT NULL,
    ok INTEGER NOT NULL CHECK (ok >= 0),
    degraded INTEGER NOT NULL CHECK (degraded >= 0),
    down INTEGER NOT NULL CHECK (down >= 0),
    timed INTEGER NOT NULL CHECK (timed >= 0),
    total_ms REAL NOT NULL,
    max_ms REAL NOT NULL,
    PRIMARY KEY (day, part)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE uptime_incidents (
    began_ms INTEGER NOT NULL,
    part TEXT NOT NULL,
    ended_ms INTEGER,
    worst TEXT NOT NULL CHECK (worst IN ('degraded', 'down')),
    cause TEXT NOT NULL CHECK (length(cause) <= ${CAUSE_MAX_CHARS}),
    is_planned INTEGER NOT NULL CHECK (is_planned IN (0, 1)),
    PRIMARY KEY (began_ms, part)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER uptime_incidents_bound AFTER INSERT ON uptime_incidents
  BEGIN
    DELETE FROM uptime_incidents WHERE (began_ms, part) IN (
      SELECT began_ms, part FROM uptime_incidents ORDER BY began_ms DESC, part LIMIT -1 OFFSET ${INCIDENTS_KEPT}
    );
  END;
  CREATE TABLE uptime_life (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    at_ms INTEGER NOT NULL,
    is_stop INTEGER NOT NULL CHECK (is_stop IN (0, 1))
  ) STRICT;
`
