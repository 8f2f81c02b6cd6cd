import { isFinalBy, type Review } from '../../../src/payments/finality/ports.ts'
import type { ChainOutcome } from '../../../src/payments/gate/ports.ts'
import type { Authorization } from '../people/authorization.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** What a simulated node of Solana is asked instead of signatures and transactions. */
export const SVM_OUTCOME = 'simulated_outcome'
export const SVM_FINAL_MS = 'simulated_final_time'
export const SVM_REVIEW = 'simulated_review'
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/** Solana without its formats: the referee of that chain is not part of the simulation, its nodes are. */
export function answerSvm(
  chain: SimulatedChain,
  seenMs: number,
  method: string,
  [authorization, more]: readonly unknown[],
): unknown {
  if (method === 'getGenesisHash') return GENESIS
  if (method === 'getHealth') return 'ok'
  if (method === 'getSlot') return chain.blocks.svm.heightAt(seenMs)
  if (method === SVM_FINAL_MS) return finalMs(chain, seenMs)
  if (method === SVM_REVIEW) return review(chain, authorization as Authorization, seenMs, Number(more))
  if (method !== SVM_OUTCOME) throw new Error(`${method} is not simulated`)
  return judge(chain, authorization as Authorization, seenMs, more)
}

function judge(
  chain: SimulatedChain,
  { key, diesAtMs }: Authorization,
  seenMs: number,
  hint: unknown,
): ChainOutcome {
  const latest = chain.transferOf(key)
  if (latest && latest.transaction === hint) return { kind: 'paid', transaction: latest.transaction }
  const use = chain.history.useAt(key, seenMs)
  if (use) return use.kind === 'transfer' ? { kind: 'paid', transaction: use.transaction } : { kind: 'dead' }
  return { kind: seenMs >= diesAtMs ? 'dead' : 'open' }
}

const finalMs = ({ blocks: { svm } }: SimulatedChain, seenMs: number) => svm.timeOf(svm.finalAt(seenMs))

function review(
  chain: SimulatedChain,
  { key, diesAtMs }: Authorization,
  seenMs: number,
  settledAtMs: number,
): Review {
  const use = chain.history.useAt(key, seenMs)
  if (use)
    return chain.finalFromMs(use) <= seenMs
      ? { kind: 'final', transaction: use.transaction }
      : { kind: 'early' }
  const untilMs = finalMs(chain, seenMs)
  return isFinalBy(settledAtMs, untilMs) ? { kind: 'undone', isOver: untilMs > diesAtMs } : { kind: 'early' }
}
