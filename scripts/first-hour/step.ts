import type { Clone } from './clone.ts'
import type { Service } from './service.ts'

/** What every step may use: the clone that a newcomer has made, and the sandbox that runs in it. */
export type Hour = { clone: Clone; sandbox: Service }

/** One thing that a newcomer does. `walk` returns what was seen, in a few words, or throws what was wrong. */
export type Step<Needs = Hour> = { item: number; says: string; walk(needs: Needs): Promise<string> }
