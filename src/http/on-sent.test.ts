import { request } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { paid } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { usd } from '../core/money.ts'
import type { PaymentRow } from '../ledger/ports/payment-book.ts'
import type { Gate } from '../payments/gate/gate.ts'
import { groupOf } from '../testing/catalog/group-of.ts'
import { serveGroup } from '../testing/http/serve-groups.ts'

const boat = defineEndpoint({
  id: 'test.boat',
  method: 'GET',
  path: '/boat',
  access: paid(usd('0.01')),
  summary: 'A boat',
  description: 'Made to see when a reply counts as handed out.',
  params: z.object({}),
  sample: {},
  response: z.object({}),
  example: {},
  handle: () => ({}),
})

/** A sale that ends when the test lets it. */
async function slowShop() {
  const events: string[] = []
  const { promise: isDone, resolve: end } = Promise.withResolvers<void>()
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  const gate: Gate = {
    demoLimit: 0,
    async admit() {
      asked()
      await isDone
      const reply = { text: '{}', asOfMs: undefined, receipt: undefined }
      const onSent = () => void events.push('sent')
      const row = {
        payer: '0xb2',
        network: 'eip155:8453',
        state: 'settled',
        transaction: '0xab',
      } as PaymentRow
      return { kind: 'sold', row, reply, version: 2, isReplay: false, demoRemaining: 0, onSent }
    },
  }
  const served = await serveGroup(groupOf(boat), {} as never, { gate })
  return { served, events, end, isAsked }
}

test('a reply counts as handed out once all of it has left', async () => {
  const { served, events, end } = await slowShop()
  const answer = served.ask('GET', '/boat')
  expect(events).toEqual([])
  end()
  expect((await answer).status).toBe(200)
  await expect.poll(() => events).toEqual(['sent'])
  await served.close()
})

test('a reply whose buyer has gone does not', async () => {
  const { served, events, end, isAsked } = await slowShop()
  const buyer = request(`${served.url}/boat`)
  buyer.on('error', () => {})
  buyer.end()
  await isAsked
  const gone = new Promise((resolve) => buyer.on('close', resolve))
  buyer.destroy()
  await gone
  // The server hears of it a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50))
  end()
  await served.close()
  expect(events).toEqual([])
})
