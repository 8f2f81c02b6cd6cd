import type { UndoneState } from '../../../src/ledger/ports/finality-book.ts'
import type { MemoryFinality } from '../../../src/testing/ledger/finality/memory-finality-book.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import type { SignedBook } from '../people/authorization.ts'
import type { Timeline, Trace } from '../timeline.ts'

/** What was written down about a settled payment, and when. */
export type NotedFinding = {
  key: string
  payer: string
  state: UndoneState
  atMs: number
  /** For how long its transfer had been final then; undefined where it was not. */
  finalForMs: number | undefined
  /** Whether it could still have been paid then. */
  isPayable: boolean
}
export type Findings = {
  all: readonly NotedFinding[]
  /** After each commit. */
  look(): void
}
type World = { timeline: Timeline; chain: SimulatedChain; signed: SignedBook; trace: Trace }

/** Keeps what the ledger forgets: it has the last state of an undone payment only. */
export function createFindings(world: World, { undone }: MemoryFinality): Findings {
  const { timeline, chain, signed, trace } = world
  const all: NotedFinding[] = []
  const states = new Map<string, UndoneState>()
  return {
    all,
    look() {
      for (const { key, payer, state } of undone.values()) {
        if (states.get(key) === state) continue
        states.set(key, state)
        const atMs = timeline.now()
        const transfer = chain.transferOf(key)
        const finalForMs = transfer && atMs - chain.finalFromMs(transfer)
        const isPayable = !chain.history.useAt(key, atMs) && atMs < (signed.ofKey(key)?.diesAtMs ?? 0)
        trace?.(`service: ${key} is ${state}`)
        all.push({
          ...{ key, payer, state, atMs, isPayable },
          finalForMs: finalForMs !== undefined && finalForMs >= 0 ? finalForMs : undefined,
        })
      }
    },
  }
}

/** Whether a payer must wait for finality all that time, by what had been written down until each moment of it. */
export function isWaryFrom(
  findings: readonly NotedFinding[],
  payer: string,
  span: { fromMs: number; toMs: number },
): boolean {
  const changes = findings.map(({ atMs }) => atMs).filter((atMs) => atMs > span.fromMs && atMs <= span.toMs)
  return [span.fromMs, ...changes].every((ms) => isWaryAt(findings, payer, ms))
}

function isWaryAt(findings: readonly NotedFinding[], payer: string, ms: number): boolean {
  const states = new Map<string, UndoneState>()
  for (const each of findings) if (each.payer === payer && each.atMs <= ms) states.set(each.key, each.state)
  return [...states.values()].some((state) => state === 'open' || state === 'lost')
}
