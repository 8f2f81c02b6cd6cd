import { z } from 'zod'
import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import { EVM_NETWORK } from '../challenge/terms.ts'
import type { Payment } from '../gate/payment.ts'
import type { Facilitators } from '../gate/ports.ts'
import type { Transfer } from './transfers.ts'

/** How long after its block a transfer can be claimed. */
export const TRANSFER_FRESH_MS = HOUR_MS
/** What the ledger shows in place of a facilitator. */
const DIRECT = 'direct_transfer'
const KEY_HEAD = `${EVM_NETWORK}/tx/`

const Payload = z.object({ transfer: z.object({ transaction: z.string(), position: z.int() }) })

export const transferKey = (transaction: string, position: number): string =>
  `${KEY_HEAD}${transaction}/${position}`
export const isTransferKey = (key: string): boolean => key.startsWith(KEY_HEAD)

/** A transfer in the shape of a payment, so that the same ledger, steps and recovery serve both. */
export function toPayment(
  { position, from, value }: Transfer,
  transaction: string,
  blockTimeMs: number,
  requirement: Requirement,
): Payment {
  const key = transferKey(transaction, position)
  return {
    version: 2,
    key,
    network: EVM_NETWORK,
    payer: from,
    payload: { transfer: { transaction, position } } satisfies z.infer<typeof Payload>,
    // The whole transfer, not only the price: the ledger shows every cent that came in.
    requirement: { ...requirement, amount: value.toString() },
    validBeforeMs: blockTimeMs + TRANSFER_FRESH_MS,
    digest: key,
    identifier: undefined,
  }
}

/** When the block was made in which the transfer was claimed. */
export const minedAtMs = ({ validBeforeMs = 0 }: Payment): number => validBeforeMs - TRANSFER_FRESH_MS

export function findTransferOf({ payload }: Payment): { transaction: string; position: number } | undefined {
  return Payload.safeParse(payload).data?.transfer
}

/** Undefined where we do not accept USDC on Base. */
export function findEvmRequirement(terms: PaymentTerms, amount: string): Requirement | undefined {
  return terms.accepts(amount).find(({ network }) => network === EVM_NETWORK)
}

/** There is nothing to send: the money has moved already, and the chain is asked whether that is final. */
export const nothingToSend: Facilitators = {
  verify: async () => ({ kind: 'valid' }),
  ready: async () => {},
  settle: async (payment) => ({
    kind: 'accepted',
    transaction: findTransferOf(payment)?.transaction,
    facilitator: DIRECT,
  }),
}
