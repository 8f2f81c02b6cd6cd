import type { DatabaseSync } from 'node:sqlite'

/** Applied in order, each once, never edited after release: add the next one at the end. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE demo_calls (
     day INTEGER NOT NULL,
     client TEXT NOT NULL,
     used INTEGER NOT NULL CHECK (used >= 0),
     PRIMARY KEY (day, client)
   ) STRICT, WITHOUT ROWID`,
]

export function migrate(db: DatabaseSync): void {
  const done = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  if (done > MIGRATIONS.length)
    throw new Error(
      `the ledger is at version ${done}, newer than this program's ${MIGRATIONS.length}: start a newer release`,
    )
  for (let version = done; version < MIGRATIONS.length; version++) {
    db.exec(`BEGIN IMMEDIATE; ${MIGRATIONS[version]}; PRAGMA user_version = ${version + 1}; COMMIT`)
  }
}
