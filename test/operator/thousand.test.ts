import { expect, onTestFinished, test } from 'vitest'
import { tradeGroup } from '../../src/operator/trade/group.ts'
import { createBotWorld } from '../../src/testing/bot/bot-world.ts'
import { OPERATOR_KEY, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { createMemoryDisk, createMemoryStore } from '../../src/testing/ledger/memory-store.ts'

test('a thousand purchases at once under one id are one order', async () => {
  const world = await createBotWorld()
  world.probability = {}
  await world.runTo(20)
  const store = createMemoryStore(createMemoryDisk())
  const { clock, bot, book, paper } = world
  const served = await serveGroup(
    tradeGroup,
    {
      ...{ clock, bot, book, operatorBook: store.operator },
      fiveMinute: { open: () => undefined, missing: () => 'not asked here' },
      sourceOf: (source) => source,
    },
    { clock, book: store.operator },
  )
  onTestFinished(served.close)
  const headers = { authorization: `Bearer ${OPERATOR_KEY}` }
  const target = '/trade/buy?side=YES&size_usd=2&client_order_id=thousand'
  const replies = await Promise.all(Array.from({ length: 1_000 }, () => served.ask('POST', target, headers)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const bodies = replies.map(({ body }) => JSON.parse(body) as { order_id: string; repeat: boolean })
  expect(new Set(bodies.map(({ order_id }) => order_id)).size).toBe(1)
  expect(bodies.filter(({ repeat }) => !repeat)).toHaveLength(1)
  expect([...paper.account.sent]).toEqual([['thousand', 1]])
})
