import { z } from 'zod'
import { readRows } from '../wire/list.ts'
import { maybeFlag, maybeNumber, wireFlag } from '../wire/number.ts'
import { evmAddress, maybeCount, maybeUsd } from '../wire/on-chain.ts'
import { maybeTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

const MAX_REASON_CHARS = 300
const MAX_FLAGS = 50
const MAX_GAS = 1e9
const MAX_LEVEL = 100
const MAX_PERCENT = 1e6

/** Sent in percent, kept as a share: 5 is 0.05. Nobody takes more than all. */
const tax = () =>
  orUnknown(maybeNumber({ min: 0, max: MAX_PERCENT })).transform((percent) =>
    percent === undefined ? undefined : Math.min(percent, 100) / 100,
  )
const gas = () => orUnknown(maybeNumber({ min: 0, max: MAX_GAS }))
const known = () => orUnknown(maybeFlag())

/** How bad a flag is, from 4, for information, to 20, critical. */
const MAX_SEVERITY = 1e3
const HIGH_FROM = 16
const CRITICAL_FROM = 20
/** What the source publishes of the flags that tell of holders: elsewhere than in the summary they come without it. */
const KNOWN_SEVERITIES: ReadonlyMap<string, number> = new Map([
  ['high_fail_rate', CRITICAL_FROM],
  ['high_siphon_rate', CRITICAL_FROM],
  ['medium_fail_rate', HIGH_FROM],
  ['medium_siphon_rate', HIGH_FROM],
])

/** `high_tax`, or an object that also says how bad it is. */
const Flag = z
  .union([
    z.string().transform((flag) => ({ flag, severityIndex: undefined })),
    z.object({ flag: z.string(), severityIndex: orUnknown(maybeNumber({ min: 0, max: MAX_SEVERITY })) }),
  ])
  .transform(({ flag, severityIndex }) => ({
    name: flag.slice(0, MAX_REASON_CHARS),
    severity: Math.max(severityIndex ?? 0, KNOWN_SEVERITIES.get(flag.toLowerCase()) ?? 0),
  }))
const flags = () =>
  z
    .unknown()
    .optional()
    .transform((rows) => (Array.isArray(rows) ? readRows(rows.slice(0, MAX_FLAGS), Flag).rows : []))

const HolderAnalysis = z
  .object({
    holders: maybeCount(),
    successful: maybeCount(),
    failed: maybeCount(),
    siphoned: maybeCount(),
    averageTax: tax(),
    highestTax: tax(),
    highTaxWallets: maybeCount(),
  })
  .transform((wire) => ({
    /** Holders whose sale was tried. */
    holders: wire.holders,
    couldSell: wire.successful,
    couldNotSell: wire.failed,
    /** Holders whose tokens can be taken from them. */
    siphoned: wire.siphoned,
    averageTax: wire.averageTax,
    highestTax: wire.highestTax,
    highTaxWallets: wire.highTaxWallets,
  }))

export type Verdict = 'honeypot' | 'sellable' | 'inconclusive'

/** Undefined where none is high or critical. */
function worstFlagOf(found: readonly { severity: number }[]): 'critical' | 'high' | undefined {
  const worst = found.reduce((most, { severity }) => Math.max(most, severity), 0)
  return worst >= CRITICAL_FROM ? 'critical' : worst >= HIGH_FROM ? 'high' : undefined
}

export const SimulationReply = z
  .object({
    token: z.object({ address: evmAddress(), totalHolders: maybeCount() }),
    simulationSuccess: wireFlag(),
    honeypotResult: orUnknown(
      z.object({ isHoneypot: maybeFlag(), honeypotReason: shownWords(MAX_REASON_CHARS) }),
    ),
    simulationResult: orUnknown(
      z.object({ buyTax: tax(), sellTax: tax(), transferTax: tax(), buyGas: gas(), sellGas: gas() }),
    ),
    simulationError: shownWords(MAX_REASON_CHARS),
    summary: orUnknown(
      z.object({
        risk: shownWords(MAX_REASON_CHARS),
        riskLevel: orUnknown(maybeNumber({ min: 0, max: MAX_LEVEL })),
        flags: flags(),
      }),
    ),
    flags: flags(),
    holderAnalysis: orUnknown(HolderAnalysis),
    contractCode: orUnknown(z.object({ openSource: known(), isProxy: known(), hasProxyCalls: known() })),
    pair: orUnknown(z.object({ liquidity: maybeUsd(), createdAtTimestamp: orUnknown(maybeTime()) })),
    pairAddress: orUnknown(evmAddress()),
  })
  .transform((wire) => {
    const allFlags = [...wire.flags, ...(wire.summary?.flags ?? [])]
    // What a simulation that failed says of taxes and sales was not seen to happen.
    const seen = wire.simulationSuccess ? wire.simulationResult : undefined
    const isHoneypot = wire.simulationSuccess ? wire.honeypotResult?.isHoneypot : undefined
    const verdict: Verdict = isHoneypot === undefined ? 'inconclusive' : isHoneypot ? 'honeypot' : 'sellable'
    return {
      address: wire.token.address,
      verdict,
      reason: wire.honeypotResult?.honeypotReason || wire.simulationError || undefined,
      buyTax: seen?.buyTax,
      sellTax: seen?.sellTax,
      transferTax: seen?.transferTax,
      buyGas: seen?.buyGas,
      sellGas: seen?.sellGas,
      risk: wire.summary?.risk || undefined,
      /** From 0, very low, to 100, a honeypot. */
      riskLevel: wire.summary?.riskLevel,
      flags: [...new Set(allFlags.map(({ name }) => name))],
      worstFlag: worstFlagOf(allFlags),
      holderCount: wire.token.totalHolders,
      holders: wire.holderAnalysis,
      isOpenSource: wire.contractCode?.openSource,
      isProxy: wire.contractCode?.isProxy,
      hasProxyCalls: wire.contractCode?.hasProxyCalls,
      /** The pool in which it was tried. */
      pool: wire.pairAddress,
      poolLiquidityUsd: wire.pair?.liquidity,
      poolCreatedAtMs: wire.pair?.createdAtTimestamp,
    }
  })
export type Simulation = z.output<typeof SimulationReply>
