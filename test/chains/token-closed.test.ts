import { afterAll, beforeAll, expect, test } from 'vitest'
import { usd } from '../../src/core/money.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../src/payments/challenge/terms.ts'
import { codeOf, EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import { checkOf } from './chain-world.ts'
import {
  buyerOn,
  challengeOf,
  openTokenWorld,
  PRICE,
  payToOf,
  type TokenWorld,
  untilDecided,
} from './token-world.ts'

let world: TokenWorld
let payTo: { evm: string; svm: string }
beforeAll(async () => {
  world = await openTokenWorld()
  payTo = { evm: payToOf(world, EVM_NETWORK), svm: payToOf(world, SVM_NETWORK) }
})
afterAll(() => world.close())

test('an account that was never made is not offered, and is once it is there', async () => {
  const { service, svm } = world
  expect(await offered()).toEqual([EVM_NETWORK])
  expect(await checkOf(service, 'usdc')).toMatchObject({
    status: 'degraded',
    detail: expect.stringContaining('solana: the USDC account that is paid does not exist, since '),
  })
  const { buy, paid } = await buyerOn(world, SVM_NETWORK)
  expect(await buy()).toMatchObject({ status: 503, why: 'payments_unavailable' })
  await svm.fundUsdc(payTo.svm, usd('0'))
  expect(await untilDecided(buy)).toMatchObject({ status: 200 })
  expect([await offered(), await paid()]).toEqual([[EVM_NETWORK, SVM_NETWORK], PRICE])
})

type Change = [what: string, why: string, network: string, shut: () => unknown, open: () => unknown]
const paysNobody: Change[] = [
  [
    'USDC is paused',
    'USDC is paused there',
    EVM_NETWORK,
    () => world.keep('pause'),
    () => world.keep('unpause'),
  ],
  [
    'the payee is blacklisted',
    'the address that is paid is on the blacklist of USDC',
    EVM_NETWORK,
    () => world.keep('blacklist', [payTo.evm]),
    () => world.keep('unBlacklist', [payTo.evm]),
  ],
  [
    'the account of the payee is closed',
    'the USDC account that is paid does not exist',
    SVM_NETWORK,
    () => world.svm.setUsdcAccount(payTo.svm, 'closed'),
    () => world.svm.setUsdcAccount(payTo.svm, 'open'),
  ],
  [
    'the account of the payee is frozen',
    'the USDC account that is paid is frozen',
    SVM_NETWORK,
    () => world.svm.setUsdcAccount(payTo.svm, 'frozen'),
    () => world.svm.setUsdcAccount(payTo.svm, 'open'),
  ],
]

test.each(paysNobody)(
  'while %s nobody is charged, all are told, and the other network is offered',
  async (_, why, network, shut, open) => {
    const { service, asked } = world
    const earlier = await buyerOn(world, network)
    expect(await untilDecided(earlier.buy)).toMatchObject({ status: 200 })
    const [first, second] = [await buyerOn(world, network), await buyerOn(world, network)]
    await shut()
    const name = network === EVM_NETWORK ? 'base' : 'solana'
    const refused = {
      status: 503,
      why: 'payments_unavailable',
      detail: `payments on ${name} are not possible now: ${why}; nothing was charged`,
    }
    expect(await first.buy()).toEqual(refused)
    // By now it is known: no facilitator hears of it any more.
    asked.length = 0
    expect([await second.buy(), await first.buy()]).toEqual([refused, refused])
    expect(asked).toEqual([])
    expect([await first.paid(), await second.paid()]).toEqual([0n, 0n])
    expect(await offered()).toEqual([EVM_NETWORK, SVM_NETWORK].filter((each) => each !== network))
    expect(await checkOf(service, 'usdc')).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining(`${name}: ${why}, since `),
    })
    expect(await earlier.buy()).toMatchObject({ status: 200 })
    expect(await earlier.paid()).toBe(PRICE)
    await open()
    expect(await untilDecided(first.buy)).toMatchObject({ status: 200 })
    expect(await first.paid()).toBe(PRICE)
    expect(await offered()).toEqual([EVM_NETWORK, SVM_NETWORK])
  },
)

test.each([EVM_NETWORK, SVM_NETWORK] as const)(
  'while no node of %s answers nobody is charged there, and the other network is offered',
  async (network) => {
    const buyer = await buyerOn(world, network)
    world.nodes[network].fail({ status: 503 })
    expect(await buyer.buy()).toMatchObject({ status: 503, why: 'payments_unavailable' })
    expect(await buyer.paid()).toBe(0n)
    expect(await offered()).toEqual([EVM_NETWORK, SVM_NETWORK].filter((each) => each !== network))
    world.nodes[network].fail({})
    expect(await untilDecided(buyer.buy)).toMatchObject({ status: 200 })
    expect([await offered(), await buyer.paid()]).toEqual([[EVM_NETWORK, SVM_NETWORK], PRICE])
  },
)

test('where no network can be paid all are offered, and the service is down', async () => {
  const { service, svm } = world
  const [base, solana] = [await buyerOn(world, EVM_NETWORK), await buyerOn(world, SVM_NETWORK)]
  await Promise.all([world.keep('pause'), svm.setUsdcAccount(payTo.svm, 'frozen')])
  expect([(await base.buy()).status, (await solana.buy()).status]).toEqual([503, 503])
  expect(await offered()).toEqual([EVM_NETWORK, SVM_NETWORK])
  expect(await checkOf(service, 'usdc')).toMatchObject({ status: 'down' })
  expect((await service.get('/health')).status).toBe(503)
  await Promise.all([world.keep('unpause'), svm.setUsdcAccount(payTo.svm, 'open')])
  for (const { buy } of [base, solana]) expect(await untilDecided(buy)).toMatchObject({ status: 200 })
})

type PayerCase = [
  what: string,
  network: string,
  why: string,
  shut: (payer: string) => unknown,
  open: (payer: string) => unknown,
]
test.each<PayerCase>([
  [
    'is blacklisted',
    EVM_NETWORK,
    'payer_blocked',
    (payer) => world.keep('blacklist', [payer]),
    (payer) => world.keep('unBlacklist', [payer]),
  ],
  [
    'has a frozen account',
    SVM_NETWORK,
    'payer_blocked',
    (payer) => world.svm.setUsdcAccount(payer, 'frozen'),
    (payer) => world.svm.setUsdcAccount(payer, 'open'),
  ],
  [
    'has closed his account',
    SVM_NETWORK,
    'insufficient_funds',
    (payer) => world.svm.setUsdcAccount(payer, 'closed'),
    (payer) => world.svm.fundUsdc(payer, usd('10')),
  ],
])(
  'a payer who %s is refused by name and pays later with the same payment',
  async (_, network, why, shut, open) => {
    const received = () => receivedOn(network)
    const [buyer, other] = [await buyerOn(world, network), await buyerOn(world, network)]
    await shut(buyer.address)
    const before = await received()
    expect(await buyer.buy()).toMatchObject({ status: 402, why })
    expect(await received()).toBe(before)
    expect(await untilDecided(other.buy)).toMatchObject({ status: 200 })
    await open(buyer.address)
    expect(await untilDecided(buyer.buy)).toMatchObject({ status: 200 })
    expect(await received()).toBe(before + 2n * PRICE)
  },
)

test('a token that reverts without a word is a refusal, and others go on', async () => {
  await world.evm.rpc('anvil_setCode', EVM_CONTRACTS.TestUsdc, codeOf('OddUsdc'))
  const [buyer, other] = [await buyerOn(world, EVM_NETWORK), await buyerOn(world, EVM_NETWORK)]
  await world.keep('behave', [buyer.address, 2])
  expect(await buyer.buy()).toMatchObject({ status: 402, why: 'payment_refused' })
  expect(await buyer.paid()).toBe(0n)
  expect(await untilDecided(other.buy)).toMatchObject({ status: 200 })
  await world.keep('behave', [buyer.address, 0])
  expect(await untilDecided(buyer.buy)).toMatchObject({ status: 200 })
})

const offered = async () => (await challengeOf(world.service)).accepts.map(({ network }) => network)

const receivedOn = (network: string) =>
  network === EVM_NETWORK
    ? world.evm.usdcOf(payTo.evm as Parameters<typeof world.evm.usdcOf>[0])
    : world.svm.usdcOf(payTo.svm)
