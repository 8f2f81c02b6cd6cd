import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../src/core/time/time.ts'
import { TOKEN_LOOKS } from '../../src/products/look-limits.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { type IntelWorld, openIntelWorld } from './intel-world.ts'

const random = createSeeded(5)
const hex = () => Math.floor(random.fraction() * 16).toString(16)
const anyAddress = () => `0x${Array.from({ length: 40 }, hex).join('')}`

/** What a client has left of its looks is used up; the statuses of its requests. */
async function useUp(world: IntelWorld, forwardedFor: (n: number) => string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < TOKEN_LOOKS.calls; n++)
    statuses.push((await world.until(world.send(`/price/${anyAddress()}`, forwardedFor(n)))).status)
  return statuses
}

describe('who asks for random addresses without paying', () => {
  let world: IntelWorld
  beforeAll(async () => {
    world = await openIntelWorld({ seed: 'looks' })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  const statusOf = async (target: string, from: string) =>
    (await world.until(world.send(target, from))).status
  /** Looks are counted from the beginning of a minute. */
  const nextMinute = () => world.pass(MINUTE_MS - (world.clock.now() % MINUTE_MS))

  it('is told to wait or to pay, over all products of tokens together', async () => {
    await nextMinute()
    const from = '198.51.100.1'
    const [known] = world.tokens.tokens
    expect(await statusOf(`/price/${known?.address}`, '203.0.113.1')).toBe(200)
    // The share of those who have not paid may end before one client's looks do.
    for (const status of await useUp(world, () => from)) expect([404, 503]).toContain(status)
    const refused = await world.until(world.send(`/token/${anyAddress()}?demo=0`, from))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'rate_limited' })
    expect(JSON.parse(refused.body).hint).toContain('or send a payment')
    expect(await statusOf(`/token/${anyAddress()}/diagnose`, from)).toBe(429)
    // Others, and what needs no look, are answered.
    expect(await statusOf(`/price/${known?.address}`, from)).toBe(200)
    expect(await statusOf(`/price/${anyAddress()}`, '198.51.100.2')).toBe(404)
    await nextMinute()
    expect(await statusOf(`/price/${anyAddress()}`, from)).toBe(404)
  })

  it('is one client, whatever it writes before the address that the proxy adds', async () => {
    await nextMinute()
    const forged = (n: number) => `203.0.113.${n}, 198.51.100.7`
    await useUp(world, forged)
    expect(await statusOf(`/price/${anyAddress()}`, forged(99))).toBe(429)
    expect(await statusOf(`/price/${anyAddress()}`, '203.0.113.3')).toBe(404)
  })

  it('is one client with all of its IPv6 /64', async () => {
    await nextMinute()
    await useUp(world, (n) => `2001:db8:0:7::${(n + 1).toString(16)}`)
    expect(await statusOf(`/price/${anyAddress()}`, '2001:db8:0:7:ffff::1')).toBe(429)
    expect(await statusOf(`/price/${anyAddress()}`, '2001:db8:0:8::1')).toBe(404)
  })
})

it('a flood of one client takes look-ups away from nobody else', async () => {
  await using world = await openIntelWorld({ seed: 'flood' })
  const honest: Promise<number>[] = []
  const flood: Promise<number>[] = []
  const statusOf = async (target: string, from: string) => (await world.send(target, from)).status
  // Each of the honest ones wants a token that nobody has looked up yet.
  const tokens = world.tokens.tokens.slice(0, 30).map(({ address }) => address)
  for (let step = 0; step < 60; step++) {
    for (let n = 0; n < 40; n++) flood.push(statusOf(`/price/${anyAddress()}`, '198.51.100.1'))
    const token = step % 2 === 0 ? tokens[step / 2] : undefined
    if (token) honest.push(statusOf(`/price/${token}?demo=0`, `203.0.113.${step}`))
    await world.pass(250, 250)
  }
  await world.pass(3 * SECOND_MS, 250)
  expect(await Promise.all(honest)).toEqual(tokens.map(() => 402))
  const statuses = await Promise.all(flood)
  expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(2 * TOKEN_LOOKS.calls)
  expect(world.internet.usage().filter(({ refused }) => refused > 0)).toEqual([])
})
