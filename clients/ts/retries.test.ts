import { describe, expect, test } from 'vitest'
import { CLAIM_LEASE_MS } from '../../src/ledger/ports/payment-book.ts'
import { type Answer, says, sells, startSeller } from '../../src/testing/payments/hostile-seller.ts'
import type { Path } from './paths.ts'
import { createTollbook, type Step, TollbookError } from './tollbook.ts'

const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toUTCString()
const path = '/price/BTC'

async function open(
  toPayment: Answer[],
  options: { requestMs?: number; patienceMs?: number; onStep?: (step: Step) => void } = {},
) {
  const seller = await startSeller({ toPayment })
  const steps: Step[] = []
  const onStep = (step: Step) => {
    steps.push(step)
    options.onStep?.(step)
  }
  const tollbook = createTollbook({ baseUrl: seller.url, wallet: seller.wallet, ...options, onStep })
  return { seller, tollbook, steps }
}

const cutOff: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"price":', () => response.destroy())
}
const cutOffChunk: Answer = (response) => response.write('{"price":1', () => response.destroy())
const reset: Answer = (response) => response.socket?.resetAndDestroy()
const silent: Answer = () => {}

describe.concurrent('whatever meets the first presentation, the same payment is presented again', () => {
  test.each<[string, Answer]>([
    ['no answer in time', silent],
    ['a reset connection', reset],
    ['a body that is cut off', cutOff],
    ['a chunked body that is cut off', cutOffChunk],
    ['a page that is no JSON', says(200, {}, '<html>')],
    ['408', says(408)],
    ['409 while it is under way', says(409, { 'retry-after': '0' })],
    ['425', says(425)],
    ['429', says(429)],
    ['429 with seconds', says(429, { 'retry-after': '1' })],
    ['429 with a date that has passed', says(429, { 'retry-after': new Date(0).toUTCString() })],
    ['500', says(500)],
    ['502 with a page', says(502, {}, '<html>')],
    ['503', says(503)],
    ['504', says(504)],
    ["a proxy's own 520", says(520)],
  ])('%s', async (_what, answer) => {
    // Long enough for the asking of a slow machine; only silence waits for it.
    const { seller, tollbook, steps } = await open([answer, sells], { requestMs: 5_000 })
    await using _ = seller
    expect((await tollbook.get(path)).data).toEqual({ price: 1 })
    expect(seller.signed).toHaveLength(1)
    expect(seller.payments).toEqual([seller.payments[0], seller.payments[0]])
    expect(steps.map(({ step }) => step)).toEqual(['challenge', 'payment', 'retry'])
  })
})

describe.concurrent('what is not to be repeated', () => {
  test('a refused payment is not followed by another', async () => {
    const { seller, tollbook } = await open([says(402, {}, '{"error":"wrong_amount"}')])
    await using _ = seller
    const failed = await tollbook.get(path).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'refused', status: 402, payment: undefined })
    expect(failed.message).toBe(
      'the payment was refused: wrong_amount; no other one was signed; the next call signs anew',
    )
    expect([seller.signed.length, seller.payments.length]).toEqual([1, 1])
  })

  test.each([400, 403, 404, 409, 410, 422])('%i is final, and the payment is told', async (status) => {
    const { seller, tollbook } = await open([says(status)])
    await using _ = seller
    const failed = await tollbook.get(path).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'failed', status, payment: seller.payments[0] })
    expect([seller.signed.length, seller.payments.length]).toEqual([1, 1])
  })

  test.each([
    ['seconds', () => '3600'],
    ['a date', IN_AN_HOUR],
  ])('a wait longer than the patience, in %s, is told at once and not shortened', async (_form, after) => {
    const { seller, tollbook } = await open([says(429, { 'retry-after': after() })])
    await using _ = seller
    const failed = await tollbook.get(path).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'undecided', status: 429, payment: seller.payments[0] })
    // A date has whole seconds, and a slow machine reads it late.
    expect(failed.retryAfterMs).toBeGreaterThan(3_000_000)
    expect(seller.payments).toHaveLength(1)
  })

  test('a payment that came back undecided buys later, without a signature', async () => {
    const { seller, tollbook } = await open([says(503), sells], { patienceMs: 900 })
    await using _ = seller
    const failed = await tollbook.get(path).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'undecided', status: 503 })
    expect((await tollbook.get(path, { payment: failed.payment })).data).toEqual({ price: 1 })
    expect(seller.payments).toEqual([failed.payment, failed.payment])
    expect(seller.signed).toHaveLength(1)
  })

  test('an observer that throws does not lose the payment', async () => {
    const onStep = ({ step }: Step) => {
      if (step === 'retry') throw new Error('the disk is full')
    }
    const { seller, tollbook } = await open([says(503)], { onStep })
    await using _ = seller
    const failed = await tollbook.get(path).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'undecided', payment: seller.payments[0] })
    expect(failed.message).toContain('the disk is full')
  })

  test('a receipt that cannot be read costs nobody the data', async () => {
    const { seller, tollbook } = await open([says(200, { 'payment-response': '%%%' }, '{"price":1}')])
    await using _ = seller
    expect(await tollbook.get(path)).toMatchObject({ data: { price: 1 }, settlement: undefined })
  })

  test('a payment that no header can carry is refused before it is sent', async () => {
    const { seller, tollbook } = await open([sells])
    await using _ = seller
    await expect(tollbook.get(path, { payment: 'a\nb' })).rejects.toThrow(TypeError)
    await expect(tollbook.get(path, { payment: '' })).rejects.toThrow(TypeError)
    expect([seller.payments, seller.asked]).toEqual([[], []])
  })
})

describe.concurrent('before anything is signed', () => {
  test.each<[string, Answer, object]>([
    ['nothing listens', reset, { kind: 'unreachable', status: 0 }],
    ['the reply is cut off', cutOff, { kind: 'unreachable', status: 200 }],
    ['the service is down', says(503, { 'retry-after': '7' }), { kind: 'failed', retryAfterMs: 7_000 }],
  ])('%s: told, and not repeated', async (_what, toAsking, expected) => {
    await using seller = await startSeller({ toAsking })
    const failed = await createTollbook({ baseUrl: seller.url, wallet: seller.wallet })
      .get(path)
      .catch((error) => error)
    expect(failed).toBeInstanceOf(TollbookError)
    expect(failed).toMatchObject({ ...expected, payment: undefined })
    expect([seller.asked.length, seller.signed.length]).toEqual([1, 0])
  })

  test('a base address with a path of its own is kept, and a path leads to no other host', async () => {
    await using seller = await startSeller({})
    const { wallet } = seller
    await createTollbook({ baseUrl: `${seller.url}/api/`, wallet }).get(path)
    await createTollbook({ baseUrl: seller.url, wallet }).get('//elsewhere.test/price/BTC' as Path)
    expect(seller.asked.map(({ url }) => url)).toEqual(['/api/price/BTC', '//elsewhere.test/price/BTC'])
    await expect(createTollbook({ baseUrl: seller.url }).get('price/BTC' as Path)).rejects.toThrow(
      'a path starts with a slash',
    )
  })

  test("a holder's token goes along, and to no other origin", async () => {
    await using other = await startSeller({})
    await using seller = await startSeller({
      toAsking: (response, { url }) =>
        url === '/btc-price'
          ? response.writeHead(307, { location: `${other.url}/` }).end()
          : response.end('{}'),
    })
    const tollbook = createTollbook({ baseUrl: seller.url, token: 'a.b.c' })
    await tollbook.get(path)
    expect(seller.asked[0]?.headers.authorization).toBe('Bearer a.b.c')
    await expect(tollbook.get('/btc-price')).rejects.toMatchObject({ kind: 'redirected' })
    expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })
})

test('what a process had at work that died is waited for, until another one may take it up', async () => {
  const ending = new AbortController()
  // A claim ends with its lease, and is then looked for every so often.
  const takenUpAfterS = (CLAIM_LEASE_MS * 7) / 6 / 1_000
  const { seller, tollbook, steps } = await open([says(409, { 'retry-after': String(takenUpAfterS) })], {
    onStep({ step }) {
      if (step === 'retry') ending.abort()
    },
  })
  await using _ = seller
  await expect(tollbook.get(path, { signal: ending.signal })).rejects.toMatchObject({ kind: 'aborted' })
  expect(steps.at(-1)).toMatchObject({ step: 'retry', afterMs: takenUpAfterS * 1_000 })
})

describe.concurrent('a call that its caller ends', () => {
  test('while asking: nothing is signed', async () => {
    const ending = new AbortController()
    await using seller = await startSeller({ toAsking: () => ending.abort(new Error('enough')) })
    const tollbook = createTollbook({ baseUrl: seller.url, wallet: seller.wallet })
    const failed = await tollbook.get(path, { signal: ending.signal }).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'aborted', payment: undefined, cause: { message: 'enough' } })
    expect(seller.signed).toEqual([])
  })

  test('while the wallet waits: what it signs later is sent nowhere', async () => {
    const ending = new AbortController()
    await using seller = await startSeller({})
    let signLate: (payload: object) => void = () => {}
    const wallet = {
      createPaymentPayload: () => {
        ending.abort()
        return new Promise<object>((resolve) => {
          signLate = resolve
        })
      },
    }
    const call = createTollbook({ baseUrl: seller.url, wallet }).get(path, { signal: ending.signal })
    await expect(call).rejects.toMatchObject({ kind: 'aborted', payment: undefined })
    signLate({})
    await new Promise((resolve) => setImmediate(resolve))
    expect(seller.payments).toEqual([])
  })

  test('before it began: the wallet is not asked', async () => {
    await using seller = await startSeller({})
    const tollbook = createTollbook({ baseUrl: seller.url, wallet: seller.wallet })
    await expect(tollbook.get(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
    })
    expect(seller.signed).toEqual([])
  })

  test('while the price is looked at: the wallet is not asked', async () => {
    const ending = new AbortController()
    const { seller, tollbook } = await open([sells], { onStep: () => ending.abort() })
    await using _ = seller
    const call = tollbook.get(path, { signal: ending.signal })
    await expect(call).rejects.toMatchObject({ kind: 'aborted', payment: undefined })
    expect(seller.signed).toEqual([])
  })

  test.each<[string, (ending: AbortController) => Answer]>([
    ['while presenting', (ending) => () => ending.abort()],
    [
      'while the body comes',
      (ending) => (response) => response.write('{', () => setImmediate(() => ending.abort())),
    ],
  ])('%s: the payment is told', async (_when, toPayment) => {
    const ending = new AbortController()
    const { seller, tollbook } = await open([toPayment(ending)])
    await using _ = seller
    const failed = await tollbook.get(path, { signal: ending.signal }).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'aborted', payment: seller.payments[0] })
    expect([seller.signed.length, seller.payments.length]).toEqual([1, 1])
  })

  test('while pausing: the payment is told, without waiting for the end of the pause', async () => {
    const ending = new AbortController()
    const onStep = ({ step }: Step) => {
      if (step === 'retry') setImmediate(() => ending.abort())
    }
    const { seller, tollbook } = await open([says(503, { 'retry-after': '3600' })], {
      onStep,
      patienceMs: 7_200_000,
    })
    await using _ = seller
    const failed = await tollbook.get(path, { signal: ending.signal }).catch((error) => error)
    expect(failed).toMatchObject({ kind: 'aborted', payment: seller.payments[0] })
  })
})
