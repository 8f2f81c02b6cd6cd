import { afterAll, beforeAll, expect, test } from 'vitest'
import { usd } from '../../src/core/money.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../src/payments/challenge/terms.ts'
import { type Address, codeOf, EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import {
  buyerOn,
  fickleWallet,
  openTokenWorld,
  PRICE,
  payToOf,
  type TokenWorld,
  untilDecided,
} from './token-world.ts'

/** Of `OddUsdc`, in the order that it has them. */
const WAYS = ['well', 'false', 'mute', 'short', 'astray', 'echo'] as const
const PENDING = { status: 503, why: 'payment_pending' }
const VOID = { status: 402, why: 'payment_void' }
const SOLD = { status: 200 }
/** Far beyond the life of every payment. */
const LATER_S = 1_000
type Buyer = Awaited<ReturnType<typeof buyerOn>>

let world: TokenWorld
let payTo: { evm: Address; svm: string }
beforeAll(async () => {
  world = await openTokenWorld()
  payTo = { evm: payToOf(world, EVM_NETWORK) as Address, svm: payToOf(world, SVM_NETWORK) }
  await world.evm.rpc('anvil_setCode', EVM_CONTRACTS.TestUsdc, codeOf('OddUsdc'))
  await world.svm.fundUsdc(payTo.svm, usd('0'))
  // It may have seen that the account was missing, a moment before the first purchase.
  await world.service.restart()
})
afterAll(() => world.close())

/** A buyer whose payments this token treats in its own way. */
async function oddBuyer(way: (typeof WAYS)[number]): Promise<Buyer> {
  const buyer = await buyerOn(world, EVM_NETWORK)
  await world.keep('behave', [buyer.address, WAYS.indexOf(way)])
  return buyer
}

/** The facilitator reports every transaction as a success; before it settles for a payer, `barred` is done. */
function lieAlways(barred: ReadonlyMap<string, () => Promise<void>>) {
  world.around((settle) => async (payload, requirement) => {
    const { from } = (payload.payload.authorization ?? {}) as { from?: string }
    await barred.get(from?.toLowerCase() ?? requirement.network)?.()
    const answer = await settle(payload, requirement)
    return answer.transaction ? { ...answer, success: true } : answer
  })
}

const endingsOf = (buyers: readonly Buyer[]) => Promise.all(buyers.map(({ buy }) => buy()))
const paidBy = (buyers: readonly Buyer[]) => Promise.all(buyers.map(({ paid }) => paid()))

test('what fails after the check was passed is not paid, and ends when the payment does', async () => {
  const { evm, svm, svmClock } = world
  const unmoved = [
    await oddBuyer('false'),
    await oddBuyer('echo'),
    await buyerOn(world, EVM_NETWORK, await fickleWallet(world)),
    await buyerOn(world, SVM_NETWORK),
  ]
  const elsewhere = [await oddBuyer('short'), await oddBuyer('astray')]
  const late = await buyerOn(world, EVM_NETWORK)
  lieAlways(
    new Map([
      [late.address.toLowerCase(), () => world.keep('blacklist', [late.address])],
      [SVM_NETWORK, () => svm.setUsdcAccount(payTo.svm, 'closed')],
    ]),
  )
  const [first, moved, barred] = await Promise.all([endingsOf(unmoved), endingsOf(elsewhere), late.buy()])
  expect([...first, barred]).toMatchObject(Array(5).fill(PENDING))
  // The token says that these were used, and not for us: nothing is left to wait for.
  expect(moved).toMatchObject([VOID, VOID])
  expect(await paidBy([...unmoved, late])).toEqual(Array(5).fill(0n))
  expect(await evm.usdcOf(payTo.evm)).toBe(PRICE - 1n)

  lieAlways(new Map())
  await world.keep('unBlacklist', [late.address])
  expect(await untilDecided(late.buy)).toMatchObject(SOLD)
  expect(await late.buy()).toMatchObject(SOLD)
  expect(await late.paid()).toBe(PRICE)

  await evm.rpc('evm_increaseTime', LATER_S)
  await evm.mine(1)
  svmClock.advance(LATER_S * 1_000)
  await svm.setUsdcAccount(payTo.svm, 'open')
  // A blockhash has expired for certain when it is still unknown a lifetime after it was first found so.
  const stop = systemClock.every(100, () => svmClock.advance(LATER_S * 1_000))
  const ended = await Promise.all(unmoved.map(({ buy }) => untilDecided(buy)))
  stop()
  expect(ended).toMatchObject(Array(4).fill(VOID))
  expect(await paidBy(unmoved)).toEqual(Array(4).fill(0n))
  expect([await evm.usdcOf(payTo.evm), await svm.usdcOf(payTo.svm)]).toEqual([2n * PRICE - 1n, 0n])
})
