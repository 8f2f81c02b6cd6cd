import { isSignature } from '@solana/kit'
import { z } from 'zod'
import type { Usd } from '../../../core/money.ts'
import type { Payment } from '../../gate/payment.ts'
import type { ChainOutcome } from '../../gate/ports.ts'
import { findMessage, findWireTransaction, messageHash } from '../../read/svm/svm-transaction.ts'
import type { Referee } from '../chain.ts'
import { type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'
import { createBlockhashLife } from './blockhash-life.ts'
import { createFindLanded, type Sought } from './find-landed.ts'
import { createMessageHashes, type MessageHashes } from './message-hashes.ts'

export type SvmRefereeOptions = {
  rpc: JsonRpc
  /** From this price on a payment counts when it is finalized, about 13 s later; undefined: never needed. */
  finalizedFrom: Usd | undefined
}

const Statuses = z.object({
  value: z.tuple([z.object({ err: z.unknown(), confirmationStatus: z.string().nullish() }).nullable()]),
})

/** Solana keeps no list of used authorizations: a message is paid when a transaction with it landed. */
export function createSvmReferee({ rpc, finalizedFrom }: SvmRefereeOptions): Referee {
  const hashes = createMessageHashes(rpc)
  const { lifeOf } = createBlockhashLife(rpc)
  const findLanded = createFindLanded(rpc, hashes)
  const paid = async (transaction: string, { requirement }: Payment): Promise<ChainOutcome> => {
    const isEnough =
      finalizedFrom === undefined ||
      BigInt(requirement.amount) < finalizedFrom ||
      (await isFinalized(rpc, transaction))
    return isEnough ? { kind: 'paid', transaction } : { kind: 'open', isSeen: true }
  }
  return {
    async outcome(payment, hint, claimedAtMs) {
      const sought = soughtOf(payment, claimedAtMs)
      if (hint !== undefined && (await isHash(hashes, hint, sought.hash))) return paid(hint, payment)
      // First whether it can still land, then whether it did: in the other order it could land in between.
      const life = await lifeOf(sought.blockhash, claimedAtMs)
      const transaction = await findLanded(sought, life)
      if (transaction !== undefined) return paid(transaction, payment)
      return life.goneAtSlot === undefined ? { kind: 'open' } : { kind: 'dead', isAbsent: true }
    },
  }
}

/** What a facilitator named may be anything: where a node refuses to look it up, it says nothing. */
export async function isHash(hashes: MessageHashes, hint: string, hash: string): Promise<boolean> {
  if (!isSignature(hint)) return false
  const landed = await hashes.landed(hint).catch((error) => {
    if (error instanceof JsonRpcRefusal) return undefined
    throw error
  })
  return landed === hash
}

async function isFinalized(rpc: JsonRpc, signature: string): Promise<boolean> {
  const reply = await rpc.call('getSignatureStatuses', [[signature], { searchTransactionHistory: true }])
  const [status] = Statuses.parse(reply).value
  return status?.confirmationStatus === 'finalized' && status.err === null
}

export function soughtOf(payment: Payment, claimedAtMs: number | undefined): Sought {
  const { payload } = payment.payload
  const base64 = typeof payload === 'object' && payload && 'transaction' in payload ? payload.transaction : ''
  const wire = findWireTransaction(String(base64))
  const message = wire && findMessage(wire.message)
  if (!wire || !message) throw new Error(`${payment.key} holds no transaction`)
  return {
    payer: payment.payer,
    hash: messageHash(wire.message),
    blockhash: message.lifetimeToken,
    claimedAtMs,
  }
}
