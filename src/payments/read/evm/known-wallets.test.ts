import { expect, test } from 'vitest'
import { createRateCounters } from '../../../access/rate-counters.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import type { JsonRpc } from '../../chain/json-rpc.ts'
import { createSmartWalletSignatures } from './smart-wallet-signatures.ts'

const ACCEPTED = `0x1626ba7e${'0'.repeat(56)}`
const SIGNED = { hash: `0x${'12'.repeat(32)}`, signature: `0x${'34'.repeat(65)}` } as const
const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const KNOWN = addressOf(1)
const ALSO_KNOWN = addressOf(2)
const turn = () => new Promise(setImmediate)

/** A node that answers nothing until it is told to. */
function open() {
  const clock = createManualClock(0)
  const held: { wallet: string; answer: () => void }[] = []
  const rpc: JsonRpc = {
    call: (_, [call]) =>
      new Promise((resolve) => {
        held.push({ wallet: (call as { to: string }).to, answer: () => resolve(ACCEPTED) })
      }),
    batch: async () => [],
  }
  const isKnown = (wallet: string) => wallet === KNOWN || wallet === ALSO_KNOWN
  const counters = createRateCounters({ clock })
  const customerOf = (client: string) => client.replace(/ line .*/, '')
  const signatures = createSmartWalletSignatures({ rpc, clock, counters, customerOf, isKnown })
  const ask = (wallet: `0x${string}`, client: string) =>
    signatures.holds({ wallet, ...SIGNED, client }).catch(({ code }) => code)
  /** So many clients that every place is taken, and the line is full. */
  const flood = async (walletOf: (n: number) => `0x${string}`) => {
    for (let n = 0; n < 300; n++) void ask(walletOf(n), `stranger ${n}`)
    await turn()
  }
  const asked = () => held.map(({ wallet }) => wallet)
  return { clock, held, ask, flood, asked }
}

test('a wallet that has bought lately does not wait for strangers', async () => {
  const { held, ask, flood, asked } = open()
  await flood((n) => addressOf(1_000 + n))
  expect(asked()).toHaveLength(12)
  const known = ask(KNOWN, 'buyer')
  await turn()
  expect(asked().at(-1)).toBe(KNOWN)
  held.at(-1)?.answer()
  expect(await known).toBe(true)
})

test('who names such a wallet takes no place of another one, and the node is asked no more at once', async () => {
  const { held, ask, flood, asked } = open()
  await flood(() => KNOWN)
  expect(asked()).toHaveLength(14)
  const other = ask(ALSO_KNOWN, 'buyer')
  await turn()
  expect(asked().at(-1)).toBe(ALSO_KNOWN)
  held.at(-1)?.answer()
  expect(await other).toBe(true)
  for (const wallet of [ALSO_KNOWN, ALSO_KNOWN, ALSO_KNOWN]) void ask(wallet, 'buyer')
  await turn()
  expect(held.length - 1).toBeLessThanOrEqual(16)
})

test('one whose own places are taken by others waits with strangers, as before', async () => {
  const { clock, held, ask, asked } = open()
  for (let n = 0; n < 6; n++) void ask(KNOWN, `forger ${n}`)
  await turn()
  const asked1 = asked().length
  const own = ask(KNOWN, 'buyer')
  await turn()
  expect(asked().length).toBe(asked1 + 1)
  clock.advance(4_000)
  for (const { answer } of held) answer()
  expect(await own).toBe(true)
})

test('however many lines one customer has, he takes two places, and others do not wait for him', async () => {
  const { ask, asked } = open()
  for (let n = 0; n < 300; n++) void ask(addressOf(1_000 + n), `tunnel line ${n}`)
  void ask(addressOf(7), 'another')
  await turn()
  expect(asked()).toEqual([addressOf(1_000), addressOf(1_001), addressOf(7)])
})
