import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { canonicalJson, type Json } from '../../core/canonical-json.ts'
import type { Log } from '../../core/log.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { Llm } from '../../upstreams/llm/client.ts'
import { createModelWriter, type NoDraft } from './ask-model.ts'
import { type Assignment, BY_RULES, type FallbackReason, type Written } from './assignment.ts'
import type { DailyBudget } from './daily-budget.ts'

/** How long a caller waits for a model. What comes later is kept for the next. */
export const WRITER_WAIT_MS = 8 * SECOND_MS
/** Texts that are kept by their facts. */
const MAX_KEPT = 1_000
/** A model that wrote something bad about these facts is not asked again at once: it would write the same. */
const REFUSED_FOR_MS = 10 * MINUTE_MS

/** Writes texts from facts: with a model where there is one, else by rules. */
export type Writer = {
  /** Never rejects, and waits no longer than eight seconds. */
  write<Draft extends z.ZodType>(assignment: Assignment<Draft>): Promise<Written<z.output<Draft>>>
}

export type WriterPorts = {
  clock: Clock
  log: Pick<Log, 'info'>
  /** Undefined: rules write everything. */
  model: { llm: Llm; budget: DailyBudget } | undefined
}

type Kept = { draft: unknown } | (NoDraft & { untilMs: number })

export function createWriter({ clock, log, model }: WriterPorts): Writer {
  if (!model) return { write: async (assignment) => byRules(assignment, 'no_model') }
  const { llm } = model
  const ask = createModelWriter({ ...model, clock, log })
  const kept = createBoundedCache<string, Kept>({ capacity: MAX_KEPT })
  const underWay = new Map<string, Promise<{ draft: unknown } | NoDraft>>()

  const askAndKeep = async (key: string, assignment: Assignment) => {
    const answer = await ask(assignment)
    if ('draft' in answer) kept.set(key, answer)
    // Whether a model that was down is asked again is up to the rules for upstreams and the budget.
    else if (answer.reason === 'text_refused' || answer.reason === 'model_refused')
      kept.set(key, { ...answer, untilMs: clock.now() + REFUSED_FOR_MS })
    return answer
  }
  const join = (key: string, assignment: Assignment) => {
    const started = underWay.get(key) ?? askAndKeep(key, assignment).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
  const find = async (assignment: Assignment): Promise<{ draft: unknown } | NoDraft> => {
    const key = keyOf(llm.model, assignment)
    const old = kept.get(key)
    if (old && ('draft' in old || clock.now() < old.untilMs)) return old
    return within(clock, join(key, assignment))
  }
  return {
    async write<Draft extends z.ZodType>(assignment: Assignment<Draft>) {
      const answer = await find(assignment as unknown as Assignment)
      if ('reason' in answer) return byRules(assignment, answer.reason)
      // The key holds everything that the draft's shape depends on.
      const draft = answer.draft as z.output<Draft>
      return { draft, writtenBy: llm.model, fallbackReason: undefined }
    },
  }
}

function byRules<Draft extends z.ZodType>(
  assignment: Assignment<Draft>,
  fallbackReason: FallbackReason,
): Written<z.output<Draft>> {
  return { draft: assignment.byRules(), writtenBy: BY_RULES, fallbackReason }
}

/** Equal facts have equal texts. */
function keyOf(model: string, { kind, task, given, facts }: Assignment): string {
  const said = facts.map(({ id, says, value }) => [id, says, value])
  return createHash('sha256')
    .update(canonicalJson([model, kind, task, given, said] satisfies Json))
    .digest('base64')
}

async function within<T>(clock: Clock, work: Promise<T>): Promise<T | NoDraft> {
  const done = new AbortController()
  const late = sleep(clock, WRITER_WAIT_MS, done.signal).then((): NoDraft => ({ reason: 'model_late' }))
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}
