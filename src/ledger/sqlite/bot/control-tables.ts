import { forbids, keeps, neverRemoved, onlyAdded } from '../guards.ts'
import { BROKER, direction } from './shared-columns.ts'

/** What was decided, and what steers the bot. */
export const CONTROLS = `
  CREATE TABLE bot_decisions (
    seq INTEGER PRIMARY KEY,
    window_start_s INTEGER NOT NULL,
    coin TEXT NOT NULL,
    attempt INTEGER NOT NULL CHECK (attempt >= 1),
    at_ms INTEGER NOT NULL,
    ${BROKER},
    action TEXT NOT NULL CHECK (action IN ('buy', 'none')),
    reason TEXT NOT NULL,
    facts TEXT NOT NULL,
    UNIQUE (window_start_s, coin, attempt)
  ) STRICT;
  ${onlyAdded('bot_decisions', 'seq', 'window_start_s, coin, attempt')}
  CREATE TABLE bot_configs (
    version INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER bot_configs_in_turn BEFORE INSERT ON bot_configs
  WHEN NEW.version IS NOT (SELECT coalesce(max(version), 0) + 1 FROM bot_configs)
  BEGIN SELECT RAISE(ABORT, 'bot_configs is only added to'); END;
  ${onlyAdded('bot_configs', 'version')}
  CREATE TABLE bot_breaker (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('opened', 'reset')),
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL
  ) STRICT;
  ${onlyAdded('bot_breaker', 'seq')}
  CREATE TABLE bot_boss_signals (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    ${direction('direction')},
    coin TEXT NOT NULL,
    reason TEXT,
    window_start_s INTEGER NOT NULL,
    used_ms INTEGER
  ) STRICT;
  CREATE INDEX bot_boss_signals_window ON bot_boss_signals (window_start_s, coin);
  ${neverRemoved('bot_boss_signals', 'seq')}
  ${keeps('bot_boss_signals', ['seq', 'at_ms', 'made_by', 'direction', 'coin', 'reason', 'window_start_s'])}
  ${forbids('bot_boss_signals', 'are_used_once', 'OLD.used_ms IS NOT NULL')}
`
