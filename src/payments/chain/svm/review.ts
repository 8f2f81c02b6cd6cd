import { z } from 'zod'
import { SECOND_MS } from '../../../core/time/time.ts'
import { isFinalBy, type Review, type Reviewer, type Settled } from '../../finality/ports.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { createBlockhashLife } from './blockhash-life.ts'
import { isHash, soughtOf } from './chain.ts'
import { createFindLanded } from './find-landed.ts'
import { createMessageHashes } from './message-hashes.ts'

const Status = z.object({ err: z.unknown(), confirmationStatus: z.string().nullish() }).nullable()
const Statuses = z.object({ value: z.array(Status) })
type Status = z.infer<typeof Status>

/**
 * Most payments take one status, many of them in one request: a signature belongs to one message for ever, and that of
 * a settled payment was compared when it was settled. A hint was not.
 */
export function createSvmReviewer({ rpc }: { rpc: JsonRpc }): Reviewer {
  const hashes = createMessageHashes(rpc)
  const { lifeOf } = createBlockhashLife(rpc)
  const findLanded = createFindLanded(rpc, hashes)
  const byTransaction = async (transaction: string) => {
    const [status] = await readStatuses(rpc, [transaction])
    return byStatus(transaction, status) ?? ({ kind: 'early' } as const)
  }
  const bySearch = async (settled: Settled, finalMs: number): Promise<Review> => {
    const { payment, hint, claimedAtMs, settledAtMs } = settled
    const sought = soughtOf(payment, claimedAtMs)
    if (hint !== undefined && (await isHash(hashes, hint, sought.hash))) return byTransaction(hint)
    const life = await lifeOf(sought.blockhash)
    const isOver = life.goneAtSlot !== undefined
    const isLastWord = isOver || isFinalBy(settledAtMs, finalMs)
    const transaction = await findLanded(sought, life, isLastWord)
    if (transaction !== undefined) return byTransaction(transaction)
    return isLastWord ? { kind: 'undone', isOver } : { kind: 'early' }
  }
  const finalMs = () => readFinalMs(rpc)
  return {
    finalMs,
    async review(settled) {
      const untilMs = await finalMs()
      const statuses = await readStatuses(
        rpc,
        settled.map(({ transaction }) => transaction),
      )
      const reviews: Review[] = []
      for (const [at, each] of settled.entries()) {
        const review = byStatus(each.transaction, statuses[at])
        reviews.push(review ?? (await bySearch(each, untilMs).catch((error) => ({ kind: 'unseen', error }))))
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

async function readStatuses(rpc: JsonRpc, signatures: readonly string[]): Promise<readonly Status[]> {
  const reply = await rpc.call('getSignatureStatuses', [signatures, { searchTransactionHistory: true }])
  return Statuses.parse(reply).value
}

async function readFinalMs(rpc: JsonRpc): Promise<number> {
  const slot = z.int().parse(await rpc.call('getSlot', [{ commitment: 'finalized' }]))
  return z.int().parse(await rpc.call('getBlockTime', [slot])) * SECOND_MS
}
