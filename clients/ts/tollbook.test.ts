import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openSandboxWallet } from '../../src/cli/buying/sandbox-wallet.ts'
import { listen } from '../../src/http/listen.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'
import { createTollbook, type Step, TollbookError } from './tollbook.ts'

const PRICE = 1_000n
let world: World
useSharedWorld('without free calls', (it) => {
  world = it
})

async function open(changeFetch: (send: typeof fetch) => typeof fetch = (send) => send, patienceMs?: number) {
  const opened = await openSandboxWallet(world.url, 'base')
  const steps: Step[] = []
  const tollbook = createTollbook({
    baseUrl: world.url,
    wallet: opened.wallet,
    fetch: changeFetch(fetch),
    onStep: (step) => steps.push(step),
    ...(patienceMs !== undefined && { patienceMs }),
  })
  const money = () => moneyOf({ ...opened, sent: [], fetch })
  return { tollbook, steps, money, before: await money() }
}

describe('the typed client', () => {
  test('buys in two requests, signs once, and knows the shape of the reply', async () => {
    const { tollbook, steps, money, before } = await open()
    const { data, settlement, contentDigest } = await tollbook.get('/price/BTC')
    expect(data.price_usd).toBeGreaterThan(0)
    expect([settlement?.success, contentDigest]).toEqual([true, expect.stringMatching(/^sha-256=:/)])
    expect(steps.map(({ step }) => step)).toEqual(['challenge', 'payment', 'settled'])
    expect(await money()).toBe(before - PRICE)
  })

  test('presents the same payment again when replies are lost, and is charged once', async () => {
    let lost = 0
    const { tollbook, steps, money, before } = await open((send) => async (input, init) => {
      const reply = await send(input, init)
      if (new Headers(init?.headers).has('payment-signature') && lost++ < 2)
        throw new TypeError('connection lost')
      return reply
    })
    const { data } = await tollbook.get('/price/ETH')
    expect(data.token).toBe('ETH')
    expect(steps.filter(({ step }) => step === 'payment')).toHaveLength(1)
    expect(steps.filter(({ step }) => step === 'retry')).toHaveLength(2)
    expect(await money()).toBe(before - PRICE)
  })

  test('a failed call says why, costs nothing and leaves a payment that can be presented again', async () => {
    const { tollbook, money, before } = await open()
    const failed = await tollbook.get('/price/DOGE').catch((error) => error)
    expect(failed).toBeInstanceOf(TollbookError)
    expect(failed).toMatchObject({ status: 404, message: expect.stringContaining('BTC, ETH, SOL, XRP') })
    expect(await money()).toBe(before)
  })

  test('a service that cannot deliver is asked again with the same payment, and its reason is told', async () => {
    const { steps, money, before, tollbook } = await open(
      (send) => async (input, init) => {
        if (!new Headers(init?.headers).has('payment-signature')) return send(input, init)
        const headers = { 'retry-after': '0' }
        return Response.json(
          { code: 'upstream_unavailable', detail: 'no venue answers' },
          { status: 503, headers },
        )
      },
      2_500,
    )
    const failed = await tollbook.get('/price/BTC').catch((error) => error)
    expect(failed).toBeInstanceOf(TollbookError)
    expect(failed).toMatchObject({
      status: 503,
      payment: expect.any(String),
      body: { detail: 'no venue answers' },
    })
    expect(failed.message).toMatch(/^no venue answers; the payment is not decided yet/)
    expect(steps).toContainEqual({ step: 'retry', status: 503, reason: 'no venue answers', afterMs: 1_000 })
    expect(steps.filter(({ step }) => step === 'retry').length).toBeLessThanOrEqual(2)
    expect(steps.filter(({ step }) => step === 'payment')).toHaveLength(1)
    expect(await money()).toBe(before)
  })

  test('a service that never answers costs no more than the patience, and no second signature', async () => {
    const silent = createServer(() => {})
    const url = `http://127.0.0.1:${await listen(silent, '127.0.0.1', 0)}/`
    const { tollbook, steps } = await open(
      (send) => (input, init) =>
        send(new Headers(init?.headers).has('payment-signature') ? url : input, init),
      1_500,
    )
    const startedMs = Date.now()
    const failed = await tollbook.get('/price/BTC').catch((error) => error)
    expect(failed).toMatchObject({ status: 0, payment: expect.any(String) })
    expect(steps.filter(({ step }) => step === 'payment')).toHaveLength(1)
    // The payment is still good, and buys.
    const { tollbook: again } = await open()
    expect((await again.get('/price/BTC', { payment: failed.payment })).settlement?.success).toBe(true)
    await expect(createTollbook({ baseUrl: url, patienceMs: 500 }).get('/btc-resolve')).rejects.toThrow(
      'no answer within 0.5 s; nothing was signed',
    )
    expect(Date.now() - startedMs).toBeLessThan(60_000)
    silent.closeAllConnections()
    silent.close()
  })

  test('a payment goes to no other origin, whoever redirects there', async () => {
    const stolen: unknown[] = []
    const thief = createServer(({ headers }, response) => {
      stolen.push(headers['payment-signature'])
      response.writeHead(402).end('{}')
    })
    const elsewhere = `http://127.0.0.1:${await listen(thief, '127.0.0.1', 0)}`
    const redirect = createServer((_, response) => response.writeHead(307, { location: elsewhere }).end())
    const baseUrl = `http://127.0.0.1:${await listen(redirect, '127.0.0.1', 0)}`
    const { wallet } = await openSandboxWallet(world.url, 'base')
    const steps: Step[] = []
    const tollbook = createTollbook({ baseUrl, wallet, onStep: (step) => steps.push(step) })
    const told = `no payment is sent to: ${elsewhere}`
    await expect(tollbook.get('/price/BTC')).rejects.toThrow(told)
    await expect(tollbook.get('/price/BTC', { payment: 'e30=' })).rejects.toMatchObject({
      message: expect.stringContaining(told),
      payment: 'e30=',
    })
    expect([stolen, steps]).toEqual([[undefined], []])
    thief.close()
    redirect.close()
  })

  test('an address of ours that redirects is paid for where it leads to', async () => {
    const moved = createServer(({ url }, response) =>
      url === '/old' ? response.writeHead(307, { location: '/new' }).end() : response.end('{"ok":true}'),
    )
    const baseUrl = `http://127.0.0.1:${await listen(moved, '127.0.0.1', 0)}`
    const { data } = await createTollbook({ baseUrl }).get('/old' as '/price/BTC', { payment: 'e30=' })
    expect(data).toEqual({ ok: true })
    moved.close()
  })

  test('a refusal is told in plain words, also one that is no JSON', async () => {
    const tollbook = createTollbook({ baseUrl: world.url })
    await expect(tollbook.get('/price/BTC?max_age=x' as '/price/BTC')).rejects.toThrow(/^max_age: \w/)
    const page = async () => new Response('<html>', { status: 403 })
    const failed = createTollbook({ baseUrl: world.url, fetch: page }).get('/price/BTC', { payment: 'e30=' })
    await expect(failed).rejects.toMatchObject({ status: 403, payment: 'e30=' })
  })

  test('a purchase id is sold under once, also to a program that forgot what it had signed', async () => {
    const { tollbook, money, before } = await open()
    const purchaseId = `daily-price-${Date.now()}`
    expect((await tollbook.get('/price/BTC', { purchaseId })).settlement?.success).toBe(true)
    const again = await tollbook.get('/price/BTC', { purchaseId }).catch((error) => error)
    expect(again).toMatchObject({ kind: 'failed', status: 409, body: { code: 'payment_already_used' } })
    expect(await money()).toBe(before - PRICE)
    await expect(tollbook.get('/price/BTC', { purchaseId: 'short' })).rejects.toThrow('purchaseId')
  })

  test('free calls need no wallet, paid ones say so', async () => {
    const tollbook = createTollbook({ baseUrl: world.url })
    expect((await tollbook.get('/btc-resolve?history=0')).data.token).toBe('BTC')
    await expect(tollbook.get('/btc-price')).rejects.toMatchObject({ status: 402 })
  })
})
