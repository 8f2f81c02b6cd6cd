import { expect, onTestFinished, test } from 'vitest'
import type { Requirement } from '../../catalog/payment-terms.ts'
import { openPoolWorld } from '../../testing/payments/pool-world.ts'
import { toHeader } from '../../testing/payments/sample-evm.ts'
import { memo, signTransfer } from '../../testing/payments/sample-svm.ts'

async function openWorld() {
  const world = await openPoolWorld()
  onTestFinished(world.close)
  const offered = async (): Promise<Requirement> =>
    (await world.priceOf()).accepts.find(({ network }: Requirement) => network.startsWith('solana:'))
  return { ...world, offered }
}

let payments = 0
const transfer = (accepted: Requirement) => signTransfer(accepted, { extra: [memo(`payment ${++payments}`)] })

async function sign(accepted: Requirement) {
  const transaction = await transfer(accepted)
  return { version: 2, text: toHeader({ x402Version: 2, accepted, payload: { transaction } }) } as const
}

async function signV1(accepted: Requirement) {
  const payload = { transaction: await transfer(accepted) }
  return {
    version: 1,
    text: toHeader({ x402Version: 1, scheme: 'exact', network: 'solana', payload }),
  } as const
}

test('when a facilitator fails, the next 402 names another, and payments for the old one wait for it', async () => {
  const { members, rows, offered, buy } = await openWorld()
  const [a, b] = members
  const before = await offered()
  expect(before.extra.feePayer).toBe(a.feePayer)
  const early = [await sign(before), await signV1(before)] as const
  await a.setDown(true)
  for (const payment of early)
    expect(await buy(payment)).toEqual({ ended: 'payments_unavailable', retryAfterS: 5 })
  const after = await offered()
  expect(after.extra.feePayer).toBe(b.feePayer)
  expect(await buy(await sign(after))).toEqual({ ended: 'sold' })
  expect(b.settled).toHaveLength(1)
  // Also once it is not asked any more: nobody else can settle what names its fee payer.
  for (let time = 0; time < 5; time++)
    expect(await buy(early[0])).toMatchObject({ ended: 'payments_unavailable' })
  expect([rows.size, b.verified.length]).toEqual([1, 1])
})

test('a payment for an earlier 402 is settled by the facilitator that the 402 meant', async () => {
  const { clock, members, offered, buy } = await openWorld()
  const [a, b] = members
  const early = await sign(await offered())
  const earlyV1 = await signV1(await offered())
  await a.setDown(true)
  await buy(early)
  expect((await offered()).extra.feePayer).toBe(b.feePayer)
  await a.setDown(false)
  clock.advance(46_000)
  expect([await buy(early), await buy(earlyV1)]).toEqual([{ ended: 'sold' }, { ended: 'sold' }])
  expect([a.settled.length, b.verified.length]).toEqual([2, 0])
})

test('a fee payer that was never offered is refused', async () => {
  const { members, offered, buy } = await openWorld()
  const accepted = {
    ...(await offered()),
    extra: { feePayer: 'So11111111111111111111111111111111111111112' },
  }
  expect(await buy(await sign(accepted))).toEqual({ ended: 'wrong_terms' })
  expect(await buy(await signV1(accepted))).toEqual({ ended: 'wrong_terms' })
  expect(members.flatMap(({ verified }) => verified)).toEqual([])
})

test('what was accepted and what was signed name the same fee payer', async () => {
  const { members, offered, buy } = await openWorld()
  const [, b] = members
  const accepted = await offered()
  const transaction = await signTransfer({ ...accepted, extra: { feePayer: b.feePayer } })
  const text = toHeader({ x402Version: 2, accepted, payload: { transaction } })
  expect(await buy({ version: 2, text })).toEqual({ ended: 'wrong_terms' })
})
