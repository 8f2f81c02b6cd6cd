import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { TOKEN, TOKENS_NOON_MS } from '../../testing/tokens/hand-made-tokens.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createTokenLookup, LOOKUP_WAIT_MS } from './token-lookup.ts'

const freely = () => {}

const addressOf = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
const down = () => Promise.reject(new UpstreamError('down', 'no connection'))

function startLookup(
  over: { hasPairs?: () => Promise<boolean>; isTokenContract?: () => Promise<boolean> } = {},
) {
  const clock = createManualClock(TOKENS_NOON_MS)
  const asked = { pairs: 0, contract: 0 }
  const lookup = createTokenLookup({
    clock,
    hasPairs: (address) => {
      asked.pairs++
      return over.hasPairs?.() ?? Promise.resolve(address === TOKEN)
    },
    isTokenContract: (address) => {
      asked.contract++
      return over.isTokenContract?.() ?? Promise.resolve(address === TOKEN)
    },
  })
  return { clock, asked, lookup }
}

test('a token is looked up once and then known, in any case of its address', async () => {
  const { asked, lookup } = startLookup()
  await lookup.checkExists(TOKEN, freely)
  await lookup.checkExists(TOKEN.toUpperCase().replace('0X', '0x'), freely)
  expect(asked).toEqual({ pairs: 1, contract: 1 })
})

test('one of the two is enough: new tokens have no market yet, and nodes fail', async () => {
  await startLookup({ hasPairs: async () => false, isTokenContract: async () => true }).lookup.checkExists(
    TOKEN,
    freely,
  )
  await startLookup({ hasPairs: down, isTokenContract: async () => true }).lookup.checkExists(TOKEN, freely)
  await startLookup({ hasPairs: async () => true, isTokenContract: down }).lookup.checkExists(TOKEN, freely)
})

test('what nobody knows is 404, and not asked again for a minute', async () => {
  const { clock, asked, lookup } = startLookup()
  const unknown = { code: 'unknown_token' }
  await expect(lookup.checkExists(addressOf(1), freely)).rejects.toMatchObject(unknown)
  clock.advance(MINUTE_MS)
  await expect(lookup.checkExists(addressOf(1), freely)).rejects.toMatchObject(unknown)
  expect(asked.pairs).toBe(1)
  clock.advance(1)
  await expect(lookup.checkExists(addressOf(1), freely)).rejects.toMatchObject(unknown)
  expect(asked.pairs).toBe(2)
})

test('where one cannot answer and the other denies it, nobody says that it does not exist', async () => {
  const unsure = { code: 'upstream_unavailable' }
  await expect(
    startLookup({ hasPairs: down }).lookup.checkExists(addressOf(1), freely),
  ).rejects.toMatchObject(unsure)
  await expect(
    startLookup({ isTokenContract: down }).lookup.checkExists(addressOf(1), freely),
  ).rejects.toMatchObject(unsure)
})

test('a source that hangs keeps nobody longer than the bound', async () => {
  const { clock, lookup } = startLookup({ hasPairs: () => new Promise(() => {}) })
  const checking = lookup.checkExists(addressOf(1), freely)
  clock.advance(LOOKUP_WAIT_MS)
  await expect(checking).rejects.toMatchObject({ code: 'upstream_unavailable' })
})

test('a flood of random addresses fills its own bound and not the sources', async () => {
  const { clock, asked, lookup } = startLookup({ hasPairs: () => new Promise(() => {}) })
  const flood = Promise.allSettled(
    Array.from({ length: 1_000 }, (_, i) => lookup.checkExists(addressOf(i), freely)),
  )
  clock.advance(LOOKUP_WAIT_MS)
  const refused = await flood
  expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked.pairs).toBe(200)
})

test('after a flood the tokens that are known still are, without a request', async () => {
  const { asked, lookup } = startLookup()
  await lookup.checkExists(TOKEN, freely)
  for (let i = 0; i < 500; i++) await lookup.checkExists(addressOf(i), freely).catch(() => {})
  const before = asked.pairs
  await lookup.checkExists(TOKEN, freely)
  expect(asked.pairs).toBe(before)
})

test('many who ask for the same address at once are one look', async () => {
  const { asked, lookup } = startLookup()
  await Promise.all(Array.from({ length: 20 }, () => lookup.checkExists(TOKEN, freely)))
  expect(asked.pairs).toBe(1)
})

test('leave is asked for a look of its own, and not for what is known, denied lately or being looked up', async () => {
  const { asked, lookup } = startLookup()
  let leaves = 0
  const count = () => void leaves++
  await Promise.all(Array.from({ length: 20 }, () => lookup.checkExists(TOKEN, count)))
  await lookup.checkExists(TOKEN, count)
  expect([leaves, asked.pairs]).toEqual([1, 1])
  for (let n = 0; n < 3; n++) await lookup.checkExists(addressOf(1), count).catch(() => {})
  expect([leaves, asked.pairs]).toEqual([2, 2])
})

test('who may not look asks no source, and keeps nobody else from looking', async () => {
  const { asked, lookup } = startLookup()
  const refuse = () => {
    throw new Error('not now')
  }
  const both = [lookup.checkExists(TOKEN, refuse), lookup.checkExists(TOKEN, freely)]
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  await expect(lookup.checkExists(addressOf(1), refuse)).rejects.toThrow('not now')
  expect(asked.pairs).toBe(1)
})
