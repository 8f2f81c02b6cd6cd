import type { DatabaseSync } from 'node:sqlite'
import { toBossSignal, toBreaker, toConfig } from '../../bot-rows/control-rows.ts'
import type { BotBook, BreakerRow, ConfigRow } from '../../ports/bot-book.ts'
import type { Columns } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'

type Switches = Pick<BotBook, 'addConfig' | 'configs' | 'addBreaker' | 'breakerRows'>
type BossSignals = Pick<BotBook, 'addBossSignal' | 'findBossSignal' | 'bossSignals'>

export function createSqliteSwitches(db: DatabaseSync, commit: GroupCommit): Switches {
  const newestVersion = db.prepare('SELECT coalesce(max(version), 0) AS version FROM bot_configs')
  const configs = db.prepare('SELECT * FROM bot_configs ORDER BY version DESC LIMIT ? OFFSET ?')
  const insertBreaker = db.prepare(
    'INSERT INTO bot_breaker (at_ms, kind, reason, made_by) VALUES (?, ?, ?, ?)',
  )
  const breaker = db.prepare('SELECT * FROM bot_breaker ORDER BY seq DESC LIMIT ?')
  return {
    addConfig: (row) =>
      commit.write(() => {
        if (row.version !== Number(newestVersion.get()?.version) + 1) return false
        insertConfig(db, row)
        return true
      }),
    configs: ({ limit, offset }) => commit.read(() => configs.all(limit, offset).map(toConfig)),
    addBreaker: ({ atMs, kind, reason, by }) =>
      commit.write(() => Number(insertBreaker.run(atMs, kind, reason, by).lastInsertRowid)),
    breakerRows: (limit) => commit.read(() => breaker.all(limit).map(toBreaker)),
  }
}

/** The version must be the one after the newest. */
export function insertConfig(db: DatabaseSync, { version, atMs, by, text }: ConfigRow): void {
  db.prepare('INSERT INTO bot_configs (version, at_ms, made_by, text) VALUES (?, ?, ?, ?)').run(
    version,
    atMs,
    by,
    text,
  )
}

/** The newest of each, also from a ledger that is only looked at. */
export function readSwitches(db: DatabaseSync): {
  config: ConfigRow | undefined
  breaker: BreakerRow | undefined
} {
  const [config] = db.prepare('SELECT * FROM bot_configs ORDER BY version DESC LIMIT 1').all().map(toConfig)
  const [breaker] = db.prepare('SELECT * FROM bot_breaker ORDER BY seq DESC LIMIT 1').all().map(toBreaker)
  return { config, breaker }
}

export function createSqliteBossSignals(db: DatabaseSync, commit: GroupCommit): BossSignals {
  const insert = db.prepare(`
    INSERT INTO bot_boss_signals (at_ms, made_by, direction, coin, reason, window_start_s) VALUES (?, ?, ?, ?, ?, ?)
    RETURNING *
  `)
  const find = db.prepare(
    'SELECT * FROM bot_boss_signals WHERE window_start_s = ? AND coin = ? ORDER BY seq DESC LIMIT 1',
  )
  const newest = db.prepare('SELECT * FROM bot_boss_signals ORDER BY seq DESC LIMIT ?')
  return {
    addBossSignal: ({ atMs, by, direction, coin, reason, windowStartS }) =>
      commit.write(() =>
        toBossSignal(insert.get(atMs, by, direction, coin, reason ?? null, windowStartS) as Columns),
      ),
    findBossSignal: (coin, windowStartS) =>
      commit.read(() => find.all(windowStartS, coin).map(toBossSignal)[0]),
    bossSignals: (limit) => commit.read(() => newest.all(limit).map(toBossSignal)),
  }
}
