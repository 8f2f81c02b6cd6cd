import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { TOKENS_NOON_MS } from '../../../testing/tokens/hand-made-tokens.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { createBatched } from './batched.ts'

const addressOf = (i: number) => `0x${i.toString(16).padStart(40, '0')}`

function start(answer: (addresses: readonly string[]) => Promise<readonly (number | undefined)[]>) {
  const clock = createManualClock(TOKENS_NOON_MS)
  const batches: number[] = []
  const ask = createBatched({
    clock,
    perRequest: 30,
    read: (addresses) => {
      batches.push(addresses.length)
      return answer(addresses)
    },
  })
  return { clock, batches, ask }
}

test('callers at about the same time share requests, and each gets his own answer', async () => {
  const { clock, batches, ask } = start(async (addresses) =>
    addresses.map((one) => (Number(one) === 7 ? undefined : Number(one))),
  )
  const asked = Array.from({ length: 31 }, (_, i) => ask(addressOf(i)))
  clock.advance(20)
  const answers = await Promise.all(asked)
  expect(batches).toEqual([30, 1])
  expect(answers[3]).toBe(3)
  expect(answers[7]).toBeUndefined()
  expect(answers[30]).toBe(30)
})

test('a failure reaches everybody who asked, and the next ones are asked again', async () => {
  const { clock, batches, ask } = start(() => Promise.reject(new UpstreamError('down', 'no connection')))
  const asked = Promise.allSettled([ask(addressOf(1)), ask(addressOf(2))])
  clock.advance(20)
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = ask(addressOf(1)).catch(() => {})
  clock.advance(20)
  await again
  expect(batches).toEqual([2, 1])
})

test('too few answers are malformed: nobody gets that of another', async () => {
  const { clock, ask } = start(async () => [1])
  const asked = Promise.allSettled([ask(addressOf(1)), ask(addressOf(2))])
  clock.advance(20)
  expect(await asked).toMatchObject([{ reason: { fault: 'malformed' } }, { reason: { fault: 'malformed' } }])
})

test('more than the bound is refused at once, and room is made by answers', async () => {
  const release = Promise.withResolvers<void>()
  const { ask } = start(async (addresses) => {
    await release.promise
    return addresses.map(() => 1)
  })
  const held = Array.from({ length: 300 }, (_, i) => ask(addressOf(i)))
  await expect(ask(addressOf(300))).rejects.toMatchObject({ fault: 'busy' })
  release.resolve()
  await Promise.all(held)
  ask(addressOf(301)).catch(() => {})
})
