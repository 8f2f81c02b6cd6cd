import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaymentLedger } from '../../ledger/ports/payment-book-queries.ts'
import type { OpenedStores } from './opened-stores.ts'
import { sampleClaim, sampleOutcome, sampleReply } from './sample-claim.ts'

type Key = string
type Step =
  | { kind: 'claim'; key: Key; owner: string; identifier: string | undefined }
  | { kind: 'prepare' | 'release'; key: Key; owner: string }
  | { kind: 'settle' | 'void'; key: Key }
/** The smallest model of a row: its owner, identifier, state and transaction. */
type Expected = { state: string; owner: string; identifier: string | undefined; tx: string | undefined }
type Model = Map<Key, Expected>

const key = fc.constantFrom('a', 'b', 'c')
const owner = fc.constantFrom('one', 'two')
const identifier = fc.constantFrom(undefined, undefined, 'once')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const), key, owner, identifier }),
  fc.record({ kind: fc.constantFrom('prepare' as const, 'release' as const), key, owner }),
  fc.record({ kind: fc.constantFrom('settle' as const, 'void' as const), key }),
)

function expected(model: Model, each: Step, tx: string): void {
  const row = model.get(each.key)
  if (each.kind === 'claim') {
    const isTaken = [...model.values()].some(
      (other) => each.identifier && other.identifier === each.identifier,
    )
    if (row || isTaken) return
    model.set(each.key, { state: 'claimed', owner: each.owner, identifier: each.identifier, tx: undefined })
  } else if (!row) return
  else if (each.kind === 'prepare' && row.state === 'claimed' && row.owner === each.owner)
    row.state = 'settling'
  else if (each.kind === 'release' && row.state === 'claimed' && row.owner === each.owner)
    model.delete(each.key)
  else if (each.kind === 'void' && row.state === 'settling') row.state = 'void'
  else if (each.kind === 'settle' && (row.state === 'settling' || row.state === 'void'))
    Object.assign(row, { state: 'settled', tx })
}

const idOf = (name: string, owner: string) => `${name} by ${owner}`

async function take(payments: PaymentLedger, prefix: string, each: Step, tx: string): Promise<void> {
  const name = prefix + each.key
  if (each.kind === 'claim') {
    const once = each.identifier && prefix + each.identifier
    await payments.claim(sampleClaim(name, { id: idOf(name, each.owner), identifier: once }))
  } else if (each.kind === 'prepare') await payments.prepare(name, idOf(name, each.owner), sampleReply())
  else if (each.kind === 'release') await payments.release(name, idOf(name, each.owner))
  else if (each.kind === 'void') await payments.void(name)
  else await payments.settle(name, sampleOutcome({ transaction: tx }))
}

export function forwardOnlyContract({ open, holdsClaims, keepsOrder }: OpenedStores): void {
  test('whatever is asked in whatever order, rows only move forward and settled ones never change', async () => {
    const { payments } = await open()
    let runs = 0
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      // Steps that are not awaited keep their order in a database, but not between memory and a database.
      holdsClaims || !keepsOrder ? fc.constant(false) : fc.boolean(),
      async (steps, atOnce) => {
        const prefix = `run ${runs++} `
        const model: Model = new Map()
        const compare = async () => {
          for (const name of ['a', 'b', 'c']) {
            const row = await payments.find(prefix + name)
            const brief = row && { state: row.state, owner: row.id.split(' by ')[1], tx: row.transaction }
            const { identifier: _, ...rest } = model.get(name) ?? { identifier: undefined }
            expect(brief ?? {}).toEqual(rest)
            expect(row?.reply !== undefined).toBe(row !== undefined && row.state !== 'claimed')
          }
        }
        const taken: Promise<void>[] = []
        for (const [n, each] of steps.entries()) {
          const done = take(payments, prefix, each, `tx ${n}`)
          taken.push(done)
          expected(model, each, `tx ${n}`)
          if (!atOnce) await done.then(compare)
        }
        await Promise.all(taken)
        await compare()
      },
    )
    await fc.assert(property, { numRuns: 100 })
  })
}
