import { z } from 'zod'
import { SECOND_MS } from '../../../core/time/time.ts'
import { isFinalBy, type Review, type Reviewer, type Settled } from '../../finality/ports.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { createBlockhashLife } from './blockhash-life.ts'
import { isHash, soughtOf } from './chain.ts'
import { createFindLanded } from './find-landed.ts'
import { createMessageHashes } from './message-hashes.ts'

const Status = z.object({ err: z.unknown(), confirmationStatus: z.string().nullish() }).nullable()
const Statuses = z.object({ context: z.object({ slot: z.int() }), value: z.array(Status) })
type Status = z.infer<typeof Status>
/** The newest slot that nothing can take back. */
type FinalSlot = { slot: number; timeMs: number }

/**
 * Most payments take one status, many of them in one request: a signature belongs to one message for ever, and that of
 * a settled payment was compared when it was settled. A hint was not.
 */
export function createSvmReviewer({ rpc }: { rpc: JsonRpc }): Reviewer {
  const hashes = createMessageHashes(rpc)
  const { lifeOf } = createBlockhashLife(rpc)
  const findLanded = createFindLanded(rpc, hashes)
  const byTransaction = async (transaction: string) => {
    const { value } = await readStatuses(rpc, [transaction])
    const [status] = value
    return byStatus(transaction, status) ?? ({ kind: 'early' } as const)
  }
  const bySearch = async (settled: Settled, final: FinalSlot): Promise<Review> => {
    const { payment, hint, claimedAtMs, settledAtMs } = settled
    const sought = soughtOf(payment, claimedAtMs)
    if (hint !== undefined && (await isHash(hashes, hint, sought.hash))) return byTransaction(hint)
    const life = await lifeOf(sought.blockhash, claimedAtMs)
    const isOver = life.goneAtSlot !== undefined
    const isLastWord = isOver || isFinalBy(settledAtMs, final.timeMs)
    const upToSlot = isLastWord ? Math.max(life.goneAtSlot ?? 0, final.slot) : undefined
    const transaction = await findLanded(sought, life, upToSlot)
    if (transaction !== undefined) return byTransaction(transaction)
    return isLastWord ? { kind: 'undone', isOver } : { kind: 'early' }
  }
  return {
    finalMs: async () => (await readFinal(rpc)).timeMs,
    async review(settled) {
      const final = await readFinal(rpc)
      const signatures = settled.map(({ transaction }) => transaction)
      const { context, value: statuses } = await readStatuses(rpc, signatures)
      // This call takes no slot that it needs. What such a machine does not know may be known to all others.
      if (context.slot < final.slot && statuses.includes(null))
        throw new Error('the machine that answered is behind the final slot')
      const reviews: Review[] = []
      for (const [at, each] of settled.entries()) {
        const review = byStatus(each.transaction, statuses[at])
        reviews.push(review ?? (await bySearch(each, final).catch((error) => ({ kind: 'unseen', error }))))
      }
      return reviews
    },
  }
}

/** Undefined for a transaction that the node does not know, or that failed. */
function byStatus(transaction: string, status: Status | undefined): Review | undefined {
  if (!status || status.err !== null) return undefined
  return status.confirmationStatus === 'finalized' ? { kind: 'final', transaction } : { kind: 'early' }
}

async function readStatuses(rpc: JsonRpc, signatures: readonly string[]): Promise<z.infer<typeof Statuses>> {
  const reply = await rpc.call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }])
  return Statuses.parse(reply)
}

async function readFinal(rpc: JsonRpc): Promise<FinalSlot> {
  const slot = z.int().parse(await rpc.call('getSlot', [{ commitment: 'finalized' }]))
  return { slot, timeMs: z.int().parse(await rpc.call('getBlockTime', [slot])) * SECOND_MS }
}
