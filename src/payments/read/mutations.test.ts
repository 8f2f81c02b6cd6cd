import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import {
  BASE_URL,
  cheap,
  NOW_MS,
  requirementOf,
  resourceUrl,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import { signTransfer } from '../../testing/payments/sample-svm.ts'
import { searchSize } from '../../testing/search-size.ts'
import { REFUSALS } from '../gate/refusal.ts'
import { createReadPayment } from './read-payment.ts'

/** The payments that are mutated; no contract wallet accepts a signature. */
const read = createReadPayment({
  clock: createManualClock(NOW_MS),
  terms,
  signatures: { holds: async () => false },
  baseUrl: BASE_URL,
})
const evm = requirementOf(cheap, 'eip155')
const svm = requirementOf(cheap, 'solana')
const RUNS = searchSize('mutations')

const spoilt = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '0',
    '-1',
    '1e3',
    '0x3e8',
    '1000',
    '01000',
    '１０００',
    2,
    1,
    0,
    null,
    true,
    [],
    {},
  ),
  fc.jsonValue({ maxDepth: 1 }),
  fc.string({ maxLength: 8 }),
)
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: fc.nat(), value: spoilt }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('add' as const),
    at: fc.nat(),
    name: fc.string({ maxLength: 6 }),
    value: spoilt,
  }),
  fc.record({
    kind: fc.constant('char' as const),
    at: fc.nat(),
    offset: fc.nat(),
    char: fc.constantFrom(...'0123456789abcdefABCDEFxX +/=.-'),
  }),
  fc.record({ kind: fc.constant('byte' as const), offset: fc.nat(), bit: fc.nat({ max: 7 }) }),
  fc.record({
    kind: fc.constant('text' as const),
    offset: fc.nat(),
    char: fc.constantFrom(...'Aa0+/=_- ,\n'),
  }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never
type Place = { holder: Record<string, unknown>; name: string }

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])])
}

function mutate(original: object, mutation: Change): string {
  const payment = structuredClone(original)
  const places = placesIn(payment)
  const place = 'at' in mutation ? places[mutation.at % places.length] : undefined
  if (place) edit(place, mutation)
  const bytes = Buffer.from(JSON.stringify(payment))
  if (mutation.kind === 'byte') {
    const at = mutation.offset % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << mutation.bit)
  }
  const text = bytes.toString('base64')
  if (mutation.kind !== 'text') return text
  const at = mutation.offset % text.length
  return text.slice(0, at) + mutation.char + text.slice(at + 1)
}

function edit({ holder, name }: Place, mutation: Change): void {
  const value = holder[name]
  if (mutation.kind === 'set') holder[name] = mutation.value
  if (mutation.kind === 'drop') delete holder[name]
  if (mutation.kind === 'add') {
    const inner = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : holder
    inner[mutation.name] = mutation.value
  }
  if (mutation.kind === 'char' && typeof value === 'string' && value.length > 0) {
    const at = mutation.offset % value.length
    holder[name] = value.slice(0, at) + mutation.char + value.slice(at + 1)
  }
}

async function samples() {
  const authorization = await signAuthorization(evm)
  const transaction = await signTransfer(svm)
  const resource = { url: resourceUrl }
  const sample = async (version: 1 | 2, original: object) => {
    const result = await read({ version, text: toHeader(original) }, cheap, 'client')
    if ('reason' in result || result.problem) throw new Error('the original is refused')
    return [version, original, result.payment] as const
  }
  return [
    await sample(2, { x402Version: 2, resource, accepted: evm, payload: authorization }),
    await sample(1, { x402Version: 1, scheme: 'exact', network: 'base', payload: authorization }),
    await sample(2, { x402Version: 2, resource, accepted: svm, payload: { transaction } }),
    await sample(1, { x402Version: 1, scheme: 'exact', network: 'solana', payload: { transaction } }),
  ] as const
}

test(`of ${RUNS} mutants none is taken for another payment, and none throws`, async () => {
  const originals = await samples()
  const counts = { refused: 0, same: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: originals.length - 1 }),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      async (which, changes) => {
        const [version, original, before] = originals[which] ?? originals[0]
        const [first, second] = changes
        if (!first) return
        let text = mutate(original, first)
        if (second && first.kind !== 'byte' && first.kind !== 'text')
          text = mutate(JSON.parse(Buffer.from(text, 'base64').toString()), second)
        const after = await read({ version, text }, cheap, 'client')
        if ('reason' in after) expect(REFUSALS).toHaveProperty(after.reason)
        if ('reason' in after || after.problem) {
          counts.refused++
          return
        }
        counts.same++
        expect([after.payment.key, after.payment.digest]).toEqual([before.key, before.digest])
        expect(after.payment.requirement).toEqual(before.requirement)
        expect(after.payment.payload.accepted).toEqual(before.requirement)
      },
    ),
    { numRuns: RUNS },
  )
  console.log(`mutants: ${counts.refused} refused, ${counts.same} the same payment in another spelling`)
  expect(counts.refused).toBeGreaterThan(RUNS / 2)
})
