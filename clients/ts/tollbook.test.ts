import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSandboxWallet } from '../../src/cli/sandbox-wallet.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { createTollbook, type Step, TollbookError } from './tollbook.ts'

const PRICE = 1_000n
let world: World
beforeAll(async () => {
  world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '0' })
})
afterAll(() => world[Symbol.asyncDispose]())

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
        const headers = { 'retry-after': '0.01' }
        return Response.json(
          { code: 'upstream_unavailable', detail: 'no venue answers' },
          { status: 503, headers },
        )
      },
      1_000,
    )
    const failed = await tollbook.get('/price/BTC').catch((error) => error)
    expect(failed).toBeInstanceOf(TollbookError)
    expect(failed).toMatchObject({
      status: 503,
      payment: expect.any(String),
      body: { detail: 'no venue answers' },
    })
    expect(failed.message).toMatch(/^no venue answers; the payment is not decided yet/)
    expect(steps).toContainEqual({ step: 'retry', status: 503, reason: 'no venue answers', afterMs: 10 })
    expect(steps.filter(({ step }) => step === 'payment')).toHaveLength(1)
    expect(await money()).toBe(before)
  })

  test('free calls need no wallet, paid ones say so', async () => {
    const tollbook = createTollbook({ baseUrl: world.url })
    expect((await tollbook.get('/btc-resolve?history=0')).data.token).toBe('BTC')
    await expect(tollbook.get('/btc-price')).rejects.toMatchObject({ status: 402 })
  })
})
