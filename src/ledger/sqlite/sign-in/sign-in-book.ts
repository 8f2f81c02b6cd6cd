import type { DatabaseSync } from 'node:sqlite'
import { type IssuedToken, NONCE_KEPT_MS, type SignInBook } from '../../ports/sign-in-book.ts'
import type { GroupCommit } from '../group-commit.ts'

/** Rows that one write forgets at most: more than it adds, and less than anybody would notice. */
export const PORTION = 100

export function createSqliteSignInBook(db: DatabaseSync, commit: GroupCommit): SignInBook {
  const nonces = prepareNonces(db)
  const revoked = prepareRevoked(db)
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
        revoked.forget(nowMs)
        revoked.addToken(id, expiresMs)
      }),
    revokeWallet: (wallet, expiresMs, nowMs) =>
      commit.write(() => {
        revoked.forget(nowMs)
        revoked.addWallet(wallet, nowMs, expiresMs)
      }),
    isRevoked: (token) => commit.read(() => revoked.has(token)),
  }
}

function prepareRevoked(db: DatabaseSync) {
  const find = db.prepare(`
    SELECT 1 FROM revoked_tokens WHERE id = ?
    UNION ALL
    SELECT 1 FROM revoked_wallets WHERE wallet = ? AND before_ms >= ?
    LIMIT 1
  `)
  const forgetTokens = db.prepare(`
    DELETE FROM revoked_tokens
    WHERE id IN (SELECT id FROM revoked_tokens WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ${PORTION})
  `)
  // No portions: only the operator adds to them.
  const forgetWallets = db.prepare('DELETE FROM revoked_wallets WHERE expires_ms <= ?')
  const addToken = db.prepare(
    'INSERT INTO revoked_tokens (id, expires_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const addWallet = db.prepare(
    'INSERT INTO revoked_wallets (wallet, before_ms, expires_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    has: ({ id, wallet, issuedMs }: IssuedToken) => find.get(id, wallet, issuedMs) !== undefined,
    forget(nowMs: number) {
      forgetTokens.run(nowMs)
      forgetWallets.run(nowMs)
    },
    addToken: (id: string, expiresMs: number) => addToken.run(id, expiresMs),
    addWallet: (wallet: string, beforeMs: number, expiresMs: number) =>
      addWallet.run(wallet, beforeMs, expiresMs),
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
