import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { Review, Reviewer } from '../../finality/ports.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { ChainNode } from './chain-node.ts'
import type { ChainNodes } from './chain-nodes.ts'

/** Base takes 15 to 20 minutes to be final, Solana seconds. */
const OVERDUE_MS = 45 * MINUTE_MS

/**
 * One reviewer of several nodes, by the rules for outcomes: that a payment is final needs one of them, that it was undone
 * needs all that answer, and two where there are two. What the first could not look up another one may; and where its
 * own final block stands still, another one's may not.
 */
export function createAgreedReviewer(
  clock: Clock,
  nodes: ChainNodes,
  reviewerOf: (rpc: JsonRpc) => Reviewer,
): Reviewer {
  const reviewers = new Map(nodes.all.map((node) => [node, reviewerOf(node.rpc)]))
  const of = (node: ChainNode): Reviewer => {
    const reviewer = reviewers.get(node)
    if (!reviewer) throw new Error('a node without a reviewer')
    return reviewer
  }
  const isOverdue = (sinceMs: number) => clock.now() - sinceMs > OVERDUE_MS
  return {
    async finalMs() {
      const { node, ms } = await nodes.first(async (node) => ({ node, ms: await of(node).finalMs() }))
      if (!isOverdue(ms)) return ms
      const others = nodes.present().filter((each) => each !== node)
      const replies = await Promise.allSettled(others.map((other) => of(other).finalMs()))
      return Math.max(ms, ...replies.flatMap((reply) => (reply.status === 'fulfilled' ? reply.value : [])))
    },
    async review(settled) {
      const { node, reviews } = await nodes.first(async (node) => ({
        node,
        reviews: await of(node).review(settled),
      }))
      const isDoubtful = (at: number) => {
        const kind = reviews[at]?.kind
        return kind === 'early' ? isOverdue(settled[at]?.claimedAtMs ?? 0) : kind !== 'final'
      }
      const doubtful = [...reviews.keys()].filter(isDoubtful)
      const others = nodes.present().filter((each) => each !== node)
      if (others.length === 0 || doubtful.length === 0) return reviews
      const asked = doubtful.flatMap((at) => settled[at] ?? [])
      const replies = await Promise.allSettled(others.map((other) => of(other).review(asked)))
      const said = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []))
      return reviews.map((review, at) => {
        const index = doubtful.indexOf(at)
        return index < 0
          ? review
          : agreed(
              review,
              said.flatMap((each) => each[index] ?? []),
            )
      })
    },
  }
}

function agreed(first: Review, others: readonly Review[]): Review {
  const final = others.find(({ kind }) => kind === 'final')
  if (final) return final
  if (first.kind !== 'undone') return first
  const undone = [first, ...others].flatMap((each) => (each.kind === 'undone' ? [each] : []))
  const isAgreed = others.length > 0 && undone.length === others.length + 1
  return isAgreed ? { kind: 'undone', isOver: undone.every(({ isOver }) => isOver) } : { kind: 'early' }
}
