import { NONCE_KEPT_MS, type SignInBook } from '../../ports/sign-in-book.ts'
import { TEXT } from '../basic-tables.ts'
import type { Database } from '../database.ts'
import { neverChanged } from '../guards.ts'

export const SIGN_IN = `
  CREATE TABLE sign_in_nonces (nonce ${TEXT} PRIMARY KEY, spent_ms bigint NOT NULL);
  CREATE INDEX sign_in_nonces_end ON sign_in_nonces (spent_ms);
  ${neverChanged('sign_in_nonces')}
  CREATE TABLE revoked_tokens (id ${TEXT} PRIMARY KEY, expires_ms bigint NOT NULL);
  CREATE INDEX revoked_tokens_end ON revoked_tokens (expires_ms);
  ${neverChanged('revoked_tokens')}
  CREATE TABLE revoked_wallets (
    wallet ${TEXT} NOT NULL,
    before_ms bigint NOT NULL,
    expires_ms bigint NOT NULL,
    PRIMARY KEY (wallet, before_ms)
  );
  CREATE INDEX revoked_wallets_end ON revoked_wallets (expires_ms);
  ${neverChanged('revoked_wallets')}
`

/** Rows that one write forgets at most: more than it adds, and less than anybody would notice. */
const PORTION = 100

/** Skips what another process is about to forget. */
const FORGET_NONCES = `
  DELETE FROM sign_in_nonces WHERE nonce IN (
    SELECT nonce FROM sign_in_nonces WHERE spent_ms <= $1 ORDER BY spent_ms LIMIT ${PORTION} FOR UPDATE SKIP LOCKED)`
/** Stops counting at the limit. The limit is soft by as many as are spent at the same time. */
const SPEND = `
  WITH spent AS (
    INSERT INTO sign_in_nonces (nonce, spent_ms)
    SELECT $1, $2 WHERE (SELECT count(*) FROM (SELECT 1 FROM sign_in_nonces LIMIT $3) kept) < $3
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent) AS is_spent,
    EXISTS (SELECT 1 FROM sign_in_nonces WHERE nonce = $1) AS is_used`
const IS_USED = 'SELECT 1 FROM sign_in_nonces WHERE nonce = $1'
const FORGET_TOKENS = `
  DELETE FROM revoked_tokens WHERE id IN (
    SELECT id FROM revoked_tokens WHERE expires_ms <= $1 ORDER BY expires_ms LIMIT ${PORTION} FOR UPDATE SKIP LOCKED)`
// No portions: only the operator adds to them.
const FORGET_WALLETS = 'DELETE FROM revoked_wallets WHERE expires_ms <= $1'
const ADD_TOKEN = 'INSERT INTO revoked_tokens (id, expires_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING'
const ADD_WALLET =
  'INSERT INTO revoked_wallets (wallet, before_ms, expires_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING'
const IS_REVOKED = `
  SELECT 1 FROM revoked_tokens WHERE id = $1
  UNION ALL
  SELECT 1 FROM revoked_wallets WHERE wallet = $2 AND before_ms >= $3
  LIMIT 1`

export function createPostgresSignInBook({ query }: Database): SignInBook {
  const forgetRevoked = async (nowMs: number) => {
    await query(FORGET_TOKENS, [nowMs])
    await query(FORGET_WALLETS, [nowMs])
  }
  return {
    async spendNonce(nonce, { nowMs, room }) {
      await query(FORGET_NONCES, [nowMs - NONCE_KEPT_MS])
      const [row] = (await query(SPEND, [nonce, nowMs, room])).rows
      if (row?.is_spent === true) return 'spent'
      // Asked again: another process may have spent it after this statement began.
      return row?.is_used === true || (await query(IS_USED, [nonce])).count > 0 ? 'used' : 'full'
    },
    async revokeToken(id, expiresMs, nowMs) {
      await forgetRevoked(nowMs)
      await query(ADD_TOKEN, [id, expiresMs])
    },
    async revokeWallet(wallet, expiresMs, nowMs) {
      await forgetRevoked(nowMs)
      await query(ADD_WALLET, [wallet, nowMs, expiresMs])
    },
    isRevoked: async ({ id, wallet, issuedMs }) =>
      (await query(IS_REVOKED, [id, wallet, issuedMs])).count > 0,
  }
}
