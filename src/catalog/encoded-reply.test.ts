import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listed } from '../testing/catalog/group-of.ts'
import { free } from './access.ts'
import { createReplies } from './encoded-reply.ts'
import { defineEndpoint } from './endpoints/endpoint.ts'
import { bindGroup } from './handlers.ts'

type Fake = { version: number; value: number; runs: number }

function worldOf(fake: Fake) {
  const product = defineEndpoint({
    id: 'x',
    method: 'GET',
    path: '/x',
    access: free,
    summary: 'x',
    description: 'a reply that counts how often it is made',
    params: z.object({ n: z.int().default(0) }),
    sample: {},
    response: z.object({ value: z.number(), timestamp: z.string() }),
    example: { value: 1, timestamp: '' },
    changes: () => [fake.version],
    handle: () => {
      fake.runs++
      return { value: fake.value, timestamp: '2026-01-05T12:00:00.000Z' }
    },
  })
  const { products } = bindGroup({ tag: 'test', about: '', endpoints: [product] }, {})
  const replies = createReplies(products, () => {})
  const sold = listed(product)
  return (n = 0) => replies.reply(sold, { n })
}

describe('encoded replies', () => {
  test('are made once per change and per params, and are the same object until then', () => {
    const fake = { version: 1, value: 1, runs: 0 }
    const read = worldOf(fake)
    const first = read()
    expect(first).toMatchObject({
      text: '{"value":1,"timestamp":"2026-01-05T12:00:00.000Z"}',
      asOfMs: 1_767_614_400_000,
    })
    expect([read(), read()].every((reply) => reply === first)).toBe(true)
    read(1)
    expect(fake.runs).toBe(2)
    fake.version = 2
    fake.value = 3
    expect(read()).toMatchObject({ text: expect.stringContaining('"value":3') })
    expect(fake.runs).toBe(3)
  })

  test('a number that is none is never delivered', () => {
    const read = worldOf({ version: 1, value: Number.NaN, runs: 0 })
    expect(() => read()).toThrow(/NaN/)
  })

  test('remember a bounded number of params', () => {
    const fake = { version: 1, value: 1, runs: 0 }
    const read = worldOf(fake)
    for (let n = 0; n < 1_000; n++) read(n)
    read(999)
    expect(fake.runs).toBe(1_000)
  })
})
