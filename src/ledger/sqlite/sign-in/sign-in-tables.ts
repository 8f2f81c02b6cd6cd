import { neverChanged } from '../guards.ts'

/** Rows come and go in the order of `seq`, so the newest less the oldest says how many there are without counting them. */
export const SIGN_IN = `
  CREATE TABLE sign_in_nonces (
    seq INTEGER PRIMARY KEY,
    nonce TEXT NOT NULL UNIQUE,
    spent_ms INTEGER NOT NULL
  ) STRICT;
  ${neverChanged('sign_in_nonces')}
  CREATE TABLE revoked_tokens (
    id TEXT PRIMARY KEY,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX revoked_tokens_end ON revoked_tokens (expires_ms);
  ${neverChanged('revoked_tokens')}
  CREATE TABLE revoked_wallets (
    wallet TEXT NOT NULL,
    before_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    PRIMARY KEY (wallet, before_ms)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX revoked_wallets_end ON revoked_wallets (expires_ms);
  ${neverChanged('revoked_wallets')}
`
