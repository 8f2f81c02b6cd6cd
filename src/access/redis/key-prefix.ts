import type { LedgerIdentity } from '../../ledger/ports/ledger-identity.ts'

/** Of all keys of one service: two services on one Redis, or play and real money, never share a budget. */
export const keyPrefix = ({ mode, ledgerId }: Pick<LedgerIdentity, 'mode' | 'ledgerId'>): string =>
  `tollbook:${mode}:${ledgerId}:`
