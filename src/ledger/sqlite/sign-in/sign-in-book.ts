import type { DatabaseSync } from 'node:sqlite'
import { NONCE_KEPT_MS, type SignInBook } from '../../ports/sign-in-book.ts'
import type { GroupCommit } from '../group-commit.ts'

/** Rows that one write forgets at most: more than it adds, and less than anybody would notice. */
export const PORTION = 100

export function createSqliteSignInBook(db: DatabaseSync, commit: GroupCommit): SignInBook {
  const nonces = prepareNonces(db)
  const isEnded = db.prepare('SELECT 1 FROM revoked_tokens WHERE id = ?')
  const forget = db.prepare(`
    DELETE FROM revoked_tokens
    WHERE id IN (SELECT id FROM revoked_tokens WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ${PORTION})
  `)
  const revoke = db.prepare(
    'INSERT INTO revoked_tokens (id, expires_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    spendNonce: (nonce, { nowMs, room }) =>
      commit.write(() => {
        nonces.forget(nowMs - NONCE_KEPT_MS)
        if (nonces.has(nonce)) return 'used'
        if (nonces.count() >= room) return 'full'
        nonces.add(nonce, nowMs)
        return 'spent'
      }),
    revokeToken: (id, expiresMs, nowMs) =>
      commit.write(() => {
        forget.run(nowMs)
        revoke.run(id, expiresMs)
      }),
    isRevoked: (id) => commit.read(() => isEnded.get(id) !== undefined),
  }
}

function prepareNonces(db: DatabaseSync) {
  const forget = db.prepare(`
    DELETE FROM sign_in_nonces
    WHERE seq < (SELECT min(seq) FROM sign_in_nonces) + ${PORTION} AND spent_ms <= ?
  `)
  const find = db.prepare('SELECT 1 FROM sign_in_nonces WHERE nonce = ?')
  const span = db.prepare(`
    SELECT coalesce((SELECT max(seq) FROM sign_in_nonces) - (SELECT min(seq) FROM sign_in_nonces) + 1, 0) AS rows
  `)
  const insert = db.prepare('INSERT INTO sign_in_nonces (nonce, spent_ms) VALUES (?, ?)')
  return {
    forget: (untilMs: number) => forget.run(untilMs),
    has: (nonce: string) => find.get(nonce) !== undefined,
    count: () => Number(span.get()?.rows),
    add: (nonce: string, nowMs: number) => insert.run(nonce, nowMs),
  }
}
