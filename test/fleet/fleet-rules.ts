import type { Violation } from '../audit/invariants.ts'
import type { FaultReport } from './faults.ts'
import type { FreeCall } from './free-callers.ts'
import type { Reign } from './leader-watch.ts'
import type { SoldReply } from './ledger-in-database.ts'
import type { Crash } from './member.ts'

/** What only several processes can get wrong, besides the rules for money. */
export type FleetEvidence = {
  reigns: readonly Reign[]
  faults: readonly FaultReport[]
  /** Faults after which the fleet did not come back. */
  stuck: readonly string[]
  granted: readonly FreeCall[]
  budget: number
  sold: readonly SoldReply[]
  crashes: readonly Crash[]
  /** What each api says was earned, in millionths. */
  revenues: ReadonlyMap<string, bigint | undefined>
  /** Payments that were settled, and an api that gave nothing for them. */
  withheld: readonly string[]
}
type Report = (rule: string, subject: string) => void

const LEADER_WITHIN_MS = 5_000
/** As the description of prices promises. */
export const FRESH_FOR_MS = 10_000

export function findFleetViolations(evidence: FleetEvidence): Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, subject) => void violations.push({ rule, subject })
  checkLeaders(evidence, report)
  checkFreeCalls(evidence, report)
  checkAges(evidence, report)
  for (const crash of evidence.crashes.filter(isFault))
    report('F4 a process ended by itself', `${crash.name}: ${crash.how}`)
  for (const what of evidence.stuck) report('F5 the fleet did not come back', what)
  for (const what of evidence.withheld) report('F6 a settled payment brings no goods', what)
  if (new Set(evidence.revenues.values()).size > 1)
    report(
      'F7 apis report different revenues',
      [...evidence.revenues].map((each) => each.join(' ')).join(', '),
    )
  return violations
}

function checkLeaders({ reigns, faults }: FleetEvidence, report: Report): void {
  for (const [index, { term }] of reigns.entries()) {
    const before = reigns[index - 1]?.term ?? 0
    if (term <= before) report('F1 a term that does not rise', `${term} after ${before}`)
  }
  for (const { kind, leaderMs } of faults)
    if (leaderMs !== undefined && leaderMs > LEADER_WITHIN_MS)
      report('F1 a leader who came late', `${Math.round(leaderMs)} ms, ${kind}`)
}

function checkFreeCalls({ granted, budget }: FleetEvidence, report: Report): void {
  const counts = Map.groupBy(granted, ({ client, day }) => `${client} on day ${day}`)
  for (const [name, calls] of counts)
    if (calls.length > budget) report('F2 more free calls than the budget', `${name}: ${calls.length}`)
}

function checkAges({ granted, sold }: FleetEvidence, report: Report): void {
  for (const { path, ageMs } of granted)
    if (ageMs > FRESH_FOR_MS) report('F3 stale data given away', `${path}: ${ageMs} ms`)
  for (const { request, claimedAtMs, asOfMs } of sold)
    if (claimedAtMs - asOfMs > FRESH_FOR_MS)
      report('F3 stale data sold', `${request}: ${claimedAtMs - asOfMs} ms`)
}

/** An engine exits with 1 where another leads; what has no database cannot start. */
const isFault = ({ name, how, wasReady }: Crash): boolean =>
  how !== 'exit code 1' || (wasReady && !name.startsWith('engine'))
