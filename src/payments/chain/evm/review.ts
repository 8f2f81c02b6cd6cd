import { SECOND_MS } from '../../../core/time/time.ts'
import { isFinalBy, type Review, type Reviewer, type Settled } from '../../finality/ports.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { type Block, readBlock } from './block.ts'
import { DEAD_MARGIN_S, isUsed, LOG_RANGE_BLOCKS, TRANSACTION } from './chain.ts'
import { type OwnHeight, readFinal, readFinalBlock } from './final-block.ts'
import { createFindUse, type FindUse } from './find-use.ts'
import { AUTHORIZATION_CANCELED, expectedOf, isPaidBy, type Receipt, toReceipt } from './logs.ts'
import { askForReceipts, readReceiptOfUse, type ShownBefore } from './receipts.ts'

type Final = Awaited<ReturnType<typeof readFinal>>
type Input = { rpc: JsonRpc; logRangeBlocks?: number }

/**
 * Most payments take one receipt, many of them in one request. State is asked at the head, never at the final block:
 * most nodes keep that of the last minutes only, and what is unused at the head is unused below it.
 */
export function createEvmReviewer({ rpc, logRangeBlocks = LOG_RANGE_BLOCKS }: Input): Reviewer {
  const findUse = createFindUse({ rpc, logRangeBlocks })
  const before: ShownBefore = {}
  return {
    finalMs: async () => timeOf(await readFinalBlock(rpc)),
    async review(settled) {
      // Before the receipts: what is in it by then stays in it.
      const final = await readFinal(rpc)
      const seen = await readReceipts(rpc, settled, final.own, before)
      const reviews: Review[] = []
      for (const [at, each] of settled.entries())
        reviews.push(byReceipt(each, seen[at], final.block) ?? (await byState(rpc, findUse, each, final)))
      return reviews
    },
  }
}

const lookedAt = ({ hint, transaction }: Settled) => hint ?? transaction
const timeOf = ({ timestamp }: Block) => timestamp * SECOND_MS

/** `upTo`: the final block of the machine that shows it. `receipt`: null for what that machine has not. */
type Shown = { upTo: number; receipt: Receipt }

/**
 * With the final block of the same machine: behind one address may be several, and what one of them shows that lags may
 * have been undone since, though another holds later blocks for final.
 */
async function readReceipts(
  rpc: JsonRpc,
  settled: readonly Settled[],
  own: OwnHeight,
  before: ShownBefore,
): Promise<readonly (Shown | undefined)[]> {
  const hashes = settled.map(lookedAt).filter((text) => TRANSACTION.test(text))
  const replies = await askForReceipts(rpc, hashes, own, before)
  return settled.map((each) => {
    const reply = replies.get(lookedAt(each))
    try {
      return (
        reply && {
          upTo: reply.upTo,
          receipt: toReceipt(reply.receipt ?? null, expectedOf(each.payment).token),
        }
      )
    } catch {
      return undefined
    }
  })
}

/** Undefined where that transaction says nothing about this payment. */
function byReceipt(settled: Settled, shown: Shown | undefined, final: Block) {
  if (!shown?.receipt || !isPaidBy(shown.receipt, expectedOf(settled.payment))) return undefined
  return shown.receipt.blockNumber <= Math.min(final.number, shown.upTo)
    ? ({ kind: 'final', transaction: lookedAt(settled) } as const)
    : ({ kind: 'early' } as const)
}

async function byState(
  rpc: JsonRpc,
  findUse: FindUse,
  settled: Settled,
  { block: final, own }: Final,
): Promise<Review> {
  try {
    const expected = expectedOf(settled.payment)
    const latest = await readBlock(rpc, 'latest')
    // Another machine behind the same address, which lags: what it calls unused may have been used since.
    if (latest.number < final.number) throw new Error('the head is behind the final block')
    if (!(await isUsed(rpc, expected, latest))) {
      if (!isFinalBy(settled.settledAtMs, timeOf(final))) return { kind: 'early' }
      return { kind: 'undone', isOver: final.timestamp > expected.validBeforeS + DEAD_MARGIN_S }
    }
    const use = await findUse(expected, latest, settled.claimedAtMs)
    // It was seen when it was settled, so it is the node that has lost it.
    if (!use) throw new Error('the node no longer has the block in which the authorization was used')
    if (use.blockNumber > final.number) return { kind: 'early' }
    if (use.topics[0] === AUTHORIZATION_CANCELED) return { kind: 'undone', isOver: true }
    const { upTo, receipt } = await readReceiptOfUse(rpc, use, expected, own)
    if (!receipt) throw new Error('the node has the log of a transaction but not its receipt')
    if (receipt.blockNumber > upTo) return { kind: 'early' }
    return isPaidBy(receipt, expected)
      ? { kind: 'final', transaction: use.transactionHash }
      : { kind: 'undone', isOver: true }
  } catch (error) {
    return { kind: 'unseen', error }
  }
}
