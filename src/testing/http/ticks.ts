import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEventStream } from '../../catalog/endpoints/event-stream.ts'

/** What became of the streams: how many ended, and those that wait for their next number or their end. */
export type Ticks = { ended: number; waiters: (() => void)[]; enders: (() => void)[] }
export type TickServices = { ticks: Ticks }
export const createTicks = (): Ticks => ({ ended: 0, waiters: [], enders: [] })

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
  open: ({ ticks }: TickServices, { from }, { hear, end }) => {
    let next = from
    const tell = () => hear({ tick: next++ })
    for (let n = 0; n < 3; n++) tell()
    ticks.waiters.push(tell)
    ticks.enders.push(end)
    return () => void ticks.ended++
  },
})
