import type { Clock } from '../../core/time/clock.ts'
import type { WhaleWatch } from '../../intel/whales/whale-watch.ts'

export type WhaleServices = {
  clock: Clock
  whales: WhaleWatch
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
