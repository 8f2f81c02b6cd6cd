import { type FinalChain, isFinalBy, type Review, type Settled } from '../finality/ports.ts'
import type { CheckPast, ReadTransaction } from './read-transaction.ts'
import { isGone, isTransferIn } from './transfer-chain.ts'
import { findTransferOf, minedAtMs } from './transfer-payment.ts'

/** `readFinal` counts final blocks only. */
type Looks = { readFinal: ReadTransaction; checkPast: CheckPast }

/** Reviews transfers, which no authorization binds; other payments go to `otherwise`. */
export function createTransferReview({ otherwise, ...looks }: Looks & { otherwise: FinalChain }): FinalChain {
  return {
    isStrained: otherwise.isStrained,
    finalMs: otherwise.finalMs,
    async review(network, settled) {
      const isTransfer = ({ payment }: Settled) => findTransferOf(payment) !== undefined
      if (!settled.some(isTransfer)) return otherwise.review(network, settled)
      const finalMs = await otherwise.finalMs(network)
      const rest = settled.filter((each) => !isTransfer(each))
      const others = rest.length > 0 ? await otherwise.review(network, rest) : []
      const reviewOne = async (each: Settled): Promise<Review> => {
        const other = others[rest.indexOf(each)]
        return other ?? reviewTransfer(looks, each, finalMs)
      }
      const reviews: Review[] = []
      for (const each of settled)
        reviews.push(await reviewOne(each).catch((error): Review => ({ kind: 'unseen', error })))
      return reviews
    },
  }
}

async function reviewTransfer(
  { readFinal, checkPast }: Looks,
  { payment, settledAtMs }: Settled,
  finalMs: number,
): Promise<Review> {
  const transfer = findTransferOf(payment)
  const read = async () => transfer && readFinal(transfer.transaction)
  const mined = await read()
  // By the word of the machine that shows it, too.
  if (mined && (mined.blockTimeMs > finalMs || mined.confirmations === 0)) return { kind: 'early' }
  if (mined && transfer && isTransferIn(mined, payment, transfer.position))
    return { kind: 'final', transaction: transfer.transaction }
  if (!isFinalBy(settledAtMs, finalMs)) return { kind: 'early' }
  if (!mined) {
    // A machine that has lost that time has no transaction of it either; and behind one address there may be several.
    await checkPast(minedAtMs(payment))
    if (await read()) return { kind: 'early' }
  }
  return { kind: 'undone', isOver: isGone(payment, finalMs) }
}
