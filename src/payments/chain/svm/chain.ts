import type { Payment } from '../../gate/payment.ts'
import type { Chain } from '../../gate/ports.ts'
import { findMessage, findWireTransaction, messageHash } from '../../read/svm/svm-transaction.ts'
import { createJsonRpc } from '../json-rpc.ts'
import { createBlockhashLife } from './blockhash-life.ts'
import { createFindLanded, type Sought } from './find-landed.ts'
import { createMessageHashes } from './message-hashes.ts'

export type SvmRefereeOptions = { rpcUrl: string; timeoutMs: number }

const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Solana keeps no list of used authorizations: a message is paid when a transaction with it landed. */
export function createSvmReferee(options: SvmRefereeOptions): Chain {
  const rpc = createJsonRpc(options)
  const hashes = createMessageHashes(rpc)
  const { lifeOf } = createBlockhashLife(rpc)
  const findLanded = createFindLanded(rpc, hashes)
  return {
    async outcome(payment, hint) {
      const sought = soughtOf(payment)
      if (hint !== undefined && SIGNATURE.test(hint) && (await hashes.landed(hint)) === sought.hash)
        return { kind: 'paid', transaction: hint }
      // First whether it can still land, then whether it did: in the other order it could land in between.
      const life = await lifeOf(sought.blockhash)
      const transaction = await findLanded(sought, life)
      if (transaction !== undefined) return { kind: 'paid', transaction }
      return { kind: life.goneAtSlot === undefined ? 'open' : 'dead' }
    },
  }
}

function soughtOf(payment: Payment): Sought {
  const { payload } = payment.payload
  const base64 = typeof payload === 'object' && payload && 'transaction' in payload ? payload.transaction : ''
  const wire = findWireTransaction(String(base64))
  const message = wire && findMessage(wire.message)
  if (!wire || !message) throw new Error(`${payment.key} holds no transaction`)
  return { payer: payment.payer, hash: messageHash(wire.message), blockhash: message.lifetimeToken }
}
