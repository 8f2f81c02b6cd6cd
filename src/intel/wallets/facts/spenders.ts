import type { Clock } from '../../../core/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { createKeyedSource } from '../../../upstreams/keyed-source.ts'
import { isReportedScam, shownLabel } from '../labels.ts'
import type { SpenderKind } from '../wallet-analysis.ts'
import { within } from '../within.ts'
import { kindOf } from './account.ts'
import type { WalletPorts } from './wallet-ports.ts'
import { findWellKnown } from './well-known-spenders.ts'

export type Spender = { kind: SpenderKind; name: string | undefined }
export type SpendersReader = {
  /** By address. Those that nobody could tell of in time are `unknown`. */
  read(spenders: readonly string[]): Promise<ReadonlyMap<string, Spender>>
}

const SPENDERS_WAIT_MS = 1_200
/** Spenders of one wallet that are looked up: the most dangerous ones come first. */
const MAX_CODES = 15
/** The explorer allows three requests a second. */
const MAX_EXPLORED = 2
const KEPT = 2_000

type Ports = Pick<WalletPorts, 'chain' | 'explorer'> & { clock: Clock; random: () => number }

export function createSpenders({ chain, explorer, clock, random }: Ports): SpendersReader {
  // What an address is does not change; what people call it may.
  const kept = { clock, random, softMs: 6 * HOUR_MS, hardMs: 7 * DAY_MS, capacity: KEPT }
  const codes = createKeyedSource({
    ...kept,
    fetch: async (address) => kindOf(await chain.codeOf(address)).kind,
  })
  const told = createKeyedSource({ ...kept, hardMs: DAY_MS, fetch: explorer.address })

  const describe = async (address: string, isExplored: boolean): Promise<Spender> => {
    const [code, about] = await Promise.all([
      within(clock, SPENDERS_WAIT_MS, codes.read(address)),
      isExplored || told.last(address) ? within(clock, SPENDERS_WAIT_MS, told.read(address)) : undefined,
    ])
    const found = about?.value
    const label = found?.name || undefined
    const isContract = code ? code.value === 'contract' : found?.isContract
    if (isReportedScam({ label: label ?? '', tags: [], isContract, isScam: found?.isScam }))
      return { kind: 'scam', name: shownLabel(label) }
    if (isContract === undefined) return { kind: 'unknown', name: undefined }
    if (!isContract) return { kind: 'account', name: shownLabel(label) }
    // Shown, and nothing more: whoever publishes the source code chooses the name.
    const isNamed = label !== undefined && found?.isVerified === true
    return { kind: isNamed ? 'named_contract' : 'unknown_contract', name: shownLabel(label) }
  }
  return {
    async read(spenders) {
      const found = new Map<string, Spender>()
      const strangers: string[] = []
      for (const spender of new Set(spenders)) {
        const name = findWellKnown(spender)
        if (name === undefined) strangers.push(spender)
        else found.set(spender, { kind: 'well_known', name })
      }
      await Promise.all(
        strangers.slice(0, MAX_CODES).map(async (spender, i) => {
          found.set(spender, await describe(spender, i < MAX_EXPLORED))
        }),
      )
      for (const spender of strangers.slice(MAX_CODES))
        found.set(spender, { kind: 'unknown', name: undefined })
      return found
    },
  }
}
