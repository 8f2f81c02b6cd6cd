import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { Review, Settled } from '../../finality/ports.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { createAgreedReviewer } from './agree-review.ts'
import { createChainNode } from './chain-node.ts'
import { joinNodes } from './chain-nodes.ts'

const NOW_MS = 10 * HOUR_MS
const FINAL = { kind: 'final', transaction: '0x1' } as const
const EARLY = { kind: 'early' } as const
const UNDONE = { kind: 'undone', isOver: true } as const
const UNSEEN = { kind: 'unseen', error: new Error('pruned') } as const
type Node = { finalMs?: number; says?: Review }

/** Nodes in their order; one that says nothing is down. */
function reviewerOf(...said: Node[]) {
  const clock = createManualClock(NOW_MS)
  const kind = {
    staleAfterMs: undefined,
    findStranger: async () => undefined,
    readHead: async () => ({ height: 1, timeMs: undefined }),
  }
  const rpcs = said.map((): JsonRpc => ({ call: async () => null, batch: async () => [] }))
  const all = rpcs.map((rpc, at) => createChainNode({ clock, host: `${at}`, rpc, kind }))
  const asked: number[] = []
  const find = (rpc: JsonRpc) => {
    const at = all.findIndex((node) => node.rpc === rpc)
    asked.push(at)
    return said[at]
  }
  const reviewer = createAgreedReviewer(clock, joinNodes('base', all), (rpc) => ({
    async finalMs() {
      const ms = find(rpc)?.finalMs
      if (ms === undefined) throw new Error('down')
      return ms
    },
    async review(settled) {
      const says = find(rpc)?.says
      if (says === undefined) throw new Error('down')
      return settled.map(() => says)
    },
  }))
  return { reviewer, asked }
}
const settledBefore = (ms: number) =>
  ({ transaction: '0x1', claimedAtMs: NOW_MS - ms, settledAtMs: NOW_MS - ms }) as Settled

async function decide(agoMs: number, ...said: (Review | undefined)[]) {
  const { reviewer, asked } = reviewerOf(...said.map((says) => (says ? { says } : {})))
  const [review] = await reviewer.review([settledBefore(agoMs)])
  return { review, asked }
}

test.each<[string, (Review | undefined)[], Review]>([
  ['one that has it final is enough', [UNDONE, FINAL], FINAL],
  ['what one cannot look up another may', [UNSEEN, FINAL], FINAL],
  ['undone takes both', [UNDONE, UNDONE], UNDONE],
  ['undone takes both, and one waits', [UNDONE, EARLY], EARLY],
  ['undone takes both, and one is down', [UNDONE, undefined], EARLY],
  ['alone its word counts', [UNDONE], UNDONE],
])('%s', async (_, said, review) => {
  expect((await decide(MINUTE_MS, ...said)).review).toEqual(review)
})

test('early is the last word of one node for as long as a chain may take, then others are asked', async () => {
  expect(await decide(20 * MINUTE_MS, EARLY, FINAL)).toEqual({ review: EARLY, asked: [0] })
  expect(await decide(6 * HOUR_MS, EARLY, FINAL)).toEqual({ review: FINAL, asked: [0, 1] })
  // That it was undone still takes both.
  for (const other of [UNDONE, UNSEEN, EARLY, undefined])
    expect((await decide(6 * HOUR_MS, EARLY, other)).review).toEqual(EARLY)
})

test('where the final block of one node stands still, that of another counts', async () => {
  const finalMs = async (...said: (number | undefined)[]) => {
    const { reviewer, asked } = reviewerOf(...said.map((ms) => (ms === undefined ? {} : { finalMs: ms })))
    return { ms: await reviewer.finalMs(), asked }
  }
  const [fresh, still] = [NOW_MS - 20 * MINUTE_MS, NOW_MS - 6 * HOUR_MS]
  expect(await finalMs(fresh, fresh + 1)).toEqual({ ms: fresh, asked: [0] })
  expect(await finalMs(still, fresh)).toEqual({ ms: fresh, asked: [0, 1] })
  expect((await finalMs(still, undefined)).ms).toBe(still)
  expect((await finalMs(undefined, fresh)).ms).toBe(fresh)
})
