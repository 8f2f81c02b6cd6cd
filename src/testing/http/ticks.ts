import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEventStream } from '../../catalog/endpoints/event-stream.ts'

/** What became of the streams: how many ended, and those that wait to be woken. */
export type Ticks = { ended: number; waiters: ((value: number) => void)[] }
export type TickServices = { ticks: Ticks }
export const createTicks = (): Ticks => ({ ended: 0, waiters: [] })

/** Three numbers at once, then one whenever it is woken. */
export const ticks = defineEventStream({
  access: free,
  description: 'Made to try one word of the vocabulary of endpoints.',
  id: 'test.ticks',
  path: '/ticks',
  summary: 'Numbers as they come',
  params: z.object({ from: z.int().default(0) }),
  sample: {},
  event: z.object({ tick: z.number() }),
  example: { tick: 1 },
  open: async function* ({ ticks }: TickServices, { from }, signal) {
    try {
      for (let tick = from; !signal.aborted; tick++) {
        yield { tick }
        if (tick === from + 2) await new Promise<number>((next) => ticks.waiters.push(next))
      }
    } finally {
      ticks.ended++
    }
  },
})
