import { countText } from '../../core/count-text.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { LedgerFacts } from '../../ledger/files/ledger-file.ts'
import { TRANSFER_FRESH_MS } from '../../payments/transfer-claim/transfer-payment.ts'

/** A plain transfer can be claimed for longer than any signed payment lives. */
export const USABLE_TEXT = countText(TRANSFER_FRESH_MS / MINUTE_MS, 'minute')

/** One line on what a ledger holds. */
export function describeLedger({ payments, settled, replies, identity }: LedgerFacts): string {
  const whose = identity
    ? `ledger ${identity.ledgerId} of ${identity.mode} mode`
    : 'a ledger that names no mode'
  return `${whose}, ${countText(payments, 'payment')}, ${settled} of them settled, ${countText(replies, 'stored reply', 'stored replies')}`
}

/** What became of a bot that traded live in the ledger that was put here. */
export const LEFT_LIVE = `THE BOT TRADED LIVE in this ledger. It is back on simulated money (sim_mode), since what was traded meanwhile is
not known here: read "After a restore" in docs/runbook.md before you send {"sim_mode":false} to POST /admin/trading/config`

/** What it means that a second ledger may exist. */
export const ONE_LEDGER = `Two ledgers with one payee sell two goods for one payment:
  - the other copy of this ledger must never serve again; stop it and delete it
  - payments that it took since the copy was made are not known here: their buyers can no longer fetch their
    replies here, revenue leaves them out, and a payment of the last ${USABLE_TEXT} could be used a second time,
    so wait that long before you serve again
`
