import { neverChanged } from '../guards.ts'

/**
 * Rows expire in the order of `seq`, so the newest less the oldest bounds how many there are without counting them.
 * `wallet` is null where a nonce was spent that its signer had brought along.
 */
export const SIGN_IN = `
  CREATE TABLE sign_in_nonces (
    seq INTEGER PRIMARY KEY,
    nonce TEXT NOT NULL UNIQUE,
    wallet TEXT,
    issued_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sign_in_nonces_end ON sign_in_nonces (expires_ms);
  ${neverChanged('sign_in_nonces')}
  CREATE TABLE revoked_tokens (
    id TEXT PRIMARY KEY,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX revoked_tokens_end ON revoked_tokens (expires_ms);
  ${neverChanged('revoked_tokens')}
`
