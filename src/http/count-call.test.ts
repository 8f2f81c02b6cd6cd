import { expect, test } from 'vitest'
import { type Access, free, paid, payer, wallet } from '../catalog/access.ts'
import type { Endpoint } from '../catalog/catalog.ts'
import type { CallVia } from '../core/log.ts'
import { usd } from '../core/money.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import type { UsageEvent } from '../ledger/ports/usage-log.ts'
import { createCountCall } from './count-call.ts'

const sold = paid(usd('0.01'))

test.each<[string, Access, CallVia | undefined, UsageEvent['via']]>([
  ['a sale', sold, 'paid', 'paid'],
  ['a reply that was paid for before', sold, 'replay', 'free'],
  ['a free call of the day', sold, 'demo', 'demo'],
  ['a call of an allowance', sold, 'holder', 'holder'],
  ['a call of what is sold that failed', sold, undefined, 'free'],
  ['the end of a token', wallet, 'free', 'free'],
  ['a list of own purchases', payer, 'free', 'free'],
  ['what is open', free, 'free', 'free'],
])('%s is counted by who bears its cost', (_, access, via, counted) => {
  const events: UsageEvent[] = []
  const usage = { record: (event: UsageEvent) => void events.push(event) }
  const product = { kind: 'product', id: 'test', access } as Endpoint
  createCountCall({ usage, clock: createManualClock(0) })({ product, status: 200, via, ms: 1 })
  expect(events.map((event) => event.via)).toEqual([counted])
})
