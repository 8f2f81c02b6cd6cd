import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Clock } from '../../../core/time/clock.ts'

/** A slot every 400 ms, each with a blockhash that is valid for 150 slots. */
export type Blockhashes = {
  slot(): number
  timeS(slot: number): number
  latest(): { blockhash: string; lastValidBlockHeight: number }
  isValid(blockhash: string): boolean
}

const SLOT_MS = 400
const VALID_FOR_SLOTS = 150

/** Derived from the seed, so that a transaction signed before a restart is still valid after it. */
export function createBlockhashes({ seed, clock }: { seed: string; clock: Clock }): Blockhashes {
  /** Newest last; one entry per slot that is still valid. */
  const recent = new Map<string, number>()
  let newest = Number.NEGATIVE_INFINITY
  const slot = () => Math.floor(clock.now() / SLOT_MS)
  const catchUp = () => {
    const now = slot()
    for (let each = Math.max(newest + 1, now - VALID_FOR_SLOTS); each <= now; each++) {
      recent.set(hashOf(seed, each), each)
    }
    newest = Math.max(newest, now)
    for (const [hash, each] of recent) {
      if (each >= now - VALID_FOR_SLOTS) break
      recent.delete(hash)
    }
  }
  return {
    slot,
    timeS: (each) => Math.floor((each * SLOT_MS) / 1000),
    latest() {
      return { blockhash: hashOf(seed, slot()), lastValidBlockHeight: slot() + VALID_FOR_SLOTS }
    },
    isValid(blockhash) {
      catchUp()
      return recent.has(blockhash)
    },
  }
}

function hashOf(seed: string, slot: number): string {
  return base58.encode(createHash('sha256').update(`${seed}:${slot}`).digest())
}
