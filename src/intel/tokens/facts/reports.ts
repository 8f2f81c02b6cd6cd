import type { TokenSecurity } from '../../../upstreams/goplus/wire.ts'
import type { Simulation } from '../../../upstreams/honeypot/wire.ts'
import type { ScamReport } from '../token-analysis.ts'
import type { TokenFacts } from './token-facts.ts'

type Told = readonly (readonly [ScamReport['code'], boolean | number | undefined])[]

/** What the risk sources say outright. */
export function toReports({ security, simulation }: TokenFacts): readonly ScamReport[] {
  return [
    ...said('goplus', security.value ? bySecurity(security.value) : []),
    ...said('honeypot.is', simulation.value ? bySimulation(simulation.value) : []),
  ]
}

const bySecurity = (found: TokenSecurity): Told => [
  ['airdrop_scam', found.isAirdropScam],
  ['fake_token', found.isTrueToken === false],
  ['more_than_supply', found.isOverheld],
  ['creator_made_honeypots', found.creatorMadeHoneypots],
  ['cannot_buy', found.cannotBuy],
  ['trading_cooldown', found.hasTradingCooldown],
  ['can_limit_trades', canLimitTrades(found)],
  ['has_whitelist', found.hasWhitelist],
  ['calls_others', found.callsOthers],
  ['abuses_gas', found.abusesGas],
]

/** A limit that nobody can change is known to those who buy. */
export const canLimitTrades = (found: TokenSecurity): boolean =>
  found.canChangeTradeLimit === true && found.limitsTradeSize !== false

const bySimulation = (simulated: Simulation): Told => {
  const { failed, siphoned } = hinderedShares(simulated)
  return [
    ['holders_cannot_sell', failed],
    ['holders_siphoned', siphoned],
    ['holder_tax', simulated.holders?.highestTax],
    ['critical_flag', simulated.worstFlag === 'critical'],
    ['high_flag', simulated.worstFlag === 'high'],
    ['rated_risky', riskLevelOf(simulated)],
  ]
}

/** Of fewer holders that were tried, one says too much. */
const MIN_TRIED = 5

/** Of the holders whose sale was tried, from 0 to 1. */
export function hinderedShares({ holders }: Simulation): { failed: number; siphoned: number } {
  const tried = holders?.holders ?? (holders?.couldSell ?? 0) + (holders?.couldNotSell ?? 0)
  if (tried < MIN_TRIED) return { failed: 0, siphoned: 0 }
  const shareOf = (count: number | undefined) => Math.min(1, (count ?? 0) / tried)
  return { failed: shareOf(holders?.couldNotSell), siphoned: shareOf(holders?.siphoned) }
}

/** The lowest level of each word. */
const LEVELS: ReadonlyMap<string, number> = new Map([
  ['high', 0.6],
  ['very_high', 0.8],
  ['honeypot', 1],
])

/** The level and its word should say the same; the worse of them counts. */
const riskLevelOf = ({ risk = '', riskLevel = 0 }: Simulation): number =>
  Math.max(riskLevel / 100, LEVELS.get(risk.toLowerCase()) ?? 0)

const said = (source: ScamReport['source'], told: Told): ScamReport[] =>
  told.flatMap(([code, answer]) => {
    if (answer === undefined || answer === false || answer === 0) return []
    return [answer === true ? { code, source } : { code, source, share: answer }]
  })
