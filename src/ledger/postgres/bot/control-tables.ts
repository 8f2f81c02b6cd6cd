import { TEXT } from '../basic-tables.ts'
import { forbids, keeps, neverRemoved, onlyAdded } from '../guards.ts'
import { BROKER, direction, SEQ } from './shared-columns.ts'

/** What was decided, and what steers the bot. */
export const CONTROLS = `
  CREATE TABLE bot_decisions (
    ${SEQ},
    window_start_s bigint NOT NULL,
    coin ${TEXT} NOT NULL,
    attempt bigint NOT NULL CHECK (attempt >= 1),
    at_ms bigint NOT NULL,
    ${BROKER},
    action ${TEXT} NOT NULL CHECK (action IN ('buy', 'none')),
    reason ${TEXT} NOT NULL,
    facts ${TEXT} NOT NULL,
    UNIQUE (window_start_s, coin, attempt)
  );
  ${onlyAdded('bot_decisions')}
  CREATE TABLE bot_configs (
    version bigint PRIMARY KEY,
    at_ms bigint NOT NULL,
    made_by ${TEXT} NOT NULL,
    text ${TEXT} NOT NULL
  );
  CREATE FUNCTION bot_configs_in_turn() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.version <> (SELECT coalesce(max(version), 0) + 1 FROM bot_configs) THEN
      RAISE EXCEPTION 'bot_configs is only added to' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER bot_configs_in_turn BEFORE INSERT ON bot_configs
  FOR EACH ROW EXECUTE FUNCTION bot_configs_in_turn();
  ${onlyAdded('bot_configs')}
  CREATE TABLE bot_breaker (
    ${SEQ},
    at_ms bigint NOT NULL,
    kind ${TEXT} NOT NULL CHECK (kind IN ('opened', 'reset')),
    reason ${TEXT} NOT NULL,
    made_by ${TEXT} NOT NULL
  );
  ${onlyAdded('bot_breaker')}
  CREATE TABLE bot_boss_signals (
    ${SEQ},
    at_ms bigint NOT NULL,
    made_by ${TEXT} NOT NULL,
    ${direction('direction')},
    coin ${TEXT} NOT NULL,
    reason ${TEXT},
    window_start_s bigint NOT NULL,
    used_ms bigint
  );
  CREATE INDEX bot_boss_signals_window ON bot_boss_signals (window_start_s, coin, seq);
  ${neverRemoved('bot_boss_signals')}
  ${keeps('bot_boss_signals', ['seq', 'at_ms', 'made_by', 'direction', 'coin', 'reason', 'window_start_s'])}
  ${forbids('bot_boss_signals', 'are_used_once', 'OLD.used_ms IS NOT NULL')}
`
