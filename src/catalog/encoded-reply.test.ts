import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listed } from '../testing/catalog/group-of.ts'
import { free } from './access.ts'
import { createReplies } from './encoded-reply.ts'
import { defineEndpoint } from './endpoints/endpoint.ts'
import { bindGroup } from './handlers.ts'

type Fake = { version: number; value: number; runs: number }

function worldOf(fake: Fake, wait?: () => Promise<void>) {
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
      const made = () => ({ value: fake.value, timestamp: '2026-01-05T12:00:00.000Z' })
      return wait ? wait().then(made) : made()
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

  test('that take a while are kept too, and what failed is not', async () => {
    const fake = { version: 1, value: 1, runs: 0 }
    let isDown = true
    const read = worldOf(fake, async () => {
      if (isDown) throw new Error('down')
    })
    await expect(read()).rejects.toThrow('down')
    isDown = false
    const first = await read()
    expect([read(), fake.runs]).toEqual([first, 2])
    fake.version = 2
    fake.value = 3
    expect(await read()).toMatchObject({ text: expect.stringContaining('"value":3') })
  })

  test('are made once for all who ask at the same time; a failure is everybody’s, and is not kept', async () => {
    const fake = { version: 1, value: 1, runs: 0 }
    let finish: { done(): void; fail(error: Error): void } | undefined
    const read = worldOf(
      fake,
      () =>
        new Promise((done, fail) => {
          finish = { done, fail }
        }),
    )
    const crowd = Array.from({ length: 500 }, () => read())
    expect(fake.runs).toBe(1)
    finish?.fail(new Error('down'))
    const ends = await Promise.allSettled(crowd)
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
    const again = [read(), read()]
    // What changed meanwhile is not answered with what was asked for before.
    fake.version = 2
    const newer = read()
    finish?.done()
    expect([fake.runs, read() === newer, again[0] === again[1], newer === again[0]]).toEqual([
      3,
      true,
      true,
      false,
    ])
    await newer
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
