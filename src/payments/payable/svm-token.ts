import { z } from 'zod'
import { SVM_USDC } from '../../core/usdc.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
import type { Payment } from '../gate/payment.ts'
import { createTokenAccountOf, TOKEN_PROGRAM } from '../read/svm/svm-address.ts'
import { findMessage, findWireTransaction } from '../read/svm/svm-transaction.ts'
import { findTransfer } from '../read/svm/svm-transfer.ts'
import type { Token } from './token.ts'

const Account = z.object({
  value: z.object({ owner: z.string(), data: z.tuple([z.base64(), z.literal('base64')]) }).nullable(),
})
/** Of an account of the SPL Token program. */
const AMOUNT_AT = 64
const STATE_AT = 108
const FROZEN = 2

type TokenAccount = { isFrozen: boolean; amount: bigint }

/** On Solana money lies in accounts, which their owners can close and Circle can freeze. */
export function createSvmToken({ rpc, payTo }: { rpc: JsonRpc; payTo: string }): Token {
  const tokenAccountOf = createTokenAccountOf()
  return {
    async findClosure() {
      const account = await findAccount(rpc, await tokenAccountOf(payTo, SVM_USDC))
      if (!account) return 'the USDC account that is paid does not exist'
      return account.isFrozen ? 'the USDC account that is paid is frozen' : undefined
    },
    async findPayerProblem(payment) {
      const source = sourceOf(payment)
      if (source === undefined) return undefined
      const account = await findAccount(rpc, source)
      if (account?.isFrozen) return 'payer_blocked'
      const held = account?.amount ?? 0n
      return held < BigInt(payment.requirement.amount) ? 'insufficient_funds' : undefined
    },
  }
}

/** Undefined for an account that is closed, or was never made. */
async function findAccount(rpc: JsonRpc, address: string): Promise<TokenAccount | undefined> {
  const options = { encoding: 'base64', commitment: 'confirmed' }
  const { value } = Account.parse(await rpc.call('getAccountInfo', [address, options]))
  if (value?.owner !== TOKEN_PROGRAM) return undefined
  const data = Buffer.from(value.data[0], 'base64')
  if (data.length <= STATE_AT) return undefined
  return { isFrozen: data[STATE_AT] === FROZEN, amount: data.readBigUInt64LE(AMOUNT_AT) }
}

/** The account that the transaction of a payment takes the money from: any of its payer's. */
function sourceOf({ payload }: Payment): string | undefined {
  const { payload: inner } = payload
  const base64 = typeof inner === 'object' && inner && 'transaction' in inner ? inner.transaction : ''
  const wire = findWireTransaction(String(base64))
  const message = wire && findMessage(wire.message)
  return message && findTransfer(message)?.source
}
