import type { Comparison } from '../harness/verdicts.ts'
import type { TargetName } from './targets.ts'

/** Those with a bound are goals; the others are shown because the choice of the HTTP layer rests on them. */
export const COMPARISONS = [
  { ours: 'tollbook/challenge', other: 'x402-hono/challenge', atLeast: 2 },
  { ours: 'tollbook/challenge', other: 'x402-express/challenge', atLeast: 3 },
  { ours: 'tollbook/demo', other: 'bare/demo', atLeast: 0.5 },
  { ours: 'tollbook/market', other: 'bare/market', atLeast: 0.5 },
  { ours: 'tollbook/document', other: 'bare/document', atLeast: 0.5 },
  { ours: 'tollbook/unchanged', other: 'bare/unchanged', atLeast: undefined },
  { ours: 'tollbook/challenge', other: 'bare/challenge', atLeast: undefined },
  { ours: 'tollbook/market', other: 'hono-log/market', atLeast: undefined },
  { ours: 'tollbook/market', other: 'x402-hono/market', atLeast: undefined },
  { ours: 'tollbook/market', other: 'x402-express/market', atLeast: undefined },
] as const satisfies readonly (Comparison & { ours: TargetName; other: TargetName })[]
