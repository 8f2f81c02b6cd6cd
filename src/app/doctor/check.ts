/** `skipped`: not asked, because it is not configured or not of this mode. */
export type FindingState = 'ok' | 'warning' | 'failure' | 'skipped'

/** What a check found, in words for the operator. Never holds a secret. */
export type Finding = {
  state: FindingState
  what: string
  /** What to do, one step each; empty where nothing has to be done or `what` says it. */
  next: readonly string[]
}

/** Sources of what is told about tokens, moods, futures, whales and other sellers, and who writes texts. */
const INTELLIGENCE = ['tokens', 'sentiment', 'futures', 'whales', 'directory', 'writer'] as const
const GROUPS = ['machine', 'operator', 'play', 'venues', 'money', 'prediction', ...INTELLIGENCE] as const
export type IntelligenceGroup = (typeof INTELLIGENCE)[number]
export type Group = (typeof GROUPS)[number]

/** One dependency. It changes nothing, here or elsewhere. */
export type Check = {
  name: string
  group: Group
  /** What to do where it fails with an error, or does not end in time. */
  advice: string
  /** Rejects where the dependency fails; ends what is under way when the signal aborts. */
  run(signal: AbortSignal): Promise<Finding>
}

export const ok = (what: string): Finding => ({ state: 'ok', what, next: [] })
export const warning = (what: string, ...next: string[]): Finding => ({ state: 'warning', what, next })
export const failure = (what: string, ...next: string[]): Finding => ({ state: 'failure', what, next })
export const skipped = (what: string, ...next: string[]): Finding => ({ state: 'skipped', what, next })
