import { toBossSignal, toBreaker, toConfig } from '../../bot-rows/control-rows.ts'
import type { BotBook } from '../../ports/bot-book.ts'
import type { Columns, Database } from '../database.ts'
import { inTurn } from './in-turn.ts'

type Switches = Pick<BotBook, 'addConfig' | 'configs' | 'addBreaker' | 'breakerRows'>
type BossSignals = Pick<BotBook, 'addBossSignal' | 'findBossSignal' | 'bossSignals'>

const ADD_CONFIG = `
  INSERT INTO bot_configs (version, at_ms, made_by, text) SELECT $1::bigint, $2, $3, $4
  WHERE $1 = (SELECT coalesce(max(version), 0) + 1 FROM bot_configs)`
const CONFIGS =
  'SELECT version, at_ms, made_by, text FROM bot_configs ORDER BY version DESC LIMIT $1 OFFSET $2'
const ADD_BREAKER =
  'INSERT INTO bot_breaker (at_ms, kind, reason, made_by) VALUES ($1, $2, $3, $4) RETURNING seq'
const BREAKER = 'SELECT seq, at_ms, kind, reason, made_by FROM bot_breaker ORDER BY seq DESC LIMIT $1'

export function createPostgresSwitches(database: Database): Switches {
  const { query } = database
  return {
    addConfig: ({ version, atMs, by, text }) =>
      inTurn(database, async (ask) => (await ask(ADD_CONFIG, [version, atMs, by, text])).count === 1),
    configs: async ({ limit, offset }) => (await query(CONFIGS, [limit, offset])).rows.map(toConfig),
    // In turn, so that no row appears before one that was seen already.
    addBreaker: ({ atMs, kind, reason, by }) =>
      inTurn(database, async (ask) =>
        Number((await ask(ADD_BREAKER, [atMs, kind, reason, by])).rows[0]?.seq),
      ),
    breakerRows: async (limit) => (await query(BREAKER, [limit])).rows.map(toBreaker),
  }
}

const BOSS_SIGNAL = 'seq, at_ms, made_by, direction, coin, reason, window_start_s, used_ms'
const ADD_BOSS_SIGNAL = `
  INSERT INTO bot_boss_signals (at_ms, made_by, direction, coin, reason, window_start_s)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${BOSS_SIGNAL}`
const FIND_BOSS_SIGNAL = `
  SELECT ${BOSS_SIGNAL} FROM bot_boss_signals WHERE window_start_s = $1 AND coin = $2 ORDER BY seq DESC LIMIT 1`
const BOSS_SIGNALS = `SELECT ${BOSS_SIGNAL} FROM bot_boss_signals ORDER BY seq DESC LIMIT $1`

export function createPostgresBossSignals({ query }: Database): BossSignals {
  return {
    async addBossSignal({ atMs, by, direction, coin, reason, windowStartS }) {
      const values = [atMs, by, direction, coin, reason ?? null, windowStartS]
      return toBossSignal((await query(ADD_BOSS_SIGNAL, values)).rows[0] as Columns)
    },
    findBossSignal: async (coin, windowStartS) =>
      (await query(FIND_BOSS_SIGNAL, [windowStartS, coin])).rows.map(toBossSignal)[0],
    bossSignals: async (limit) => (await query(BOSS_SIGNALS, [limit])).rows.map(toBossSignal),
  }
}
