import { z } from 'zod'
import { paymentIdOf } from '../buying/payment-id.ts'

/** A payment as the ledger holds it, read without the service's own code. */
export type LedgerRow = {
  id: string
  state: string
  request: string
  amount: bigint
  transaction: string | undefined
  replyText: string | undefined
  settledAtMs: number | undefined
  /** Undefined on Solana. */
  validBeforeMs: number | undefined
}

const Row = z.object({
  state: z.string(),
  request: z.string(),
  amount: z.string().transform(BigInt),
  tx: z.string().nullable(),
  payment: z.string(),
  text: z.string().nullable(),
  // PostgreSQL tells large numbers as text.
  settled_at_ms: z.coerce.number().nullable(),
})
const Payment = z.object({ payload: z.unknown(), validBeforeMs: z.number().optional() })
/** The same in SQLite and PostgreSQL. */
export const PAYMENT_ROWS = `SELECT p.state, p.request, p.amount, p.tx, p.payment, p.settled_at_ms, r.text
  FROM payments p LEFT JOIN replies r ON r.payment = p.seq`

export function parseRow(record: unknown): LedgerRow {
  const { state, request, amount, tx, payment, text, settled_at_ms: settledAtMs } = Row.parse(record)
  const { payload, validBeforeMs } = Payment.parse(JSON.parse(payment))
  return {
    id: paymentIdOf(payload),
    state,
    request,
    amount,
    transaction: tx ?? undefined,
    replyText: text ?? undefined,
    settledAtMs: settledAtMs ?? undefined,
    validBeforeMs,
  }
}

export const isOpen = ({ state }: LedgerRow): boolean => state === 'claimed' || state === 'settling'
