import { randomBytes } from 'node:crypto'
import { openSandboxWallet } from '../../src/cli/buying/sandbox-wallet.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { untilDecided } from '../audit/aftermath.ts'
import { createChainEvidence } from '../audit/chain-evidence.ts'
import type { Violation } from '../audit/invariants.ts'
import { homeOf } from '../buying/counter.ts'
import { readRequired, readTerms } from '../buying/terms.ts'
import { type Network, type SignedPayment, type Wallet, walletOf } from '../buying/wallet.ts'
import { untilWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { readDatabaseRows } from './ledger-in-database.ts'
import { openTill, type Till } from './till.ts'

export type CopiesInput = { copies: number; seed: number; say(line: string): void }
export type CopiesOutcome = { violations: readonly Violation[]; lines: readonly string[]; dir: string }
type Case = { name: string; payments: readonly SignedPayment[] }
type Scene = { input: CopiesInput; fleet: Fleet; till: Till; chain: ReturnType<typeof createChainEvidence> }

const PATH = '/price/BTC'
const DECIDED_WITHIN_MS = 120_000
const IDENTIFIER_BYTES = 16

/** The same payment many times at once at every api, and two payments that name one purchase. */
export async function copies(input: CopiesInput): Promise<CopiesOutcome> {
  const fleet = await startFleet({ engines: 1 })
  try {
    await untilWhole(fleet)
    const [first, ...rest] = fleet.apis.map(({ url }) => url)
    if (!first) throw new Error('there is no api')
    const till = openTill({ urls: [first, ...rest], seeded: createSeeded(input.seed), heard: () => {} })
    const { payTo } = await readTerms(till.counter, [PATH])
    const scene = { input, fleet, till, chain: createChainEvidence(await fleet.nodes(), payTo) }
    const violations: Violation[] = []
    const lines: string[] = []
    for (const each of await makeCases(scene, first)) {
      const seen = await present(scene, each)
      violations.push(...seen.violations)
      lines.push(seen.line)
      input.say(seen.line)
    }
    return { violations, lines, dir: fleet.dir }
  } finally {
    await fleet.end()
  }
}

async function makeCases({ till }: Scene, url: string): Promise<Case[]> {
  const open = async (network: Network) => walletOf(network, (await openSandboxWallet(url, network)).wallet)
  const [base, other, solana] = await Promise.all([open('base'), open('base'), open('solana')])
  const sign = async (wallet: Wallet): Promise<SignedPayment> => {
    const required = await readRequired(till.counter, PATH)
    const payment = required && (await wallet.sign(required))
    if (!payment) throw new Error(`${PATH} cannot be paid on ${wallet.network}`)
    return payment
  }
  const named = async (...wallets: Wallet[]) => {
    const id = randomBytes(IDENTIFIER_BYTES).toString('hex')
    return Promise.all(wallets.map(async (wallet) => withIdentifier(await sign(wallet), id)))
  }
  return [
    { name: 'one payment on Base', payments: [await sign(base)] },
    { name: 'one payment on Solana', payments: [await sign(solana)] },
    { name: 'two payments of one buyer, one identifier', payments: await named(base, base) },
    { name: 'two payments of two buyers, one identifier', payments: await named(base, other) },
    { name: 'a payment on each chain, one identifier', payments: await named(base, solana) },
  ]
}

/** Not signed by the payer: any client may add it. */
function withIdentifier(payment: SignedPayment, id: string): SignedPayment {
  const payload = JSON.parse(Buffer.from(payment.header, 'base64').toString())
  const extensions = { ...payload.extensions, 'payment-identifier': { info: { id } } }
  return { ...payment, header: Buffer.from(JSON.stringify({ ...payload, extensions })).toString('base64') }
}

async function present({ input, fleet, till, chain }: Scene, { name, payments }: Case) {
  const answers = new Map<string, number>()
  const everywhere = async (payment: SignedPayment, at: string) => {
    const answer = await till.counter.present(PATH, payment, { at, from: homeOf(payment) })
    const what = answer ? `${answer.status} ${answer.reason ?? ''}`.trim() : 'no answer'
    answers.set(what, (answers.get(what) ?? 0) + 1)
  }
  const urls = fleet.apis.map(({ url }) => url)
  const turns = Array.from({ length: input.copies }, (_, turn) => turn)
  const combined = payments.flatMap((payment) => urls.map((url) => [payment, url] as const))
  await Promise.all(turns.map((turn) => everywhere(...pickTurn(combined, turn))))
  await untilDecided(() => readDatabaseRows(fleet.postgres.url), DECIDED_WITHIN_MS)
  // Now that it is decided, once more behind every door.
  for (const [payment, url] of combined)
    await till.counter.present(PATH, payment, { at: url, from: homeOf(payment) })
  const ids = new Set(payments.map(({ id }) => id))
  const settled = (await readDatabaseRows(fleet.postgres.url)).filter(
    ({ id, state }) => ids.has(id) && state === 'settled',
  ).length
  const transfers = (await chain.transfers()).filter(({ id }) => ids.has(id)).length
  const goods = [...ids].flatMap((id) => till.counter.sightings.get(id) ?? []).length
  const told = [...answers].map(([what, count]) => `${count} × ${what}`).join(', ')
  const line = `${name}, ${input.copies} times at ${urls.length} apis: ${settled} settled, ${transfers} transfers, ${goods} kinds of goods; ${told}`
  const counts = { 'settled rows': settled, transfers, 'kinds of goods': goods }
  const violations = Object.entries(counts)
    .filter(([, count]) => count !== 1)
    .map(([what, count]) => ({ rule: `C1 ${count} ${what}, not one`, subject: name }))
  const insults = till.counter.insults.map((subject) => ({ rule: 'an answer nobody should get', subject }))
  return { line, violations: [...violations, ...insults] }
}

function pickTurn<T>(all: readonly T[], turn: number): T {
  const picked = all[turn % all.length]
  if (picked === undefined) throw new Error('nothing to present')
  return picked
}
