import type { DatabaseSync } from 'node:sqlite'
import { NONCES_MAX, type NonceRow, type SignInBook } from '../../ports/sign-in-book.ts'
import type { GroupCommit } from '../group-commit.ts'

export function createSqliteSignInBook(db: DatabaseSync, commit: GroupCommit): SignInBook {
  const find = db.prepare('SELECT * FROM sign_in_nonces WHERE nonce = ? AND wallet IS NOT NULL')
  const use = db.prepare(
    'DELETE FROM sign_in_nonces WHERE nonce = ? AND wallet IS NOT NULL AND expires_ms > ?',
  )
  const isKnown = db.prepare('SELECT 1 FROM sign_in_nonces WHERE nonce = ?')
  const isEnded = db.prepare('SELECT 1 FROM revoked_tokens WHERE id = ?')
  const forget = db.prepare('DELETE FROM revoked_tokens WHERE expires_ms <= ?')
  const revoke = db.prepare(
    'INSERT INTO revoked_tokens (id, expires_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const nonces = prepareNonces(db)
  return {
    addNonce: ({ nonce, wallet, issuedMs, expiresMs }, nowMs) =>
      commit.write(() => nonces.makeRoom(nowMs) && nonces.add(nonce, wallet, issuedMs, expiresMs)),
    findNonce: (nonce) =>
      commit.read(() => {
        const row = find.get(nonce)
        return row && toRow(row)
      }),
    useNonce: (nonce, nowMs) => commit.write(() => use.run(nonce, nowMs).changes === 1),
    spendNonce: (nonce, expiresMs, nowMs) =>
      commit.write(() => {
        const hasRoom = nonces.makeRoom(nowMs)
        if (isKnown.get(nonce)) return 'used'
        if (!hasRoom) return 'full'
        nonces.add(nonce, null, nowMs, expiresMs)
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
  const forget = db.prepare('DELETE FROM sign_in_nonces WHERE expires_ms <= ?')
  const span = db.prepare(`
    SELECT coalesce((SELECT max(seq) FROM sign_in_nonces) - (SELECT min(seq) FROM sign_in_nonces) + 1, 0) AS rows`)
  const insert = db.prepare(
    'INSERT INTO sign_in_nonces (nonce, wallet, issued_ms, expires_ms) VALUES (?, ?, ?, ?)',
  )
  return {
    makeRoom(nowMs: number): boolean {
      forget.run(nowMs)
      return Number(span.get()?.rows) < NONCES_MAX
    },
    add: (nonce: string, wallet: string | null, issuedMs: number, expiresMs: number): boolean =>
      insert.run(nonce, wallet, issuedMs, expiresMs).changes === 1,
  }
}

const toRow = (row: Record<string, unknown>): NonceRow => ({
  nonce: String(row.nonce),
  wallet: String(row.wallet),
  issuedMs: Number(row.issued_ms),
  expiresMs: Number(row.expires_ms),
})
