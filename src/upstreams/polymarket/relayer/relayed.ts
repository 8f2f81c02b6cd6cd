import type { Address, Hex } from 'viem'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { type Upstream, UpstreamError } from '../../upstream.ts'
import type { AuthorizedRequests } from './authorized-request.ts'
import { LONGEST_VALIDITY_S } from './deposit-wallet.ts'
import { findTransaction, readDeployed, readNonce } from './relayer-reads.ts'
import type { SignedBatch } from './wallet-batch.ts'
import { type RelayedTransaction, toTransaction, WireTransactions } from './wire.ts'

/**
 * What became of a batch. `refused`: not taken, nothing moved. `failed`: nothing moved, and nothing will. `unknown`: it
 * may have been carried out, or still be; whoever wants it done has to look at the wallet first.
 */
export type Relayed =
  | { outcome: 'confirmed'; transactionHash: Hex | undefined }
  | { outcome: 'refused' | 'failed' | 'unknown'; reason: string }

export type Outcomes = {
  /** Until the relayer says that it is confirmed or has failed. */
  follow(id: string): Promise<Relayed>
  /** Of a batch whose submission got no answer. It is never sent again. */
  search(batch: SignedBatch, reason: string): Promise<Relayed>
  /** Of a wallet whose making got no answer. */
  appear(wallet: Address, reason: string): Promise<Relayed>
}

const LOOK_EVERY_MS = 2 * SECOND_MS
const MAX_LOOKS = 60
/** A batch without a trace this long after its deadline is void. */
const VOID_AFTER_MS = 30 * SECOND_MS
/** No wallet takes a batch that is valid for longer, so that by then it is void. */
const LONGEST_SEARCH_MS = LONGEST_VALIDITY_S * SECOND_MS + 2 * VOID_AFTER_MS
const MAX_SEARCH_LOOKS = LONGEST_SEARCH_MS / LOOK_EVERY_MS

type Ports = { upstream: Upstream; authorized: AuthorizedRequests; clock: Clock; closing: AbortSignal }

export function createOutcomes({ upstream, authorized, clock, closing }: Ports): Outcomes {
  const pause = () => sleep(clock, LOOK_EVERY_MS, closing)
  const follow = async (id: string): Promise<Relayed> => {
    for (let looks = 0; looks < MAX_LOOKS && !closing.aborted; looks++) {
      const found = await findTransaction(upstream, id)
      const relayed = found && toRelayed(found)
      if (relayed) return relayed
      await pause()
    }
    return { outcome: 'unknown', reason: `transaction ${id} is neither confirmed nor failed` }
  }
  return {
    follow,
    async search(batch, reason) {
      const voidMs = Number(batch.deadline) * SECOND_MS + VOID_AFTER_MS
      const endMs = clock.now() + LONGEST_SEARCH_MS
      for (let looks = 0; looks < MAX_SEARCH_LOOKS && clock.now() < endMs && !closing.aborted; looks++) {
        const listed = await authorized.send('GET', '/transactions', WireTransactions)
        if (listed.outcome === 'answered') {
          const found = listed.value.map(toTransaction).find(isOf(batch))
          if (found) return follow(found.id)
          // By the relayer's time: where our clock is ahead, the wallet still takes the batch.
          const isVoid = listed.atMs !== undefined && listed.atMs > voidMs
          if (isVoid) return { outcome: (await isNonceFree(upstream, batch)) ? 'failed' : 'unknown', reason }
        }
        await pause()
      }
      return { outcome: 'unknown', reason }
    },
    async appear(wallet, reason) {
      for (let looks = 0; looks < MAX_LOOKS && !closing.aborted; looks++) {
        const isThere = await readDeployed(upstream, wallet).catch(() => false)
        if (isThere) return { outcome: 'confirmed', transactionHash: undefined }
        await pause()
      }
      return { outcome: 'unknown', reason }
    },
  }
}

function toRelayed({ id, state, hash }: RelayedTransaction): Relayed | undefined {
  if (state === 'confirmed') return { outcome: 'confirmed', transactionHash: hash }
  if (state === 'failed') return { outcome: 'failed', reason: `transaction ${id} failed on the chain` }
  return undefined
}

/** A batch whose nonce is still free was not carried out. */
async function isNonceFree(upstream: Upstream, { owner, nonce }: SignedBatch): Promise<boolean> {
  try {
    return (await readNonce(upstream, owner)) <= nonce
  } catch (error) {
    if (error instanceof UpstreamError) return false
    throw error
  }
}

const isOf = (batch: SignedBatch) => (row: RelayedTransaction) =>
  row.signature === batch.signature.toLowerCase() && row.wallet === batch.wallet
