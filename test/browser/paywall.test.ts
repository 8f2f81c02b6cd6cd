import { recoverTypedDataAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { REFUSALS } from '../../src/payments/gate/refusal.ts'
import { AUTHORIZATION_TYPES } from '../../src/payments/read/evm/authorization-types.ts'
import { isChromiumMissing } from './chromium.ts'
import {
  button,
  buyAgain,
  describeScene,
  kept,
  notes,
  openWithWallet,
  reply,
  says,
  signatures,
  status,
} from './scene.ts'
import { type Act, PAY_TO, REPLY, TRANSACTION, USDC } from './shop.ts'
import { listen } from './spoken.ts'

const IN_PROGRESS = {
  kind: 'fail',
  status: 409,
  json: { code: 'payment_in_progress', title: 'That payment is being worked on' },
  retryAfterS: 7,
} as const

describe.skipIf(isChromiumMissing)('paying from the paywall page in Chromium', () => {
  const scene = describeScene()

  test('a signed payment buys the reply', async () => {
    const { shop, tab, wallet } = scene
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Paid')
    const [header = ''] = shop.presented
    expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
    const payment = JSON.parse(Buffer.from(header, 'base64').toString())
    const accepted = shop.envelope.accepts[1]
    const { resource, extensions } = shop.envelope
    const { signature, authorization } = payment.payload
    expect(payment).toEqual({
      x402Version: 2,
      resource,
      accepted,
      payload: { signature, authorization },
      extensions: {
        ...extensions,
        'payment-identifier': { info: { id: expect.stringMatching(/^[0-9a-f]{32}$/) } },
      },
    })
    const nowS = Date.now() / 1000
    expect(authorization).toEqual({
      from: wallet.account.address,
      to: PAY_TO,
      value: '12500',
      validAfter: expect.stringMatching(/^\d{10}$/),
      validBefore: String(Number(authorization.validAfter) + 900),
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(Math.abs(Number(authorization.validAfter) - (nowS - 600))).toBeLessThan(10)
    const signer = await recoverTypedDataAddress({
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
      types: AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
      signature,
    })
    expect(signer).toBe(wallet.account.address)
    expect(await reply(scene).textContent()).toBe(JSON.stringify(REPLY, null, 2))
    expect(await tab.page.getByText(TRANSACTION).isVisible()).toBe(true)
    expect(await button(scene).isVisible()).toBe(false)
  })

  test('the wallet is asked to switch to Base only where it is elsewhere', async () => {
    const { shop, wallet } = scene
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Paid')
    await buyAgain(scene)
    await expect.poll(() => shop.presented.length).toBe(2)
    const switches = wallet.calls.filter(({ method }) => method === 'wallet_switchEthereumChain')
    expect(switches).toEqual([{ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] }])
    expect(signatures(scene)).toBe(2)
    expect(new Set(shop.presented).size).toBe(2)
  })

  test('a refusal is told, and the next try signs anew', async () => {
    const { shop } = scene
    shop.acts.push({ kind: 'fail', status: 402, json: { x402Version: 2, error: 'insufficient_funds' } })
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'Refused and not charged: the payer cannot cover the amount.')
    expect(await kept(scene)).toBe(0)
    await button(scene).click()
    await says(scene, 'Paid')
    expect([shop.presented.length, new Set(shop.presented).size, signatures(scene)]).toEqual([2, 2, 2])
  })

  test('every reason of the gate is told in the words of its table', async () => {
    const { shop } = scene
    await openWithWallet(scene)
    // The one that asks for a payment decides nothing about ours.
    const reasons = Object.entries(REFUSALS).filter(([reason]) => reason !== 'payment_required')
    expect(reasons.length).toBeGreaterThan(10)
    for (const [reason, words] of reasons) {
      shop.acts.push({ kind: 'fail', status: 402, json: { x402Version: 2, error: reason } })
      await button(scene).click()
      await says(scene, `Refused and not charged: ${words}. You can pay again.`)
    }
    expect([shop.presented.length, await kept(scene)]).toEqual([reasons.length, 0])
  })

  test('a refusal after a try whose answer was lost is not called uncharged, and the payment is kept', async () => {
    const { shop, tab } = scene
    shop.acts.push({ kind: 'drop' }, { kind: 'fail', status: 402, json: { error: 'expired' } })
    await openWithWallet(scene)
    await button(scene).click()
    await notes(scene, 'sent again in 3 s')
    await tab.page.clock.runFor(3000)
    await says(scene, 'It is not certain whether your payment went through')
    expect(await status(scene).textContent()).not.toContain('not charged')
    expect([await kept(scene), await button(scene).isVisible()]).toEqual([1, false])
    await tab.page.getByRole('button', { name: 'Try again' }).click()
    await says(scene, 'Paid')
    expect([new Set(shop.presented).size, signatures(scene)]).toEqual([1, 1])
  })

  test.each([
    [
      'the service said that it could not sell then',
      { kind: 'fail', status: 503, json: {} },
      'insufficient_funds',
    ],
    ['the chain can no longer execute it', { kind: 'drop' }, 'payment_void'],
  ] as [string, Act, string][])('a refusal is final where %s', async (_, before, error) => {
    const { shop, tab } = scene
    shop.acts.push(before, { kind: 'fail', status: 402, json: { error } })
    await openWithWallet(scene)
    await button(scene).click()
    await notes(scene, 'sent again in 3 s')
    await tab.page.clock.runFor(3000)
    await says(scene, 'Refused and not charged')
    expect(await kept(scene)).toBe(0)
  })

  test('a payment that was used elsewhere is let go', async () => {
    const { shop } = scene
    const json = { code: 'payment_already_used', title: 'That payment has been used already' }
    shop.acts.push({ kind: 'fail', status: 409, json })
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'That payment has been used already.')
    expect(await kept(scene)).toBe(0)
    await button(scene).click()
    await says(scene, 'Paid')
    expect(signatures(scene)).toBe(2)
  })

  test('a reply of the service that lost word of its payment ends it, and the payment is kept', async () => {
    const { shop } = scene
    shop.acts.push({ kind: 'fail', status: 200, json: {} })
    await openWithWallet(scene)
    await button(scene).click()
    await says(scene, 'something between us has removed it')
    expect([shop.presented.length, await kept(scene)]).toEqual([1, 1])
  })

  test('whatever does not decide, the same payment is presented again after the wait that was asked for', async () => {
    const { shop, tab } = scene
    const undecided: [Act, waitS: number][] = [
      [IN_PROGRESS, 7],
      [{ kind: 'fail', status: 503, json: { code: 'payment_pending' }, retryAfterS: 2 }, 2],
      [{ kind: 'fail', status: 503, json: {}, retryAfterS: 86_400 }, 60],
      [{ kind: 'fail', status: 500, json: null }, 3],
      [{ kind: 'fail', status: 408, json: null }, 3],
      [{ kind: 'fail', status: 425, json: null }, 3],
      [{ kind: 'fail', status: 429, json: { code: 'rate_limited' }, retryAfterS: 5 }, 5],
      // Somebody in between who did not pass the payment on, or who answers in our place.
      [{ kind: 'fail', status: 402, json: { error: 'payment_required' } }, 3],
      // Of a gateway whose plan is used up, whether it has our headers or not.
      [
        { kind: 'fail', status: 402, json: { error: { code: '402', message: 'DISABLED' } }, isForeign: true },
        3,
      ],
      [{ kind: 'fail', status: 402, json: { error: 'quota_exceeded' }, isForeign: true }, 3],
      [{ kind: 'fail', status: 402, json: { error: 'expired' }, isForeign: true }, 3],
      [{ kind: 'fail', status: 402, json: { error: 'constructor' } }, 3],
      [{ kind: 'fail', status: 200, json: {}, isForeign: true }, 3],
      [{ kind: 'drop' }, 3],
      [{ kind: 'cut' }, 3],
    ]
    shop.acts.push(...undecided.map(([act]) => act))
    await openWithWallet(scene)
    await button(scene).click()
    for (const [at, [, waitS]] of undecided.entries()) {
      await expect.poll(() => shop.presented.length).toBe(at + 1)
      await notes(scene, `sent again in ${waitS} s`)
      expect(await kept(scene)).toBe(1)
      await tab.page.clock.runFor(waitS * 1000 - 1)
      await notes(scene, 'sent again')
      await tab.page.clock.runFor(1)
    }
    await says(scene, 'Paid')
    expect([shop.presented.length, new Set(shop.presented).size, signatures(scene)]).toEqual([
      undecided.length + 1,
      1,
      1,
    ])
  })

  test('tries are shown one by one, and what is read aloud is said once', async () => {
    const { shop, tab } = scene
    const spoken = await listen(tab.page)
    const TRIES = 5
    shop.acts.push(...Array(TRIES).fill({ kind: 'fail', status: 502, json: null }))
    await openWithWallet(scene)
    await button(scene).click()
    for (let tries = 1; tries <= TRIES; tries++) {
      await expect.poll(() => shop.presented.length).toBe(tries)
      await notes(scene, 'The service answered 502. It is sent again in 3 s.')
      await tab.page.clock.runFor(3000)
    }
    await says(scene, 'Paid')
    expect(await spoken()).toEqual([
      'Choose an account in your wallet.',
      'Let your wallet switch to Base.',
      'Sign the payment in your wallet.',
      'Paying, and fetching your reply…',
      'Not decided yet. The same payment is sent until it is; you are charged once at most.',
      'Paid. Here is your reply.',
    ])
    expect(await tab.page.locator('#progress').textContent()).toBe('')
  })

  test('no second payment is signed while the first is undecided, however often one presses', async () => {
    const { shop, tab } = scene
    shop.acts.push(IN_PROGRESS)
    await openWithWallet(scene)
    await button(scene).click()
    await notes(scene, 'sent again')
    for (let presses = 0; presses < 5; presses++) await tab.page.locator('#pay').dispatchEvent('click')
    expect([shop.presented.length, signatures(scene)]).toEqual([1, 1])
  })

  test('a reload goes on with the undecided payment, without asking the wallet', async () => {
    const { shop, tab } = scene
    shop.acts.push(IN_PROGRESS)
    await openWithWallet(scene)
    await button(scene).click()
    await notes(scene, 'sent again')
    await tab.page.reload()
    await says(scene, 'Paid')
    expect([shop.presented.length, new Set(shop.presented).size, signatures(scene)]).toEqual([2, 1, 1])
  })

  test('tries have an end, and after it the same payment still waits', async () => {
    const { shop, tab } = scene
    shop.acts.push(...Array(40).fill({ kind: 'fail', status: 502, json: null }))
    await openWithWallet(scene)
    await button(scene).click()
    for (let tries = 1; tries <= 40; tries++) {
      await expect.poll(() => shop.presented.length, { interval: 5 }).toBe(tries)
      await notes(scene, 'sent again in 3 s')
      await tab.page.clock.runFor(3000)
    }
    await says(scene, 'Still undecided')
    await tab.page.getByRole('button', { name: 'Try again' }).click()
    await says(scene, 'Paid')
    expect([shop.presented.length, new Set(shop.presented).size, signatures(scene)]).toEqual([41, 1, 1])
  })

  test('a wallet that says no is answered calmly, and nothing is sent', async () => {
    const { shop, wallet } = scene
    const message = '<img src=x onerror=alert(1)>'
    const refusals = [
      ['eth_requestAccounts', 4001, 'You declined in your wallet. Nothing was charged.'],
      ['eth_requestAccounts', -32002, 'still waits for an answer'],
      ['wallet_switchEthereumChain', 4902, 'does not know Base'],
      ['eth_signTypedData_v4', 4001, 'You declined in your wallet. Nothing was charged.'],
      ['eth_signTypedData_v4', -32603, `${message}. Nothing was charged.`],
      ['eth_signTypedData_v4', -32603, 'The wallet failed. Nothing was charged.', ''],
    ] as const
    await openWithWallet(scene)
    for (const [method, code, text, said = message] of refusals) {
      wallet.failures.set(method, { code, message: said })
      await button(scene).click()
      await says(scene, text)
      expect(await status(scene).getAttribute('data-tone')).toBe('calm')
    }
    expect([shop.presented.length, await kept(scene)]).toEqual([0, 0])
    await button(scene).click()
    await says(scene, 'Paid')
  })

  test('a signature without the usual recovery byte gets it, any other stays as it is', async () => {
    const { shop, tab, wallet } = scene
    await openWithWallet(scene)
    const body = `0x${'ab'.repeat(64)}`
    const given = ['00', '01', '1b', `1c${'00'.repeat(64)}01`]
    for (const ending of given) {
      wallet.finish = () => body + ending
      await button(scene).click()
      await says(scene, 'Paid')
      await tab.page.getByRole('button', { name: 'Done' }).click()
    }
    const sent = shop.presented.map((header) => JSON.parse(Buffer.from(header, 'base64').toString()))
    expect(sent.map(({ payload }) => payload.signature.slice(body.length))).toEqual([
      '1b',
      '1c',
      ...given.slice(2),
    ])
  })
})
