import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../src/testing/client.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const PROXY = '127.77.0.1'
let world: World
beforeAll(async () => {
  world = await startWorld({ TOLLBOOK_TRUSTED_PROXIES: PROXY })
})
afterAll(() => world[Symbol.asyncDispose]())

const statuses = async (client: Client, paths: string[]) => {
  const seen: number[] = []
  for (const path of paths) seen.push((await client(path)).status)
  return seen
}
const four = ['/price/BTC', '/price/BTC', '/price/BTC', '/price/BTC']

describe('demo budget', () => {
  test('five 200s over all paid products and aliases, with headers, then the 402; another client has its own', async () => {
    const client = createClient(world)
    const first = await client('/price/BTC')
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'x-demo-calls-limit': '5',
        'x-demo-calls-remaining': '4',
        'cache-control': 'private, no-store',
      },
    })
    expect(first.headers['payment-required']).toBeTruthy()
    const rest = await statuses(client, [
      '/price/eth',
      '/btc-price',
      '/price/sol',
      '/price/XRP',
      '/price/BTC',
      '/btc-price',
    ])
    expect(rest).toEqual([200, 200, 200, 200, 402, 402])
    expect(await statuses(createClient(world), ['/price/BTC'])).toEqual([200])
  })

  test('survives a restart', async () => {
    const client = createClient(world)
    await statuses(client, four)
    await world.restart()
    expect(await statuses(client, four)).toEqual([200, 402, 402, 402])
  })

  test('twenty at once on the last call: one wins', async () => {
    const client = createClient(world)
    await statuses(client, four)
    const all = await Promise.all(Array.from({ length: 20 }, () => client('/price/BTC')))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(402)])
  })

  test('only a 200 uses a call: 404, 422, 503, HEAD, demo=0 and X-Demo: off do not', async () => {
    const client = createClient(world)
    await statuses(client, four)
    const failing = ['/price/DOGE', '/price/a%20b', '/price/BTC?max_age=0', '/price/BTC?demo=0']
    expect(await statuses(client, failing)).toEqual([404, 422, 503, 402])
    expect((await client('/price/BTC', { method: 'HEAD' })).status).toBe(402)
    expect((await client('/price/BTC', { headers: { 'x-demo': 'off' } })).status).toBe(402)
    expect(await client('/price/BTC')).toMatchObject({
      status: 200,
      headers: { 'x-demo-calls-remaining': '0' },
    })
  })

  test('a page of another site uses none of its visitor’s calls; our own pages and people do', async () => {
    const client = createClient(world)
    const from = (site: string, more: Record<string, string> = {}) =>
      client('/price/BTC', { headers: { 'sec-fetch-site': site, ...more } })
    expect((await from('cross-site')).status).toBe(402)
    const page = await from('cross-site', { accept: 'text/html', 'user-agent': 'Mozilla/5.0' })
    expect([page.status, /id="free-left">(\d)/.exec(page.text)?.[1]]).toEqual([402, '5'])
    expect(page.text).toContain('Another site led you here, so no free call was used.')
    const own = [await from('same-origin'), await from('same-site'), await from('none')]
    expect(own.map(({ status, headers }) => [status, headers['x-demo-calls-remaining']])).toEqual([
      [200, '4'],
      [200, '3'],
      [200, '2'],
    ])
  })

  test('a payment header never uses one, and nobody is charged', async () => {
    const client = createClient(world)
    for (const name of ['payment-signature', 'x-payment']) {
      const reply = await client('/price/BTC', { headers: { [name]: 'e30=' } })
      expect([reply.status, JSON.parse(reply.text).error]).toEqual([402, 'malformed_payment'])
    }
    expect((await client('/price/BTC')).headers['x-demo-calls-remaining']).toBe('4')
  })

  test('a forged X-Forwarded-For widens nothing; a trusted proxy is believed', async () => {
    const remaining = async (client: Client, forwarded: string) =>
      (await client('/price/BTC', { headers: { 'x-forwarded-for': forwarded } })).headers[
        'x-demo-calls-remaining'
      ]
    const forger = createClient(world)
    expect([await remaining(forger, '1.1.1.1'), await remaining(forger, '1.1.1.2')]).toEqual(['4', '3'])
    const proxy = createClient(world, PROXY)
    expect([await remaining(proxy, '6.6.6.6, 1.1.1.3'), await remaining(proxy, '1.1.1.4')]).toEqual([
      '4',
      '4',
    ])
    expect(await remaining(proxy, '7.7.7.7, 1.1.1.3')).toBe('3')
  })

  test('stale data is 503 with Retry-After and says its bound', async () => {
    const reply = await createClient(world)('/price/BTC?max_age=0')
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(JSON.parse(reply.text)).toMatchObject({
      code: 'stale_data',
      hint: expect.stringContaining('max_age'),
    })
  })

  test('the 402 is a v2 envelope in body and both headers; on request the body is v1', async () => {
    const client = createClient(world)
    const v2 = await client('/price/BTC?demo=0')
    expect(v2.headers['x-payment-required']).toBe(v2.headers['payment-required'])
    const brief = JSON.parse(Buffer.from(String(v2.headers['payment-required']), 'base64').toString())
    const { x402Version, error, accepts: terms, resource } = JSON.parse(v2.text)
    expect([brief.x402Version, brief.error, brief.accepts, brief.resource.url]).toEqual([
      x402Version,
      error,
      terms,
      resource.url,
    ])
    expect([x402Version, resource.url]).toEqual([2, `${world.url}/price/BTC`])
    const v1 = await client('/price/BTC?demo=0&x402_version=1')
    const accepts = [{ network: 'base', maxAmountRequired: '1000' }, { network: 'solana' }]
    expect(JSON.parse(v1.text)).toMatchObject({ x402Version: 1, accepts })
    const inHeader = JSON.parse(Buffer.from(String(v1.headers['payment-required']), 'base64').toString())
    expect(inHeader).toMatchObject({ x402Version: 2, accepts: JSON.parse(v2.text).accepts })
  })
})
