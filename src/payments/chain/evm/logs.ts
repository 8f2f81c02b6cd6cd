import { toEventSelector } from 'viem'
import { z } from 'zod'
import type { Payment } from '../../gate/payment.ts'
import { findSignedAuthorization, type Hex } from '../../read/evm/evm-authorization.ts'

/** What one authorization must have done on chain, written as logs are: 32-byte words in lower case. */
export type Expected = {
  token: Hex
  payer: Hex
  payerTopic: Hex
  payToTopic: Hex
  nonce: Hex
  amount: bigint
  validBeforeS: number
}

export const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
export const AUTHORIZATION_CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

const lower = (text: string) => text.toLowerCase() as Hex
const Bytes = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform(lower)
export const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform(Number)
export const Log = z.object({
  address: Bytes,
  topics: z.array(Bytes),
  data: Bytes,
  blockNumber: Quantity,
  logIndex: Quantity,
  transactionHash: Bytes,
})
export type Log = z.infer<typeof Log>
const RawReceipt = z.nullable(
  z.object({ status: Quantity, blockNumber: Quantity, transactionHash: Bytes, logs: z.array(z.unknown()) }),
)
/** With the logs of one token. Null while the node knows no block with the transaction. */
export type Receipt = { status: number; blockNumber: number; transactionHash: Hex; logs: Log[] } | null

/** Logs of others are not looked at: a stranger makes them, as many as he likes. */
export function toReceipt(reply: unknown, token: Hex): Receipt {
  const receipt = RawReceipt.parse(reply)
  return receipt && { ...receipt, logs: receipt.logs.filter(isOf(token)).map((log) => Log.parse(log)) }
}

const isOf = (token: Hex) => (log: unknown) => {
  const { address } = (log ?? {}) as { address?: unknown }
  return typeof address === 'string' && lower(address) === token
}

/** For a payment that passed our checks, perhaps in an earlier process. */
export function expectedOf(payment: Payment): Expected {
  const signed = findSignedAuthorization(payment.payload.payload)
  if (!signed) throw new Error(`${payment.key} holds no authorization`)
  const { from, nonce, validBefore } = signed.authorization
  const { asset, payTo, amount } = payment.requirement
  return {
    token: lower(asset),
    payer: from,
    payerTopic: addressTopic(from),
    payToTopic: addressTopic(payTo),
    nonce,
    amount: BigInt(amount),
    validBeforeS: Number(validBefore),
  }
}

export function isAbout(log: Log, { token, payerTopic, nonce }: Expected): boolean {
  return log.address === token && log.topics[1] === payerTopic && log.topics[2] === nonce
}

/**
 * Whether this authorization, and not only this transaction, paid us. The token logs the use of a nonce and then the
 * transfer, so the transfer of an authorization is the token's next log. Any other transfer of the transaction would not
 * do: it may belong to a second authorization, which would then be counted twice.
 */
export function isPaidBy(receipt: Receipt, expected: Expected): boolean {
  if (receipt?.status !== 1) return false
  const logs = receipt.logs
    .filter(({ address }) => address === expected.token)
    .sort((a, b) => a.logIndex - b.logIndex)
  const used = logs.findIndex((log) => log.topics[0] === AUTHORIZATION_USED && isAbout(log, expected))
  const transfer = used < 0 ? undefined : logs[used + 1]
  return (
    transfer !== undefined &&
    transfer.topics[0] === TRANSFER &&
    transfer.topics[1] === expected.payerTopic &&
    transfer.topics[2] === expected.payToTopic &&
    transfer.data.length === 66 &&
    BigInt(transfer.data) === expected.amount
  )
}

/** An address as a word of a log, in lower case. */
export function addressTopic(address: string): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}
